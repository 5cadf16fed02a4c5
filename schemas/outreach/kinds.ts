// The part of the table of kinds that is about reaching people: kinds.ts spreads it in.
import type { KindEntry } from '../kind-entry.ts'
import { NotificationData } from './notification.ts'

export const outreachKinds = {
  notification: {
    title: 'Whom which channel was to notify about a review, and how that ended',
    tokens: ['notification'],
    schema: NotificationData,
    boundBy: ['outreach'],
    about: 'job',
  },
} as const satisfies Readonly<Record<string, KindEntry>>
