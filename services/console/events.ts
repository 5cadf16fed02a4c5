// Events as they come: each has the position of its fact as its id, and says only what it is about.
// The page asks again for what concerns it, so an event can be lost without harm.
import type { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { sleeper } from '#runtime/serving/sleeper'
import { noteRequest } from '#runtime/serving/app'
import { placesOf } from '#runtime/serving/places'
import { problemOf, Refusal, requestInvalid } from '#runtime/serving/problem'
import type { ConsoleEvent } from '#schemas/console/reading'
import type { AskedByPerson, ConsoleOn } from './console.ts'
import { addFor } from './routed.ts'
import { personIdOf } from './people/recognised.ts'

/** So often a stream shows that it lives, and looks whether its session still counts. */
const beatMs = 15_000
/** Streams of one person, and of all. */
const ofOneMax = 8
const streamsMax = 512
/** Of events that came at once, so many are sent in one piece. */
const pieceMax = 256

/** What someone is sent who may not read all of the log: whether a view of theirs has changed. */
const seenByAll: ReadonlySet<string> = new Set(['catalog', 'review', 'decision', 'verdict'])

export function addEventStream(app: Hono, on: ConsoleOn): void {
  const takePlace = placesOf(ofOneMax)
  const enter = (person: string): (() => void) => {
    const leave = on.broadcast.listening() >= streamsMax ? null : takePlace(person)
    if (leave !== null) return leave
    const what = 'as many pages listen as this server sends events to'
    throw new Refusal(429, 'caller_busy', what, { retryAfter: 10 })
  }
  addFor(app, on, 'events', (asked) => {
    const { c, person } = asked
    const after = afterOf(c.req.header('last-event-id'), on.runtime.follower.state.position)
    const leave = enter(person.id)
    // A proxy that collects what is sent would hold events back.
    c.header('x-accel-buffering', 'no')
    return streamSSE(c, async (stream) => {
      try {
        await streamed(on, asked, { stream, after })
      } catch (error) {
        noteRequest(on.runtime, error)
        await stream.writeSSE({ event: 'problem', data: JSON.stringify(problemOf(error)) })
      } finally {
        leave()
      }
    })
  })
}

async function streamed(
  on: ConsoleOn,
  { c, person }: AskedByPerson,
  { stream, after }: { readonly stream: SSEStreamingApi; readonly after: number },
): Promise<void> {
  const { broadcast, closing, runtime, sessions } = on
  const gone = new AbortController()
  stream.onAbort(() => gone.abort())
  const signal = AbortSignal.any([closing, gone.signal])
  const hasEnded = (): boolean => signal.aborted
  const signedIn = sessions.signedIn(c)
  const isAuditor = person.rights.includes('auditor')
  const { wake, sleep } = sleeper(runtime.timer)
  const remove = broadcast.add(wake)
  signal.addEventListener('abort', wake)
  let last = after
  try {
    await stream.write(`: from here on\nid: ${last}\n\n`)
    while (!hasEnded()) {
      last = await sendSince(stream, on, { last, isAuditor })
      if (!(await sleep(beatMs))) await stream.write(': it lives\n\n')
      // A session that ended, or a person who was suspended, ends the stream.
      personIdOf(runtime.follower.state.catalog, signedIn.session().who)
    }
  } finally {
    remove()
    signal.removeEventListener('abort', wake)
  }
}

async function sendSince(
  stream: SSEStreamingApi,
  { broadcast, runtime }: ConsoleOn,
  { last, isAuditor }: { readonly last: number; readonly isAuditor: boolean },
): Promise<number> {
  const events = broadcast.since(last)
  if (events === null) {
    // More happened than is kept: all that the page has may be old.
    const { position } = runtime.follower.state
    await stream.writeSSE({ event: 'reset', id: String(position), data: '{}' })
    return position
  }
  const shown = events.filter(({ kind }) => isAuditor || seenByAll.has(kind))
  for (let from = 0; from < shown.length; from += pieceMax) {
    const piece = shown.slice(from, from + pieceMax).map((event) => textOf(event, isAuditor))
    await stream.write(piece.join(''))
  }
  return events.at(-1)?.position ?? last
}

function textOf(event: ConsoleEvent, isAuditor: boolean): string {
  const { position, kind } = event
  // The names of others’ intents are of the log, which not everyone may read.
  const data = isAuditor ? event : { position, kind, name: '' }
  return `id: ${position}\ndata: ${JSON.stringify(data)}\n\n`
}

function afterOf(given: string | undefined, now: number): number {
  if (given === undefined) return now
  if (!/^[0-9]{1,16}$/.test(given)) {
    throw requestInvalid(400, '`Last-Event-ID` takes a position of the log')
  }
  return Math.min(Number(given), now)
}
