// What happens in the log, as it happens. Each event only says where: what concerns a view is
// fetched again by it.
import { effect, signal } from '@preact/signals'
import { parseJson } from '#record/json'
import { person, readSession } from './session.ts'

export interface LogEvent {
  readonly position: number
  readonly kind: string
  readonly intent?: string
  readonly cell?: number
}

export const connection = signal<'live' | 'waiting' | 'offline'>('waiting')

type Listener = (event: LogEvent | null) => void
const listeners = new Set<Listener>()

/** Is called with each event, and with null when events may have been missed. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Events that come together are answered once, so long after the last of them. */
export function onGathered(
  gatherMs: number,
  act: () => unknown,
  isMeant: (event: LogEvent | null) => boolean = () => true,
): () => void {
  let waiting: number | undefined
  const stop = onEvent((event) => {
    if (!isMeant(event)) return
    window.clearTimeout(waiting)
    waiting = window.setTimeout(act, gatherMs)
  })
  return () => {
    window.clearTimeout(waiting)
    stop()
  }
}

function spread(event: LogEvent | null): void {
  for (const listener of listeners) listener(event)
}

let source: EventSource | null = null
let hadToWait = false
const retryMs = 3_000

function open(): void {
  // A new one begins with now: what came since the last one was cut off is not sent.
  if (source !== null) hadToWait = true
  source?.close()
  source = new EventSource('/console/api/events')
  source.addEventListener('open', () => {
    connection.value = 'live'
    if (hadToWait) spread(null)
    hadToWait = false
  })
  source.addEventListener('message', ({ data }) => {
    const event = eventOf(String(data))
    if (event !== null) spread(event)
  })
  source.addEventListener('reset', () => spread(null))
  source.addEventListener('error', () => {
    hadToWait = true
    connection.value = navigator.onLine ? 'waiting' : 'offline'
    // A browser gives up after an answer that is not a stream; the session may have ended.
    const hasGivenUp = source?.readyState === EventSource.CLOSED
    if (hasGivenUp) window.setTimeout(() => void reopen(), retryMs)
  })
}

async function reopen(): Promise<void> {
  if (source === null) return
  await readSession()
  if (person.value !== null) open()
}

function eventOf(text: string): LogEvent | null {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const absent = { position: null, kind: null, intent: null, cell: null }
  const { position, kind, intent, cell } = { ...absent, ...value }
  if (typeof position !== 'number' || typeof kind !== 'string') return null
  return {
    position,
    kind,
    ...(typeof intent === 'string' && { intent }),
    ...(typeof cell === 'number' && { cell }),
  }
}

/** Listens while someone is signed in. */
export function startLive(): void {
  let wasSignedIn = false
  effect(() => {
    const isSignedIn = person.value !== null
    if (isSignedIn === wasSignedIn) return
    wasSignedIn = isSignedIn
    if (isSignedIn) open()
    else {
      source?.close()
      source = null
    }
  })
  window.addEventListener('offline', () => {
    connection.value = 'offline'
  })
  window.addEventListener('online', () => {
    if (source !== null) open()
  })
}
