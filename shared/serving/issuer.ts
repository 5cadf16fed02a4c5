// An issuer of OpenID Connect as a server sees it: found when it is needed, asked again from time
// to time, since keys are replaced, and missed without harm to anything else. What it signed is
// refused once its keys are not known any more.
import { foundIssuer, type ClientAt, type FoundIssuer } from './oidc/issuer-client.ts'
import { SignedTokenError } from './oidc/signed-tokens.ts'
import type { Clock } from '#ports/clock'
import type { Logger } from '#runtime/reporting/logger'
import { Refusal } from './problem.ts'

export interface IssuerOf {
  /** Its identifier, as its tokens say it. */
  readonly url: string
  readonly client: ClientAt
  readonly clock: Clock
  readonly logger: Logger
}

export interface TokenFor {
  readonly audience: string
  readonly types: readonly string[]
}

export interface LoginIssuer {
  readonly url: string
  /** The subject. Throws a Refusal: 401 `caller_refused`, 503 `issuer_unreachable`. */
  verified(token: string, expected: TokenFor): Promise<string>
  /** As it answers now. Throws a Refusal 503 `issuer_unreachable`. */
  found(): Promise<FoundIssuer>
  /** Whether it answered when it was last asked; asks again where that is due. */
  state(): 'reachable' | 'unreachable' | 'unknown'
}

/** After this its keys are asked for again, beside the request that brings it up. */
const freshMsMax = 5 * 60_000
/** After this they count no more. */
const keptMsMax = 60 * 60_000
/** A key that is not known has them asked for again, and no more often than this. */
const againMsMin = 10_000
const pauseMsMin = 1_000
const pauseMsMax = 60_000

interface Known {
  readonly found: FoundIssuer
  readonly at: number
}

export function issuerOf({ url, client, clock, logger }: IssuerOf): LoginIssuer {
  let known: Known | null = null
  let loading: Promise<Known> | null = null
  let failures = 0
  let retryAt = 0

  const load = async (): Promise<Known> => {
    try {
      known = { found: await foundIssuer(url, client), at: clock.now() }
      if (failures > 0) logger.info({ issuer: url }, 'issuer answers again')
      failures = 0
      return known
    } catch (error) {
      const pauseMs = Math.min(pauseMsMax, pauseMsMin * 2 ** Math.min(failures, 10))
      failures += 1
      retryAt = clock.now() + pauseMs
      logger.warn({ issuer: url, why: firstCause(error), pauseMs }, 'issuer out of reach')
      throw issuerSilent(pauseMs)
    } finally {
      loading = null
    }
  }
  const loaded = (): Promise<Known> => {
    const waitMs = failures === 0 ? 0 : retryAt - clock.now()
    if (loading === null && waitMs > 0) return Promise.reject(issuerSilent(waitMs))
    loading ??= load()
    return loading
  }
  const current = async (): Promise<Known> => {
    const age = known === null ? Infinity : clock.now() - known.at
    if (known === null || age >= keptMsMax) return loaded()
    // What is known serves until then.
    if (age >= freshMsMax) loaded().catch(() => undefined)
    return known
  }
  const verified = async (token: string, expected: TokenFor): Promise<string> => {
    const by = await current()
    const how = { ...expected, issuer: url, now: clock.now() }
    try {
      return await by.found.keys.verified(token, how)
    } catch (error) {
      const isNew = error instanceof SignedTokenError && error.problem === 'key_unknown'
      if (!isNew || clock.now() - by.at < againMsMin) throw error
      return (await loaded()).found.keys.verified(token, how)
    }
  }
  return {
    url,
    found: async () => (await current()).found,
    state() {
      current().catch(() => undefined)
      if (failures > 0) return 'unreachable'
      return known === null ? 'unknown' : 'reachable'
    },
    async verified(token, expected) {
      try {
        return await verified(token, expected)
      } catch (error) {
        if (error instanceof SignedTokenError) throw refusedToken(error)
        throw error
      }
    },
  }
}

function refusedToken({ problem, message }: SignedTokenError): Refusal {
  const reason = problem === 'token_expired' ? problem : 'token_invalid'
  return new Refusal(401, 'caller_refused', `the token of the issuer: ${message}`, { reason })
}

/** That it did not answer, and after how long to ask again. */
export function issuerSilent(waitMs: number): Refusal {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000))
  const what = 'the issuer that vouches for callers does not answer'
  return new Refusal(503, 'issuer_unreachable', what, { retryAfter })
}

const causesMax = 8

/** What began it: a library wraps it several times. */
function firstCause(error: unknown): string {
  let first = error
  for (let depth = 0; depth < causesMax; depth += 1) {
    if (!(first instanceof Error) || !(first.cause instanceof Error)) break
    first = first.cause
  }
  return first instanceof Error ? first.message : 'unknown'
}
