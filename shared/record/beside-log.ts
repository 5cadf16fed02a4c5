// What is sent beside the log: hints, which no stream keeps and on which nothing may depend. Each
// goes from one side to another, and a server lets it pass there alone.
import type { tokenTitles } from '#schemas/kind-entry'

/** Whose side a role is on. Those of one side trust each other more than the others do. */
export type Side = 'agents' | 'workers' | 'people'

interface BesideEntry {
  readonly title: string
  /** The first is of the one whom it is about. */
  readonly tokens: readonly (keyof typeof tokenTitles)[]
  readonly from: Side
  readonly to: Side
}

export type Beside = 'notice' | 'toreview' | 'missed'
export const allBeside: readonly Beside[] = ['notice', 'toreview', 'missed']

const intent = ['agent', 'session', 'id'] as const

export const besideLog: Readonly<Record<Beside, BesideEntry>> = {
  notice: {
    title: 'A verdict may be there: its name',
    tokens: intent,
    from: 'workers',
    to: 'agents',
  },
  toreview: {
    title: 'A review that asks this person, its bytes as they are bound',
    tokens: ['confirmer', ...intent, 'review'],
    from: 'workers',
    to: 'people',
  },
  missed: {
    title: 'This person wants all reviews that ask them now, as `toreview`',
    tokens: ['confirmer'],
    from: 'people',
    to: 'workers',
  },
}
