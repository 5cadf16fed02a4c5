// Binds one change set for the one who called, or only tries it and previews what it would do, and
// says what became of it.
import type { Flaw } from '#authoring/lint/flaw'
import { Fault } from '#record/fault'
import { change, type KeyAuthor } from '#authoring/change'
import { type Change, operationsOf, tried, type Operations } from '#authoring/change-check'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { changeIn, refuseMoved, type ChangeKind, type Moved } from '#authoring/moved'
import type { Runtime } from '#runtime/engine/runtime'
import { refuseUnknownCallbacks } from '#authoring/seed-callbacks'
import type { EditOptions } from './edit-options.ts'
import { exitCodes } from '#schemas/faults/exit'
import { print, printJson } from '#cli/terminal/terminal'
import { dryRunLines } from './flips-text.ts'
import { boundLines, toBindLines, triedLines, movedLines } from './change-text.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { previewSets } from './preview-change.ts'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { warningLines, warningsOf } from './warnings.ts'
import { bindSets } from '#authoring/bind-sets'
import { withProgress } from '#cli/terminal/progress'
import { type Line, toned } from '#cli/terminal/line'
import { inInput, inputName } from '#cli/terminal/opening/input'
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { counted } from '#present/wording'
import { operationLines } from '#operations/proposals/operation-lines'

/** One command, one change set, one revision. */
export function edit(options: EditOptions, wanted: Change): Promise<number> {
  return withRuntime(options, { reads: options.dryRun === true }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    if (options.dryRun === true) return tryOut(runtime, wanted, options)
    await refuseForeignCallbacks(runtime, operationsOf(runtime.follower.state, wanted))
    const author = await authorFor(runtime, options)
    const made = tried(runtime.follower.state, wanted)
    const warnings = warningsOf(runtime.follower.state, [made])
    const lines = [...toBindLines(wanted.kind, made.operations), ...warningLines(warnings)]
    await demandAgreement(options, { lines, as: author.id })
    const { name, revision, moved = [] } = await change(runtime, wanted, author, options)
    const fact = await runtime.log.get(name)
    const said = fact === undefined ? null : changeIn(wanted.kind, fact)
    const operations = said?.operations ?? []
    const bound = { kind: wanted.kind, revision, by: author.id, operations, moved }
    if (options.json === true)
      await printJson({ name, ...bound, ...reportedOf(wanted, warnings), dryRun: false })
    else await print([...boundLines(bound), ...warningLines(warnings)])
    return exitCodes.yes
  })
}

/** Few changes of the graph bring in any. */
function reportedOf({ kind }: Change, warnings: readonly Flaw[]): object {
  return kind === 'catalog' || warnings.length > 0 ? { warnings } : {}
}

/** Who signs what changes the graph or the catalog. */
export async function authorFor(runtime: Runtime, options: EditOptions): Promise<KeyAuthor> {
  return findPolicyAdmin(signerChoice(runtime, options))
}

/** The first catalog names who may sign, so it is no edit. */
export function refuseWithoutCatalog({ follower }: Pick<Runtime, 'follower'>): void {
  if (follower.state.catalogRevision > 0) return
  const how = "begin with 'warrant init', or import one with 'warrant apply FOLDER'"
  throw new Fault('no_catalog', `this log has no catalog yet, so no one may sign: ${how}`)
}

async function tryOut(runtime: Runtime, wanted: Change, options: EditOptions): Promise<number> {
  const { kind } = wanted
  if (options.base !== undefined) await refuseMoved(runtime, kind, options.base)
  const made = operationsOf(runtime.follower.state, wanted)
  const { operations } = made
  const refused = await refusalOf(runtime, made)
  const preview = refused === null ? await previewSets(runtime, [made], options.last) : null
  const warnings = refused === null ? warningsOf(runtime.follower.state, [made]) : []
  if (options.json === true) {
    const why = refused === null ? null : { code: refused.code, message: refused.message }
    const report = { kind, revision: null, operations, dryRun: true, refused: why }
    await printJson({ ...report, ...reportedOf(wanted, warnings), preview })
  } else {
    const lines = triedLines(kind, operations, refused?.message ?? null)
    await print([...lines, ...warningLines(warnings), ...dryRunLines(preview)])
  }
  return refused === null ? exitCodes.yes : exitCodes.fault
}

