// Who calls, and how often and for how long at once that principal may ask.
import { buckets, type Rate } from '#serving/buckets'
import { placesOf } from '#serving/places'
import { Refusal } from '#serving/problem'
import { credentialIn, type CredentialsOf } from './credentials.ts'
import type { Caller, Door } from './door.ts'

export interface CallersOf extends CredentialsOf {
  readonly rate: Rate
}

/** Waits and streams that one caller may have open. */
const waitsMax = 32

export function callersBy(of: CallersOf): Pick<Door, 'callerOf' | 'charge' | 'enter' | 'waiting'> {
  const { rate, clock } = of
  const bucket = buckets(rate, clock)
  const takePlace = placesOf(waitsMax)
  const enter = ({ principal }: Pick<Caller, 'principal'>): (() => void) => {
    const leave = takePlace(principal)
    if (leave !== null) return leave
    const what = `\`${principal}\` waits at ${waitsMax} places already`
    throw new Refusal(429, 'caller_busy', what, { retryAfter: 1 })
  }
  const charge = ({ principal }: Pick<Caller, 'principal'>, requests: number): void => {
    const seconds = bucket.take(principal, requests)
    if (seconds === null) return
    const what = `\`${principal}\` sends more than ${rate.perSecond} requests a second`
    throw new Refusal(429, 'caller_busy', what, { retryAfter: seconds })
  }
  return {
    enter,
    charge,
    async callerOf(c) {
      const prove = credentialIn(c, of)
      const { principal, credential } = await prove()
      charge({ principal }, 1)
      return { principal, credential, stillGood: () => stillThat(principal, prove) }
    },
    async waiting(caller, act) {
      const leave = enter(caller)
      try {
        return await act()
      } finally {
        leave()
      }
    },
  }
}

// What was proven for one must not go on as another's.
async function stillThat(principal: string, prove: () => Promise<{ principal: string }>) {
  if ((await prove()).principal === principal) return
  const what = `the credential is not \`${principal}\`’s any more`
  throw new Refusal(403, 'caller_refused', what, { reason: 'identity_unknown' })
}
