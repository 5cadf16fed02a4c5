// The part of the table of kinds that is about reaching people: kinds.ts spreads it in.
import type { KindEntry } from '../kind-entry.ts'

export const outreachKinds = {
  notification: {
    title: 'Whom which channel was to notify about a review, and how that ended',
    tokens: ['notification'],
    boundBy: ['outreach'],
    about: 'job',
  },
} as const satisfies Readonly<Record<string, KindEntry>>
