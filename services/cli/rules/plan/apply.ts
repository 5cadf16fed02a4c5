// Applies a seed folder, or exactly a plan that was made of one: shows it, asks, signs, and says
// which revisions came of it.
import { stat } from 'node:fs/promises'
import { Fault } from '#record/fault'
import type { State } from '#state/state'
import { parsePlan, refuseStalePlan, type PlanFile } from '#authoring/plan/plan-file'
import { bindSeed, seedFolder, talliedSeed } from '#authoring/seed'
import type { SeedReport } from '#authoring/seed'
import type { SeedPlan } from '#authoring/seed-author'
import { checkedCatalog, checkedGraph } from '#authoring/change-check'
import { refuseUnknownCallbacks } from '#authoring/seed-callbacks'
import { callbackModule, type SeedFiles } from '#authoring/seed-files'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import { authorFor } from '../editing/edit.ts'
import { keepHeapLean } from '#cli/terminal/lean-heap'
import { demandAgreement, keyAccess, keyNamed } from '#cli/terminal/signing'
import { inInput, readInput } from '#cli/terminal/opening/input'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { seedLines } from '../seed/print.ts'
import { print, printJson } from '#cli/terminal/terminal'
import type { Line } from '#cli/terminal/line'
import { shownPlan } from './plan.ts'
import { refuseBroken } from '../test/nevers.ts'
import { planLines } from './print.ts'

export interface ApplyOptions extends GlobalOptions, SignerOptions {
  readonly prune?: boolean
  readonly last: number
  readonly note?: string
  /** Of `seed`: works everything out and binds nothing. */
  readonly dryRun?: boolean
}

/** A folder is planned, shown and asked about; a file is a plan that was. */
export async function apply(path: string, options: ApplyOptions): Promise<number> {
  if (await isFolder(path)) return applyFolder(path, options)
  const plan = await inInput(path, async () => {
    const input = await readInput(path, () => false)
    return parsePlan(input.as === 'value' ? input.value : null)
  })
  return applyPlan(path, plan, options)
}

async function isFolder(path: string): Promise<boolean> {
  if (path === '-') return false
  try {
    return !(await stat(path)).isFile()
  } catch (cause) {
    const message = `\`${path}\` is not there: give a seed folder, or the file of a plan`
    throw new Fault('seed_missing', message, { cause })
  }
}

function applyFolder(folder: string, options: ApplyOptions): Promise<number> {
  keepHeapLean()
  const { dryRun } = options
  const create = dryRun === true ? 'in_memory' : 'in_file'
  return withRuntime(options, { create, reads: dryRun === true }, async (runtime) => {
    const isBegun = runtime.follower.state.log !== null
    const report = await appliedFolder(runtime, folder, options)
    await reportApplied(runtime, report, { what: folder, isBegun, options })
    return exitCodes.yes
  })
}

/** Shows what the folder changes, asks, and signs. */
export function appliedFolder(
  runtime: Runtime,
  folder: string,
  options: ApplyOptions,
): Promise<SeedReport> {
  const { as, note, prune, dryRun } = options
  const key = keyNamed(options)
  return seedFolder(runtime, folder, {
    ...(as !== undefined && { as }),
    ...(key !== undefined && { key }),
    ...(dryRun !== undefined && { dryRun }),
    ...(prune !== undefined && { prune }),
    note,
    keys: keyAccess(runtime.folder),
    beforeSigning: (planned) => agreedTo(runtime, folder, planned, options),
  })
}

/** Where the answer is for programs, nothing but it goes to standard output. */
async function agreedTo(
  runtime: Runtime,
  folder: string,
  { author, plan, files }: SeedPlan,
  options: ApplyOptions,
): Promise<void> {
  const shown = await shownPlan(runtime, files, plan, { ...options, what: folder, folder })
  refuseBroken(shown.letting.notKept)
  await shownThenAgreed(planLines(shown), author, options)
}

async function shownThenAgreed(
  lines: readonly Line[],
  as: string,
  options: ApplyOptions,
): Promise<void> {
  const isShown = options.json !== true
  if (isShown) await print(lines)
  const isSeen = isShown && process.stdout.isTTY
  await demandAgreement(options, { lines: isSeen ? [] : lines, as })
}

function applyPlan(file: string, plan: PlanFile, options: ApplyOptions): Promise<number> {
  const { note, last } = options
  const { sets, prune, callbacks: source, folder } = plan
  return withRuntime(options, {}, async (runtime) => {
    await refuseStalePlan(runtime, plan)
    const callbacks = source === null ? null : await moduleOf(file, source)
    const after = await triedPlan(runtime, sets, callbacks)
    const author = await authorFor(runtime, options)
    const planned = { sets, after, onlyInLog: [], stays: [], leftAlone: nothing }
    const shown = await shownPlan(runtime, { callbacks }, planned, { what: file, prune, last })
    if (sets.length > 0) await shownThenAgreed(planLines(shown), author.id, options)
    const changes = await bindSeed(runtime, sets, { source, folder, author, note })
    const tallied = { ...talliedSeed(sets), leftAlone: nothing, onlyInLog: [] }
    const report = { author: author.id, createdKey: null, changes, ...tallied }
    await reportApplied(runtime, report, { what: file, isBegun: true, options })
    return exitCodes.yes
  })
}

const nothing = { primitives: 0, levels: 0, edges: 0 }

function moduleOf(path: string, source: string) {
  return callbackModule({ path, bytes: Buffer.from(source, 'utf8') })
}

/** What it comes to. Throws a Fault where it cannot be applied. */
async function triedPlan(
  runtime: Runtime,
  sets: PlanFile['sets'],
  callbacks: SeedFiles['callbacks'],
): Promise<Pick<State, 'graph' | 'catalog'>> {
  let { graph, catalog } = runtime.follower.state
  for (const set of sets) {
    if (set.kind === 'graph') graph = checkedGraph(graph, set.operations)
    else catalog = checkedCatalog(catalog, set.operations)
  }
  await refuseUnknownCallbacks(runtime, { graph: { primitives: [] }, callbacks }, graph)
  return { graph, catalog }
}

async function reportApplied(
  runtime: Runtime,
  report: SeedReport,
  about: { readonly what: string; readonly isBegun: boolean; readonly options: ApplyOptions },
): Promise<void> {
  const { what, isBegun, options } = about
  const applied = appliedJson(runtime, report)
  const { revisions, log, root } = applied
  const begins = isBegun || log === null ? null : { log, root }
  if (options.json === true) await printJson(applied)
  else await print(seedLines(report, { folder: what, revisions, begins }))
}

/** What came of it, for programs. */
export function appliedJson({ follower }: Pick<Runtime, 'follower'>, report: SeedReport) {
  const { graphRevision, catalogRevision, log, root } = follower.state
  return { ...report, revisions: { graph: graphRevision, catalog: catalogRevision }, log, root }
}
