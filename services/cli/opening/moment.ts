// How a moment of a log's history is spelled: a position, a revision or a time. A time says how far
// from UTC it is, so that it means the same on every machine.
import { InvalidArgumentError, type Command } from 'commander'
import { z } from 'zod'
import type { Moment } from '#runtime/eras/state-at'

export interface MomentOptions {
  readonly at?: Moment
}

export const momentSpelling =
  'a position, `r12` for a revision, or a time such as 2026-05-01T12:00Z'

export function withMoment(command: Command): Command {
  return command.option('--at <moment>', `as it was then: ${momentSpelling}`, moment)
}

const number = /^(0|[1-9][0-9]{0,14})$/
const Time = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ precision: -1, offset: true }),
  z.iso.date(),
])

/** `17`, `r3`, `2026-05-01` or `2026-05-01T12:00Z`. */
export function moment(text: string): Moment {
  if (number.test(text)) return { at: 'position', position: Number(text) }
  if (text.startsWith('r') && number.test(text.slice(1))) {
    return { at: 'revision', revision: Number(text.slice(1)) }
  }
  const time = Time.safeParse(text)
  if (time.success) return { at: 'time', time: Date.parse(time.data) }
  throw new InvalidArgumentError(`Expected ${momentSpelling}.`)
}
