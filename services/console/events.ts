// Events as they come: the id of each is where the page then is in every log, and it says only what
// it is about. The page asks again for what concerns it, so an event can be lost without harm.
import type { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
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

/** What someone is sent who may not read all of the log: whether a view of theirs has changed. */
const seenByAll: ReadonlySet<string> = new Set([
  'catalog',
  'review',
  'decision',
  'verdict',
  'handover',
  'absence',
])

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
  const isAuditor = person.rights.includes('auditor')
  const { wake, sleep } = sleeper(runtime.timer)
  const reading = broadcast.read(after, wake)
  signal.addEventListener('abort', wake)
  try {
    await stream.write(`: from here on\nid: ${idOf(on, reading)}\n\n`)
    while (!hasEnded()) {
      await sendSince(stream, on, { reading, isAuditor })
      if (!(await sleep(beatMs))) await stream.write(': it lives\n\n')
      // A session that ended, or a person who was suspended, ends the stream.
      personIdOf(runtime.follower.state.catalog, signedIn.session().who)
    }
  } finally {
    reading.end()
    signal.removeEventListener('abort', wake)
  }
}

async function sendSince(
  stream: SSEStreamingApi,
  on: ConsoleOn,
  { reading, isAuditor }: { readonly reading: PageReading; readonly isAuditor: boolean },
): Promise<void> {
  // More happened than is kept: all that the page has may be old.
  if (reading.hasMissed()) {
    await stream.writeSSE({ event: 'reset', id: idOf(on, reading), data: '{}' })
  }
  for (let piece = pieceOf(on, reading, isAuditor); piece !== '';) {
    await stream.write(piece)
    piece = pieceOf(on, reading, isAuditor)
  }
}

/** Empty where there is nothing to send. */
function pieceOf(on: ConsoleOn, reading: PageReading, isAuditor: boolean): string {
  const piece: string[] = []
  while (piece.length < pieceMax) {
    const event = reading.next()
    if (event === undefined) break
    const { name: _, intent: __, ...bare } = event
    // The names of others’ intents are of the log, which not everyone may read.
    const data = isAuditor ? event : { ...bare, name: '' }
    if (!isAuditor && !seenByAll.has(event.kind)) continue
    piece.push(`id: ${idOf(on, reading)}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  return piece.join('')
}

/** It names where the page is in each log. */
function idOf(on: ConsoleOn, { at }: PageReading): string {
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
