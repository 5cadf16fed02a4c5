// What a planned change would do today: the last intents, and how many more questions a day people
// would be asked. The folder's own callbacks answer where the log does not have them yet.
import type { PlannedSeed } from '#authoring/plan/seed-plan'
import type { SeedFiles } from '#authoring/seed-files'
import type { Runtime } from '#runtime/engine/runtime'
import type { DerivedOutcome } from '#replay/what-if/outcome'
import type { TodayReport } from '#replay/what-if/today'
import { previewChange } from '../editing/preview-change.ts'
import { servedBy } from '../editing/served-callbacks.ts'
import { withCallbacks } from '#cli/offline/callback-file'

export interface PlanPreview extends TodayReport {
  readonly questions: QuestionLoad
}

/** How many more questions people would be asked, of those that were tried. */
export interface QuestionLoad {
  readonly before: number
  readonly after: number
  /** Negative where there are less; null where too little time passed to say. */
  readonly moreADay: number | null
}

const dayMs = 86_400_000
/** From less it would be a guess. */
const spanMsMin = 3_600_000

/** Null where none is wanted, or nothing would change. */
export function previewPlan(
  runtime: Runtime,
  { after, sets }: PlannedSeed,
  { callbacks: module }: Pick<SeedFiles, 'callbacks'>,
  last: number,
): Promise<PlanPreview | null> {
  if (sets.length === 0) return Promise.resolve(null)
  return withCallbacks(module, async (opened) => {
    const callbacks = servedBy(runtime.callbacks, opened)
    const report = await previewChange({ ...runtime, callbacks }, { after, last })
    return report === null ? null : { ...report, questions: loadOf(report) }
  })
}

// Of what does not flip, as many are asked before as after.
function loadOf({ flips, spanMs }: TodayReport): QuestionLoad {
  const before = askedIn(flips.map((flip) => flip.before))
  const after = askedIn(flips.map((flip) => flip.after))
  const moreADay = spanMs < spanMsMin ? null : ((after - before) * dayMs) / spanMs
  return { before, after, moreADay }
}

function askedIn(outcomes: readonly DerivedOutcome[]): number {
  return outcomes.filter(({ outcome }) => outcome === 'ask').length
}
