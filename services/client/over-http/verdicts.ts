// The verdicts on an agent's own intents as they come, for a program that waits for many: one
// stream, which goes on where it was cut off and leaves none out.
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import type { Verdict } from '#replay/verdicts/verdict'
import { eventsOf } from './event-stream.ts'
import { DecidedEvent, verdictFrom } from './reading.ts'
import { faultIn, readAs, type HttpServer } from './server.ts'

export interface VerdictsOptions {
  /** The position in the log after which to begin, such as of the last one seen; now if absent. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/** The server shows every 15 seconds that it lives. */
const silentMsMax = 45_000
const pauseMsMin = 200
const pauseMsMax = 5_000
/** After so many tries in a row without a line it gives up. */
const triesMax = 20

/** Throws what the server refuses, and a Fault `server_unreachable` where it stays away. */
export async function* verdictsAt(
  server: HttpServer,
  { after, signal }: VerdictsOptions = {},
): AsyncGenerator<Verdict, void, void> {
  let last = after === undefined ? null : String(after)
  let pauseMs = pauseMsMin
  for (let tries = 1; ; tries += 1) {
    try {
      const path = '/v1/events'
      const headers = () => (last === null ? {} : { 'last-event-id': last })
      const response = await server.open({ method: 'GET', path, headers, signal })
      const onId = (id: string): void => void (last = id)
      for await (const { event, data } of eventsOf(response, { silentMsMax, onId })) {
        const body = parseJson(data)
        if (event === 'problem') throw faultIn(body)
        tries = 0
        pauseMs = pauseMsMin
        const decided = readAs(DecidedEvent, { status: 200, headers: response.headers, body })
        yield verdictFrom(decided)
      }
    } catch (error) {
      signal?.throwIfAborted()
      const isLost = !(error instanceof Fault) || error.retry === 'soon'
      if (!isLost || tries >= triesMax) throw error
    }
    signal?.throwIfAborted()
    await sleep(pauseMs, undefined, { ...(signal !== undefined && { signal }) })
    pauseMs = Math.min(pauseMs * 2, pauseMsMax)
  }
}
