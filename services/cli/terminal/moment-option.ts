// How long something is, as an option.
import { InvalidArgumentError } from 'commander'
import { spanIn } from '#operations/finding/moment'

/** How long it is, in milliseconds, as an option. */
export function spanOption(text: string): number {
  const ms = spanIn(text)
  if (ms === null || ms === 0) throw new InvalidArgumentError('Expected a time such as 24h or 7d.')
  return ms
}
