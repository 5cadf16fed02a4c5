// Events as they come: the id of each is where the page then is in every log, and it says only what
// it is about. The page asks again for what concerns it, so an event can be lost without harm.
import type { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { readerRefusal } from '#rules/catalog/doors/log-readers'
import { sleeper } from '#serving/sleeper'
import { noteRequest } from '#serving/app'
import { placesOf } from '#serving/places'
import { problemOf, Refusal, requestInvalid } from '#serving/problem'
import { positionsIn } from '#schemas/console/positions'
import type { PageReading } from './broadcast.ts'
import type { AskedByPerson, ConsoleOn } from './console.ts'
import { ofCell, positionsAmong } from './logs.ts'
import { addFor } from './routed.ts'
import { personIdOf } from './people/recognised.ts'

/** So often a stream shows that it lives, and looks whether its session still counts. */
const beatMs = 15_000
/** Streams of one person, and of all. */
const ofOneMax = 8
const streamsMax = 512
/** Of events that came at once, so many are sent in one piece. */
const pieceMax = 256

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
    const after = afterOf(on, c.req.header('last-event-id'))
    const leave = enter(person.id)
    // A proxy that collects what is sent would hold events back.
    c.header('x-accel-buffering', 'no')
    return streamSSE(c, async (stream) => {
      try {
        await streamed(asked, { stream, after })
      } catch (error) {
        noteRequest(on.runtime, error)
        await stream.writeSSE({ event: 'problem', data: JSON.stringify(problemOf(error)) })
      } finally {
        leave()
      }
    })
  })
}

interface Streaming {
  readonly stream: SSEStreamingApi
  /** In each log; null for one that begins now. */
  readonly after: readonly number[] | null
}

async function streamed(
  { on, c, person }: AskedByPerson,
  { stream, after }: Streaming,
): Promise<void> {
  const { broadcast, closing, runtime, sessions } = on
  const gone = new AbortController()
  stream.onAbort(() => gone.abort())
  const signal = AbortSignal.any([closing, gone.signal])
  const hasEnded = (): boolean => signal.aborted
  const signedIn = sessions.signedIn(c)
  const { wake, sleep } = sleeper(runtime.timer)
  const reading = broadcast.read(after, wake)
  signal.addEventListener('abort', wake)
  try {
    await stream.write(`: from here on\nid: ${idOf(on, reading)}\n\n`)
    while (!hasEnded()) {
      await sendSince(stream, on, { reading, person: person.id })
      if (!(await sleep(beatMs))) await stream.write(': it lives\n\n')
      // A session that ended, or a person who was suspended, ends the stream.
      personIdOf(runtime.follower.state.catalog, signedIn.session().who)
    }
  } finally {
    reading.end()
    signal.removeEventListener('abort', wake)
  }
}

interface Reading {
  readonly reading: PageReading
  readonly person: string
}

async function sendSince(
  stream: SSEStreamingApi,
  on: ConsoleOn,
  { reading, person }: Reading,
): Promise<void> {
  // More happened than is kept: all that the page has may be old.
  if (reading.hasMissed()) {
    await stream.writeSSE({ event: 'reset', id: idOf(on, reading), data: '{}' })
  }
  for (let piece = pieceOf(on, { reading, person }); piece !== null;) {
    if (piece !== '') await stream.write(piece)
    piece = pieceOf(on, { reading, person })
  }
}

/** Null where nothing is left. What is of others is passed over, and wakes no page. */
function pieceOf({ runtime, ...on }: ConsoleOn, { reading, person }: Reading): string | null {
  const { follower, clock } = runtime
  const piece: string[] = []
  for (let read = 0; read < pieceMax; read += 1) {
    const news = reading.next()
    if (news === undefined) return read === 0 ? null : piece.join('')
    const { event } = news
    // Who may read the log is asked each time: a stream may outlast that.
    const readsAll = readerRefusal(follower.state.catalog, person) === null
    if (!readsAll && !news.isOf(person, clock.now())) continue
    piece.push(`id: ${idOf(on, reading)}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  return piece.join('')
}

/** It names where the page is in each log. */
function idOf(on: Pick<ConsoleOn, 'logs'>, { at }: PageReading): string {
  return String(positionsAmong(on.logs, (log) => at[on.logs.indexOf(log)] ?? 0))
}

function afterOf(on: ConsoleOn, given: string | undefined): readonly number[] | null {
  if (given === undefined) return null
  const positions = positionsIn(given)
  if (positions === null) {
    throw requestInvalid(400, '`Last-Event-ID` takes what the last event had')
  }
  return on.logs.map((log) => {
    // Of one that is not named, all has to be read again.
    const position = positions.get(ofCell(log).cell) ?? -1
    return Math.min(position, log.runtime.follower.state.position)
  })
}
