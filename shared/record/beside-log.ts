// What is sent beside the log: hints, which no stream keeps and on which nothing may depend. Each
// goes from one side to another, and a server lets it pass there alone.

/** Whose side a role is on. Those of one side trust each other more than the others do. */
export type Side = 'agents' | 'workers' | 'people'

interface BesideEntry {
  readonly from: Side
  readonly to: Side
}

export type Beside = 'notice' | 'toreview' | 'missed'
export const allBeside: readonly Beside[] = ['notice', 'toreview', 'missed']

export const besideLog: Readonly<Record<Beside, BesideEntry>> = {
  /** A verdict may be there: its name. */
  notice: { from: 'workers', to: 'agents' },
  /** A review that asks this person: its bytes as they are bound. */
  toreview: { from: 'workers', to: 'people' },
  /** This person wants all reviews that ask them now, as `toreview`. */
  missed: { from: 'people', to: 'workers' },
}
