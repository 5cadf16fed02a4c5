// What the log that the options mean knew at a moment, without running anything or folding more of
// it than that takes.
import type { Log } from '#ports/log'
import type { Place } from '#record/names'
import { stateAt, type KnownAt, type Moment, type Revised } from '#replay/eras/state-at'
import type { GlobalOptions } from './options.ts'
import { rootKeyFor, withOneLog } from './opened.ts'

export interface LogPast {
  readonly log: Log
  readonly place: Place
  readonly knownAt: (moment: Moment | undefined) => Promise<KnownAt>
}

/** `of`: whose revisions a moment may name. */
export function looking<T>(
  options: GlobalOptions,
  of: Revised,
  use: (looking: LogPast) => Promise<T>,
): Promise<T> {
  // All cells share graph and catalog: where there are several, the control log is looked at.
  return withOneLog(options, (log, place) => {
    const history = { log, realm: place.realm, rootKey: rootKeyFor(options) }
    return use({ log, place, knownAt: (moment) => stateAt(history, moment ?? { at: 'end' }, of) })
  })
}
