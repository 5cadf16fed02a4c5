// The challenges that this server gave out and that no one has answered: each counts once, and for
// two minutes.
import { randomBytes } from 'node:crypto'
import type { Clock } from '#ports/clock'

export interface Challenges {
  /** A new one, as base64url. */
  give(): string
  /** Whether it was given and is still good; it is not any more then. */
  take(challenge: string): boolean
}

export const challengeMsMax = 120_000
/** Of more, the oldest count no more. */
const keptMax = 4_096

export function challenges(clock: Clock): Challenges {
  const given = new Map<string, number>()
  return {
    give() {
      const now = clock.now()
      for (const [challenge, until] of given) {
        if (now < until && given.size < keptMax) break
        given.delete(challenge)
      }
      const challenge = randomBytes(32).toString('base64url')
      given.set(challenge, now + challengeMsMax)
      return challenge
    },
    take(challenge) {
      const until = given.get(challenge)
      given.delete(challenge)
      return until !== undefined && clock.now() < until
    },
  }
}
