// `warrant ask --fix`: the smallest change of the catalog that would let a refused call, shown with
// what else it would let, for a person at the terminal to sign. Nothing else signs it.
import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { change } from '#authoring/change'
import { seedFileNames } from '#authoring/seed-files'
import { listed, quoted } from '#record/quote'
import { jsonLines } from '#present/json-lines'
import type { Catalog } from '#rules/catalog/catalog'
import { changedLines, linesIn } from '#shell/hooks/changed-lines'
import type { Runtime } from '#runtime/engine/runtime'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { Capability, Principal, type CatalogOperation } from '#schemas/catalog'
import type { ReasonCode } from '#schemas/reasons'
import type { RefusedAsk } from '#cli/agents/ask/answer'
import { remediesOf, type EntryChange } from '#present/remedy'
import { seedHere } from '#cli/terminal/opening/seed-here'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { toned, type Line } from '#cli/terminal/line'
import { print } from '#cli/terminal/terminal'
import { catalogIn, writeCatalogFile, writtenIn } from '../catalog/catalog-in.ts'
import { byName } from '../catalog/tools/safety-class.ts'
import { dryRunLines } from '../editing/flips-text.ts'
import { previewSets } from '../editing/preview-change.ts'

/** So many of the last intents are tried. */
const last = 100
const linesMax = 40

/** Reasons that a change of one entry can take away. */
const fixable: Readonly<Partial<Record<ReasonCode, true>>> = {
  unknown_capability: true,
  missing_role: true,
  missing_tenant_attribute: true,
  invalid_arguments: true,
}

/** Whether it was signed. Throws a Fault where the person does not agree. */
export async function offerFix(runtime: Runtime, refused: RefusedAsk): Promise<boolean> {
  const { catalog } = runtime.follower.state
  const changes = changesFor(catalog, refused)
  const { reasons } = refused.verdict
  const isOtherwise = reasons.some(({ code }) => !Object.hasOwn(fixable, code))
  if (changes.length === 0 || isOtherwise) {
    await print([toned('warn', 'no change of one entry of the catalog would let it')])
    return false
  }
  const operations = changes.map((one) => operationFor(catalog, one))
  const author = await findPolicyAdmin(signerChoice(runtime, {}))
  const file = await fileChange(changes)
  const preview = await previewSets(runtime, [{ kind: 'catalog', operations }], last)
  const lines = [...file.lines, ...alsoLines(catalog, changes, refused), ...dryRunLines(preview)]
  await demandAgreement({}, { lines, as: author.id })
  await change(runtime, { kind: 'catalog', operations }, author)
  await file.write()
  await print([toned('good', `signed by ${author.id}; asked again:`)])
  return true
}

function changesFor(catalog: Catalog, refused: RefusedAsk): readonly EntryChange[] {
  const { agent, tool, verdict } = refused
  const { reasons } = verdict
  const own = remediesOf(catalog, { agent, tool, reasons }).flatMap((remedy) => {
    return 'change' in remedy ? [remedy.change] : []
  })
  const isUnknown = reasons.some(({ code }) => code === 'unknown_capability')
  return isUnknown ? [...own, unknownTool(tool)] : own
}

/** It takes any arguments, and is of the class that its name says, else of the worst. */
function unknownTool(id: string): EntryChange {
  const safetyClass = byName(id)?.safetyClass ?? 'DESTRUCTIVE'
  const members = { description: id, safetyClass, argsSchema: { type: 'object' } }
  return { list: 'capabilities', id, members }
}

function operationFor(
  { principals, capabilities }: Catalog,
  { list, id, members }: EntryChange,
): CatalogOperation {
  if (list === 'principals') {
    const entry = Principal.parse({ id, ...principals.get(id), ...members })
    return { op: 'put', collection: list, entry }
  }
  const entry = Capability.parse({ id, ...capabilities.get(id), ...members })
  return { op: 'put', collection: list, entry }
}

/** What else those may do who get a role: tools of the class that asked for it. */
function alsoLines(
  { capabilities }: Catalog,
  changes: readonly EntryChange[],
  { tool, agent }: RefusedAsk,
): readonly Line[] {
  if (!changes.some(({ members }) => 'roles' in members)) return []
  const safetyClass = capabilities.get(tool)?.safetyClass
  const also = [...capabilities.values()].flatMap((one) => {
    return one.safetyClass === safetyClass && one.id !== tool ? [quoted(one.id)] : []
  })
  const others = also.length === 0 ? 'no other tool now' : listed(also, 'and')
  return [
    toned('warn', `with the role, ${quoted(agent)} may use of class ${safetyClass}: ${others}`),
  ]
}

interface FileChange {
  readonly lines: readonly Line[]
  readonly write: () => Promise<void>
}

/** The same in the folder that people edit, where one is here. */
async function fileChange(changes: readonly EntryChange[]): Promise<FileChange> {
  const folder = seedHere()
  const place = join(folder, seedFileNames.catalog)
  if (!existsSync(place)) {
    const texts = changes.map(({ id, members }) => `  ${id}: ${JSON.stringify(members)}`)
    return { lines: ['the catalog of the log:', ...texts], write: () => Promise.resolve() }
  }
  const { path, written } = await catalogIn(folder)
  const now = changes.reduce(withChange, written)
  const before = linesIn(await readFile(path, 'utf8'))
  const { gone, come } = changedLines(before, linesIn(`${jsonLines(now)}\n`))
  const lines = [
    `${path}:`,
    ...gone.map((line) => toned('bad', `- ${line}`)),
    ...come.map((line) => toned('good', `+ ${line}`)),
  ]
  const left = lines.length - linesMax
  const shown = left > 0 ? [...lines.slice(0, linesMax), `and ${left} more lines`] : lines
  return { lines: shown, write: () => writeCatalogFile(path, now) }
}

function withChange(catalog: object, { list, id, members }: EntryChange): object {
  const entries = writtenIn(catalog, list)
  const isIt = (one: unknown): one is object => {
    if (typeof one !== 'object' || one === null) return false
    return Object.getOwnPropertyDescriptor(one, 'id')?.value === id
  }
  const there = entries.map((one) => (isIt(one) ? { ...one, ...members } : one))
  const all = entries.some(isIt) ? there : [...entries, { id, ...members }]
  return { ...catalog, [list]: all }
}
