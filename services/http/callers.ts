// Who calls: a bearer token that is bound to a principal, and how often and for how long at once
// that principal may ask.
import type { Context } from 'hono'
import type { Clock } from '#ports/clock'
import { buckets, type Rate } from '#runtime/serving/buckets'
import { Refusal } from '#runtime/serving/problem'
import { tokenRefusal, type TokenBook } from '#runtime/serving/token-file'
import type { Caller, Door } from './door.ts'

export interface CallersOf {
  readonly tokens: TokenBook
  readonly rate: Rate
  readonly clock: Clock
}

/** Waits and streams that one caller may have open. */
const waitsMax = 32
const scheme = /^Bearer +(?<token>[A-Za-z0-9._~+/-]+=*)$/i

export function callersBy({
  tokens,
  rate,
  clock,
}: CallersOf): Pick<Door, 'callerOf' | 'charge' | 'enter' | 'waiting'> {
  const bucket = buckets(rate, clock)
  const waits = new Map<string, number>()
  const enter = ({ principal }: Pick<Caller, 'principal'>): (() => void) => {
    const open = waits.get(principal) ?? 0
    if (open >= waitsMax) {
      const what = `\`${principal}\` waits at ${waitsMax} places already`
      throw new Refusal(429, 'caller_busy', what, { retryAfter: 1 })
    }
    waits.set(principal, open + 1)
    return () => {
      const left = (waits.get(principal) ?? 1) - 1
      if (left === 0) waits.delete(principal)
      else waits.set(principal, left)
    }
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
      const token = tokenOf(c)
      const { principal, id } = await entryFor(tokens, clock, token)
      charge({ principal }, 1)
      const stillGood = async (): Promise<void> => void (await entryFor(tokens, clock, token))
      return { principal, credential: id, stillGood }
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

function tokenOf(c: Context): string {
  const token = scheme.exec(c.req.header('authorization') ?? '')?.groups?.['token']
  if (token !== undefined) return token
  throw refusedCaller(
    'token_missing',
    'send the token of a principal as bearer: `warrant tokens create` makes one',
  )
}

async function entryFor(tokens: TokenBook, clock: Clock, token: string) {
  const entry = await tokens.find(token)
  if (entry === null) throw refusedCaller('token_unknown', 'this server has no such token')
  const why = tokenRefusal(entry, clock.now())
  if (why === null) return entry
  const what = why === 'token_revoked' ? 'was taken back' : 'has expired'
  throw refusedCaller(why, `the token \`${entry.id}\` ${what}`)
}

function refusedCaller(reason: string, what: string): Refusal {
  return new Refusal(401, 'caller_refused', what, { reason })
}
