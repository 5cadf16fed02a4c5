// All slices, in their fixed order: in it they take a fact of another's kind, and in it their parts
// of the state are written. A new one goes where its lines are to stand.
import { attentionSlice } from './attention/attention-slice.ts'
import { drillsSlice } from './attention/drills-slice.ts'
import { budgetsSlice } from './budgets/budgets-slice.ts'
import { executionsSlice } from './executions-slice.ts'
import { grantsSlice } from './grants/grants-slice.ts'
import { learningSlice } from './learning/learning-slice.ts'
import { peopleSlice } from './people/people-slice.ts'
import { revocationsSlice } from './revocations-slice.ts'
import { outreachSlice, routingSlice } from './routing-slice.ts'
import type { Slice } from './slice.ts'
import { stopsSlice } from './stops-slice.ts'
import { usesSlice } from './uses/uses-slice.ts'
import { workSlice } from './work/work-slice.ts'

export const allSlices: readonly Slice[] = [
  usesSlice,
  attentionSlice,
  budgetsSlice,
  learningSlice,
  grantsSlice,
  stopsSlice,
  executionsSlice,
  revocationsSlice,
  workSlice,
  drillsSlice,
  peopleSlice,
  routingSlice,
  outreachSlice,
]

/** Of each kind that is of a slice, what folds it. */
export const slicedFolds = {
  ...usesSlice.folds,
  ...budgetsSlice.folds,
  ...learningSlice.folds,
  ...grantsSlice.folds,
  ...stopsSlice.folds,
  ...executionsSlice.folds,
  ...revocationsSlice.folds,
  ...workSlice.folds,
  ...drillsSlice.folds,
  ...peopleSlice.folds,
  ...routingSlice.folds,
  ...outreachSlice.folds,
} as const
