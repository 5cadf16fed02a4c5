// What agents were shown, and what people were notified of: on the record, and never in the state.
import { routingRefusal } from '../agents.ts'
import type { Slice } from './slice.ts'

export const routingSlice = {
  name: 'routing',
  folds: { routing: routingRefusal, expansion: () => null },
  kept: [],
} as const satisfies Slice

export const outreachSlice = {
  name: 'outreach',
  folds: { notification: () => null },
  kept: [],
} as const satisfies Slice
