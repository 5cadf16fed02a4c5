// Writes what the log has into the files of a seed folder, so that they can be edited from there. A
// file that says the same already stays as it is; what would be lost of one is shown, and asked.
import { mkdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { catalogToFile } from '#rules/catalog/catalog-file'
import { excessOver } from '#authoring/changes/overlay'
import { graphToFile } from '#knowledge/graph/graph'
import { Fault } from '#record/fault'
import { loadModule } from '#authoring/callback-store'
import type { OnlyInLog } from '#authoring/plan/seed-plan'
import { fileOfSeed } from '#authoring/changes/sliced-catalog'
import { readSeed, seedFileNames, type SeedFiles } from '#authoring/seed-files'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import type { CatalogFile } from '#schemas/catalog'
import type { GraphFile } from '#schemas/graph'
import { writeTexts } from '#cli/terminal/opening/file'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { jsonLines } from '#present/json-lines'
import { toned, type Line } from '#cli/terminal/line'
import { personHere } from '#cli/terminal/person'
import { print, printJson } from '#cli/terminal/terminal'
import { onlyText } from './print.ts'
import { schemaPlace } from './schema-place.ts'

interface PullOptions extends GlobalOptions {
  /** Overwrite without asking. */
  readonly yes?: boolean
}

/** The texts of the files as the log has them. */
interface Pulled {
  readonly graph: GraphFile
  readonly catalog: object
  readonly callbacks: string | null
}

export function pull(folder: string, options: PullOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const { graphRevision, catalogRevision } = runtime.follower.state
    const pulled = await pulledFrom(runtime)
    const before = await filesThere(folder)
    const lost = before === null ? [] : lostOf(before, pulled)
    if (lost.length > 0) await demandYes(folder, lost, options)
    await mkdir(folder, { recursive: true })
    const written = await writePulled(folder, before, pulled)
    const revisions = { graph: graphRevision, catalog: catalogRevision }
    if (options.json === true) await printJson({ folder, written, lost, revisions })
    else {
      const at = `graph revision ${graphRevision}, catalog revision ${catalogRevision}`
      const what = written.length === 0 ? 'says all of that already' : written.join(', ')
      await print([toned('good', `${folder}: ${what} (${at})`)])
    }
    return exitCodes.yes
  })
}

async function pulledFrom({ folder, follower }: Runtime): Promise<Pulled> {
  const { graph, catalog } = follower.state
  const pin = catalog.callbacks
  const callbacks = folder === null || pin === null ? null : await loadModule(folder, pin)
  if (pin !== null && callbacks === null) {
    const message = `the callback module \`${pin}\` is not here: pull where it is, beside the log`
    throw new Fault('module_missing', message)
  }
  return { graph: graphToFile(graph), catalog: writtenCatalog(catalogToFile(catalog)), callbacks }
}

/**
 * Without what the log alone decides: the version of the rules, the pin of the module, and whether
 * an agent is suspended or on its way. No file lifts a suspension by leaving it out.
 */
function writtenCatalog(file: CatalogFile): object {
  const principals = file.principals.map((entry) => without(entry, ['suspended', 'moving']))
  return { ...without(file, ['rules', 'callbacks', '$schema']), principals }
}

function without(entry: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)))
}

async function filesThere(folder: string): Promise<SeedFiles | null> {
  const isThere = [seedFileNames.graph, seedFileNames.catalog].some((name) => {
    return existsSync(join(folder, name))
  })
  return isThere ? readSeed(folder) : null
}

/** What the folder says and the log does not. */
function lostOf(before: SeedFiles, pulled: Pulled): readonly OnlyInLog[] {
  const { written } = before
  const catalog = without(fileOfSeed(before.catalog), ['rules', 'callbacks', '$schema'])
  const { primitives } = before.graph
  const ofGraph = written.graph === null ? [] : excessOver(primitives, pulled.graph.primitives)
  const ofCatalog = written.catalog === null ? [] : excessOver(catalog, pulled.catalog)
  const source = before.callbacks?.source ?? null
  const isLost = source !== null && source !== pulled.callbacks
  return [
    ...ofGraph.map(({ path, value }) => {
      return { of: 'graph' as const, path: ['primitives', ...path], value }
    }),
    ...ofCatalog.map((excess) => ({ of: 'catalog' as const, ...excess })),
    ...(isLost ? [{ of: 'catalog' as const, path: ['callbacks.ts'], value: 'differs' }] : []),
  ]
}

const shownMax = 20

async function demandYes(
  folder: string,
  lost: readonly OnlyInLog[],
  options: PullOptions,
): Promise<void> {
  if (options.yes === true) return
  const more = lost.length - shownMax
  const lines: readonly Line[] = [
    `${folder} says what the log does not, and it would be lost:`,
    ...lost.slice(0, shownMax).map((one) => `  - ${onlyText(one)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
  const person = personHere()
  if (person === null) {
    await print(lines)
    const how = '`--yes` overwrites them, `warrant apply` brings them into the log'
    throw new Fault('no_terminal', `no one can be asked whether to overwrite files: ${how}`)
  }
  try {
    person.say(lines.map((line) => (typeof line === 'string' ? line : line.text)))
    if (await person.agrees('overwrite these?')) return
  } finally {
    person.close()
  }
  throw new Fault('not_signed', 'nothing was written')
}

async function writePulled(
  folder: string,
  before: SeedFiles | null,
  { graph, catalog, callbacks }: Pulled,
): Promise<readonly string[]> {
  const written: string[] = []
  const write = async (name: string, text: string): Promise<void> => {
    await writeTexts(join(folder, name), [text])
    written.push(name)
  }
  for (const [name, value] of [
    [seedFileNames.graph, graph],
    [seedFileNames.catalog, catalog],
  ] as const) {
    const kind = name === seedFileNames.graph ? 'graph' : 'catalog'
    const $schema = before?.[kind].$schema ?? schemaPlace(folder, kind)
    const file = { $schema, ...value }
    if (!saysAll(before, kind, value)) await write(name, `${jsonLines(file)}\n`)
  }
  const path = join(folder, seedFileNames.callbacks)
  const there = existsSync(path) ? await readFile(path, 'utf8') : null
  if (callbacks !== null && callbacks !== there) await write(seedFileNames.callbacks, callbacks)
  return written
}

/** Whether the file says all that the log has, and nothing else. */
function saysAll(before: SeedFiles | null, kind: 'graph' | 'catalog', value: object): boolean {
  if (before === null || before.written[kind] === null) return false
  const there =
    kind === 'catalog'
      ? writtenCatalog(fileOfSeed(before.catalog))
      : without(before.graph, ['$schema'])
  return excessOver(value, there).length === 0 && excessOver(there, value).length === 0
}