async function refusalOf(runtime: Runtime, made: Operations): Promise<Fault | null> {
  try {
    tried(runtime.follower.state, made)
    await refuseForeignCallbacks(runtime, made)
    return null
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** A policy that calls what no module has would refuse every call, and only when one is made. */
async function refuseForeignCallbacks(runtime: Runtime, made: Operations): Promise<void> {
  if (made.kind !== 'graph') return
  const primitives = made.operations.flatMap((operation) => {
    if (operation.op !== 'relate') return []
    const { name, level, relatum } = operation
    return [{ name, depths: [{ level, properties: {}, relata: [relatum] }] }]
  })
  const { graph } = runtime.follower.state
  await refuseUnknownCallbacks(runtime, { graph: { primitives }, callbacks: null }, graph)
}

// Brings a file into the graph or the catalog and says which revisions came of it.

export interface ImportCommandOptions extends EditOptions {
  /** Whether what the file lacks is taken away. */
  readonly exact?: boolean
}

interface Planned<Each extends Operations> extends Pick<ImportReport, 'leftAlone'> {
  readonly sets: readonly Each[]
}

interface Importing<Each extends Operations> {
  readonly kind: ChangeKind
  /** `by` is who will sign; null for a dry run. A fault of it names the file. */
  readonly plan: (runtime: Runtime, by: string | null) => Planned<Each> | Promise<Planned<Each>>
  /** What a dry run shows of the change sets. */
  readonly shown: (sets: readonly Each[]) => readonly Line[]
}

/** One file, as many change sets as it takes. */
export function importFile<Each extends Operations>(
  file: string,
  options: ImportCommandOptions,
  { kind, plan, shown }: Importing<Each>,
): Promise<number> {
  const { base, dryRun = false } = options
  return withRuntime(options, { reads: dryRun }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    if (base !== undefined) await refuseMoved(runtime, kind, base)
    const author = dryRun ? null : await authorFor(runtime, options)
    const by = author?.id ?? null
    const { sets, leftAlone } = await inInput(file, () => plan(runtime, by))
    const warnings = warningsOf(runtime.follower.state, sets)
    if (author !== null) {
      const lines = [...toSignLines(inputName(file), sets), ...warningLines(warnings)]
      await demandAgreement(options, { lines, as: author.id })
    }
    const done =
      author === null
        ? null
        : await withProgress((onProgress) => {
            return bindSets(runtime, sets, { ...options, author, onProgress })
          })
    const preview = dryRun ? await previewSets(runtime, sets, options.last) : null
    const report = {
      kind,
      dryRun,
      by,
      revisions: done?.revisions ?? [],
      operations: tallied(sets),
      sets: sets.length,
      leftAlone,
      moved: done?.moved ?? [],
    }
    if (options.json === true)
      await printJson({
        ...report,
        ...((kind === 'catalog' || warnings.length > 0) && { warnings }),
        preview,
      })
    else {
      const would = dryRun ? [...shown(sets), ...dryRunLines(preview)] : []
      const lines = [...importLines(report, inputName(file)), ...warningLines(warnings)]
      await print([...lines, ...would])
    }
    return exitCodes.yes
  })
}

// What an import changed, for people.

interface ImportReport {
  readonly kind: ChangeKind
  readonly dryRun: boolean
  readonly by: string | null
  /** As they were bound; none for a dry run. */
  readonly revisions: readonly number[]
  /** How many change sets it takes. */
  readonly sets: number
  /** How many operations of each sort. */
  readonly operations: Readonly<Record<string, number>>
  /** By nouns in the plural. */
  readonly leftAlone: Readonly<Record<string, number>>
  readonly moved: readonly Moved[]
}

function importLines(report: ImportReport, file: string): readonly Line[] {
  const { by, operations, leftAlone, revisions, moved } = report
  const words = Object.entries(operations).map(([word, count]) => `${word} ${count}`)
  const left = Object.entries(leftAlone)
    .filter(([, count]) => count > 0)
    .map(([nouns, count]) => counted(count, nouns.slice(0, -1)))
  return [
    headline(report, file),
    ...(words.length === 0 ? [] : [`  ${words.join(', ')}`]),
    ...(left.length === 0
      ? []
      : [toned('dim', `  left alone, since only the log has them: ${left.join(', ')}`)]),
    ...(by === null || revisions.length === 0 ? [] : [toned('dim', `  signed by ${by}`)]),
    ...movedLines(moved, revisions.at(-1) ?? 0),
  ]
}

function headline({ kind, dryRun, revisions, sets }: ImportReport, file: string): Line {
  if (sets === 0) return `up to date: the ${kind} has everything in ${file}`
  const count = counted(sets, 'change set')
  if (dryRun) {
    return toned('warn', `${file} would change the ${kind} as ${count}; nothing was changed`)
  }
  const [first = 0] = revisions
  const last = revisions.at(-1) ?? first
  const which = first === last ? `revision ${first}` : `revisions ${first} to ${last}`
  const why = sets === 1 ? '' : `, as ${count} (256 KiB each at most)`
  return toned('good', `${file} is in the ${kind}: ${which}${why}`)
}

/** What is about to be signed. */
function toSignLines(
  file: string,
  sets: readonly { readonly operations: readonly (GraphOperation | CatalogOperation)[] }[],
): readonly Line[] {
  const all = sets.flatMap(({ operations }) => operations)
  return [`${file}, as ${counted(sets.length, 'change set')}:`, ...operationLines(all)]
}

/** How many of each sort; entries of a catalog by what they are. */
function tallied(
  sets: readonly { readonly operations: readonly (GraphOperation | CatalogOperation)[] }[],
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { operations } of sets) {
    for (const operation of operations) {
      const word = wordOf(operation)
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return Object.fromEntries(counts)
}

function wordOf(operation: GraphOperation | CatalogOperation): string {
  if (operation.op === 'set') return `set ${operation.key}`
  return 'collection' in operation ? `${operation.op} ${operation.collection}` : operation.op
}
