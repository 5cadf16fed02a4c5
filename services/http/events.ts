// The verdicts on a caller's own intents as they come, and those since a position that the caller
// has seen: the ids of events are positions of the log, so nothing is lost over a broken line.
import type { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { patternsOf, token } from '#record/names'
import { countsAt } from '#state/eras'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { sleeper } from '#serving/sleeper'
import { noteRequest } from '#serving/app'
import { problemOf, requestInvalid } from '#serving/problem'
import { verdictOf, type Verdict } from '#replay/verdicts/verdict'
import type { DoorAgent } from '#client/doors/door-agent'
import { decidedAnswer } from './answers.ts'
import type { Caller, Door } from './door.ts'
import { addRoute } from './routed.ts'

/** So often a stream shows that it lives, and looks whether its token still counts. */
const beatMs = 15_000

/** Wakes streams when a verdict on an intent of their agent was folded. */
interface Notifier {
  /** Rings for that agent until it is taken away. */
  add(agent: string, ring: () => void): () => void
}

export function addEvents(app: Hono, door: Door): void {
  const { runtime } = door
  const notifier = notifierOn(runtime)
  door.closing.addEventListener('abort', () => notifier.stop())
  addRoute(app, 'events', async (c) => {
    const caller = await door.callerOf(c)
    const agent = door.agentFor(caller)
    const after = afterOf(c.req.header('last-event-id'), runtime.follower.state.position)
    const leave = door.enter(caller)
    return streamSSE(c, async (stream) => {
      try {
        await streamed({ door, notifier, caller, agent }, stream, after)
      } catch (error) {
        noteRequest(runtime, error)
        await stream.writeSSE({ event: 'problem', data: JSON.stringify(problemOf(error)) })
      } finally {
        leave()
      }
    })
  })
}

interface Streaming {
  readonly door: Door
  readonly notifier: Notifier
  readonly caller: Caller
  readonly agent: DoorAgent
}

async function streamed(
  { door, notifier, caller, agent }: Streaming,
  stream: SSEStreamingApi,
  after: number,
): Promise<void> {
  const { runtime, closing } = door
  const signal = AbortSignal.any([closing, abortedWith(stream)])
  const hasEnded = (): boolean => signal.aborted
  const { wake, sleep } = sleeper(runtime.timer)
  const remove = notifier.add(token(caller.principal), wake)
  signal.addEventListener('abort', wake)
  let last = after
  try {
    // Its id alone: who is cut off before the first event goes on from here, and misses none.
    await stream.write(`: from here on\nid: ${after}\n\n`)
    while (!hasEnded()) {
      last = await sendSince({ runtime, caller, agent }, stream, last)
      const isWoken = await sleep(beatMs)
      // A token that was taken back, or an agent that was suspended, ends the stream.
      await caller.stillGood()
      door.agentFor(caller)
      if (!isWoken) await stream.write(': it lives\n\n')
    }
  } finally {
    remove()
    signal.removeEventListener('abort', wake)
  }
}

async function sendSince(
  { runtime, caller, agent }: Pick<Streaming, 'caller' | 'agent'> & { readonly runtime: Runtime },
  stream: SSEStreamingApi,
  after: number,
): Promise<number> {
  const { state } = runtime.follower
  const to = state.position
  if (to <= after) return after
  for await (const fact of verdictsIn(runtime, token(caller.principal), { from: after + 1, to })) {
    const verdict = await soundIn(runtime, agent, fact)
    const request = verdict === null ? null : await agent.requested(verdict.intent)
    if (verdict === null || request === null) continue
    const data = JSON.stringify(decidedAnswer(verdict, request.tool))
    await stream.writeSSE({ event: 'verdict', id: String(fact.position), data })
  }
  return to
}

/** Null where it is void, or no stage would have bound it. */
async function soundIn(
  { log, logger }: Runtime,
  agent: DoorAgent,
  fact: Fact,
): Promise<Verdict | null> {
  try {
    return await agent.sound(await verdictOf(log, fact))
  } catch (error) {
    logger.warn({ verdict: fact.name, error }, 'a verdict is not shown')
    return null
  }
}

async function* verdictsIn(
  { log, follower }: Runtime,
  agent: string,
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<Fact> {
  const { state } = follower
  const patterns = patternsOf(state.place, 'verdict', agent, '*', '*')
  for await (const fact of log.read(range, patterns)) if (countsAt(state, fact)) yield fact
}

function notifierOn({ follower }: Runtime): Notifier & { stop(): void } {
  const rings = new Map<string, Set<() => void>>()
  const stop = follower.listen((_fact, { parts, void: why }) => {
    if (parts?.kind !== 'verdict' || why !== null) return
    for (const ring of rings.get(parts.tokens[0] ?? '') ?? []) ring()
  })
  return {
    stop,
    add(agent, ring) {
      const all = rings.get(agent) ?? new Set()
      rings.set(agent, all.add(ring))
      return () => {
        all.delete(ring)
        if (all.size === 0 && rings.get(agent) === all) rings.delete(agent)
      }
    },
  }
}

function abortedWith(stream: SSEStreamingApi): AbortSignal {
  const controller = new AbortController()
  stream.onAbort(() => controller.abort())
  return controller.signal
}

function afterOf(given: string | undefined, now: number): number {
  if (given === undefined) return now
  if (!/^[0-9]{1,16}$/.test(given)) {
    throw requestInvalid(400, '`Last-Event-ID` takes a position of the log')
  }
  return Math.min(Number(given), now)
}
