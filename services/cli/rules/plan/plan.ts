// Shows what applying a seed folder would change, and writes it down to be applied as it is. It
// signs nothing and binds nothing.
import { flawsBrought } from '#authoring/lint/catalog-flaws'
import { driftIn } from '#authoring/plan/drift'
import { planFileOf } from '#authoring/plan/plan-file'
import { plannedSeed, type PlannedSeed } from '#authoring/plan/seed-plan'
import { authorOf } from '#authoring/seed-author'
import { refuseUnknownCallbacks } from '#authoring/seed-callbacks'
import { readSeed, type SeedFiles } from '#authoring/seed-files'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import { keepHeapLean } from '#cli/terminal/lean-heap'
import { keyAccess } from '#cli/terminal/signing'
import { writeTexts } from '#cli/terminal/opening/file'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { toned } from '#cli/terminal/line'
import { letThroughJson } from '../editing/newly-let.ts'
import { lettingOf } from '../test/letting.ts'
import { planLines, type ShownPlan } from './print.ts'
import { previewPlan } from './preview.ts'

interface PlanOptions extends GlobalOptions {
  readonly prune?: boolean
  /** How many of the last intents a preview asks again; 0 for no preview. */
  readonly last: number
  readonly out?: string
  /** Whether it ends with another exit code where there is something to apply. */
  readonly check?: boolean
}

export function plan(folder: string, options: PlanOptions): Promise<number> {
  keepHeapLean()
  const { prune = false, out, check = false } = options
  return withRuntime(options, { create: 'in_memory', reads: true }, async (runtime) => {
    const { state } = runtime.follower
    const files = await readSeed(folder)
    const planned = await plannedHere(runtime, files, prune)
    const shown = await shownPlan(runtime, files, planned, { ...options, what: folder, folder })
    if (out !== undefined) {
      const text = JSON.stringify(planFileOf(state, files, planned, prune), null, 2)
      await writeTexts(out, [`${text}\n`])
    }
    if (options.json === true) await printJson({ ...planJson(shown, files), out: out ?? null })
    else {
      const next = `apply exactly this: warrant apply ${out ?? ''}`
      await print([...planLines(shown), ...(out === undefined ? [] : [toned('dim', next)])])
    }
    const isDifferent = planned.sets.length > 0 || planned.onlyInLog.length > 0
    const isBroken = shown.letting.notKept.some((one) => one.isBroken)
    return isBroken || (check && isDifferent) ? exitCodes.differs : exitCodes.yes
  })
}

/** What the folder's files come to in this log. Throws a Fault where they cannot be applied. */
export async function plannedHere(
  runtime: Runtime,
  files: SeedFiles,
  prune: boolean,
): Promise<PlannedSeed> {
  const { state } = runtime.follower
  const isGenesis = state.catalogRevision === 0
  const keys = keyAccess(runtime.folder)
  // The first catalog holds who signs it.
  const author = isGenesis
    ? await authorOf(runtime, files.catalog, { keys, isGenesis, dryRun: true })
    : null
  const planned = plannedSeed(state, files, { author, prune })
  await refuseUnknownCallbacks(runtime, files, planned.after.graph)
  return planned
}

/** What is shown of a plan before anything is signed. */
export async function shownPlan(
  runtime: Runtime,
  files: Pick<SeedFiles, 'callbacks'>,
  planned: PlannedSeed,
  options: {
    readonly what: string
    readonly prune?: boolean
    readonly last: number
    /** Where the tests are; absent where there are none. */
    readonly folder?: string
  },
): Promise<ShownPlan> {
  const { state } = runtime.follower
  const { graph, catalog, graphRevision, catalogRevision } = state
  return {
    what: options.what,
    before: { graph, catalog, graphRevision, catalogRevision },
    plan: planned,
    onlyInLog: planned.onlyInLog,
    prune: options.prune === true,
    warnings: flawsBrought({ graph, catalog }, planned.after),
    drift: await driftIn(runtime.log, state),
    letting: await lettingOf(runtime, planned.after, {
      folder: options.folder,
      module: files.callbacks,
      isSame: planned.sets.length === 0,
    }),
    preview: await previewPlan(runtime, planned, files, options.last),
  }
}

function planJson(shown: ShownPlan, files: Pick<SeedFiles, 'digest'>): object {
  const { before, plan: planned, onlyInLog, prune, warnings, drift, preview } = shown
  const { graphRevision, catalogRevision } = before
  const revisions = { graph: graphRevision, catalog: catalogRevision }
  const { sets } = planned
  const newly = letThroughJson(shown.letting.letThrough)
  const base = { folder: files.digest, revisions, sets, prune, onlyInLog, warnings, drift }
  return { ...base, letThrough: newly, notKept: shown.letting.notKept, preview }
}
