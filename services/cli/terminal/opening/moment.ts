// A moment of a log's history as an option takes it.
import { InvalidArgumentError, type Command } from 'commander'
import type { Moment } from '#replay/eras/state-at'
import { momentMeant, momentSpelling } from '#operations/finding/moment'

export interface MomentOptions {
  readonly at?: Moment
}

export function withMoment(command: Command): Command {
  return command.option('--at <moment>', `as it was then: ${momentSpelling}`, moment)
}

export function moment(text: string): Moment {
  const found = momentMeant(text)
  if (found !== null) return found
  throw new InvalidArgumentError(`Expected ${momentSpelling}.`)
}
