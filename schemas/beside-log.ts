// What is sent beside the log: hints, which no stream keeps and on which nothing may depend. Each
// goes from one side to another, and a server lets it pass there alone.
import type { tokenTitles } from './kind-entry.ts'

/** Whose side a role is on. Those of one side trust each other more than the others do. */
export type Side = 'agents' | 'workers' | 'people'

interface BesideEntry {
  readonly from: Side
  readonly to: Side
  /** What follows the realm and the kind; `person` is who is asked. */
  readonly tokens: readonly (keyof typeof tokenTitles | 'person')[]
  readonly title: string
}

export type Beside = 'notice' | 'toreview' | 'missed'
export const allBeside: readonly Beside[] = ['notice', 'toreview', 'missed']

export const besideLog: Readonly<Record<Beside, BesideEntry>> = {
  notice: {
    from: 'workers',
    to: 'agents',
    tokens: ['agent', 'session', 'id'],
    title: 'A verdict may be there: its name, as text',
  },
  toreview: {
    from: 'workers',
    to: 'people',
    tokens: ['person', 'agent', 'session', 'id', 'review'],
    title: 'A review that asks this person, its bytes as they are bound',
  },
  missed: {
    from: 'people',
    to: 'workers',
    tokens: ['person'],
    title: 'This person wants all reviews that ask them now, as `toreview`',
  },
}
