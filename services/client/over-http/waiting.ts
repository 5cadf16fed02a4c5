// Waits for a verdict at a server over HTTP: it looks how the intent stands, and has the server
// answer when that changes.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from '#replay/verdicts/verdict'
import { isAsked, type IntentStanding, type Wait } from '../intent-log.ts'
import { StandingShown, verdictFrom } from './reading.ts'
import { readAs, type HttpServer } from './server.ts'

/** How long a server lets a request wait. */
const waitMsMax = 60_000
/** A server lets one caller wait at 32 places at once; so many are left to others. */
const waitsMax = 24
/** All who wait beyond that look so often together, in a second. */
const looksPerSecond = 10

export type Waiter = (address: string, wait: Wait) => Promise<IntentStanding>

/** Everyone who waits at this server by this client. */
export function waitingAt(server: HttpServer): Waiter {
  const open = { waits: 0, looks: 0 }
  return (address, wait) => waitAt({ server, open }, address, wait)
}

interface Waiting {
  readonly server: HttpServer
  readonly open: { waits: number; looks: number }
}

async function waitAt(waiting: Waiting, address: string, wait: Wait): Promise<IntentStanding> {
  const { waitMs, isPatient, onAsked, signal } = wait
  const asked = { onAsked, tag: '' }
  let end = performance.now() + waitMs
  // The first look only learns how it stands, so that people are reported at once.
  let found = await look(waiting.server, address, { waitMs: 0, tryMs: waitMs, tag: '', signal })
  for (let hadTime = false; ;) {
    if (found.state === 'verdict') return found
    const { waits } = found
    if (isAsked(waits) && asked.onAsked?.(waits, () => null) === false) return found
    if (waits.for === 'people') asked.onAsked = undefined
    // What ends a review or a hold is a change of how it stands, so no clock here decides it.
    const hasTime = isPatient && waits.until !== null
    const leftMs = end - performance.now()
    if (leftMs <= 0) {
      // What comes at the last moment is waited for, too.
      if (!hasTime && !hadTime) return found
      hadTime = hasTime
      end = performance.now() + waitMs
      continue
    }
    // Where people were reported already, only the verdict is of interest.
    const tag = asked.onAsked === undefined ? '' : found.tag
    found = (await lookLater(waiting, address, { leftMs, tag, signal })) ?? found
  }
}

interface Looking {
  readonly waitMs: number
  /** How long it is tried. */
  readonly tryMs: number
  /** What is known already, and not answered again; `''` for nothing. */
  readonly tag: string
  readonly signal: AbortSignal | undefined
}

type Found =
  | { readonly state: 'verdict'; readonly verdict: Verdict }
  | (Extract<IntentStanding, { state: 'waits' }> & { readonly tag: string })

/** Null where nothing has changed. */
async function lookLater(
  { server, open }: Waiting,
  address: string,
  { leftMs, tag, signal }: { leftMs: number; tag: string; signal: AbortSignal | undefined },
): Promise<Found | null> {
  const known = { tag, signal, tryMs: leftMs }
  if (open.waits < waitsMax) {
    open.waits += 1
    try {
      // The server counts in seconds.
      const waitMs = Math.min(Math.ceil(leftMs / 1_000) * 1_000, waitMsMax)
      return await lookAgain(server, address, { ...known, waitMs })
    } finally {
      open.waits -= 1
    }
  }
  open.looks += 1
  try {
    const pauseMs = Math.max(1_000, (open.looks / looksPerSecond) * 1_000)
    await sleep(Math.min(pauseMs, leftMs), undefined, { ...(signal !== undefined && { signal }) })
    return await lookAgain(server, address, { ...known, waitMs: 0 })
  } finally {
    open.looks -= 1
  }
}

async function look(server: HttpServer, address: string, looking: Looking): Promise<Found> {
  const found = await lookAgain(server, address, looking)
  if (found !== null) return found
  throw new Error('broken invariant: nothing was known, and it is unchanged')
}

async function lookAgain(
  server: HttpServer,
  address: string,
  { waitMs, tryMs, tag, signal }: Looking,
): Promise<Found | null> {
  const answered = await server.send({
    method: 'GET',
    path: `/v1/intents/${encodeURIComponent(address)}?wait=${waitMs / 1_000}`,
    ...(tag !== '' && { headers: () => ({ 'if-none-match': tag }) }),
    waitMs,
    tryMs,
    isSafe: true,
    signal,
  })
  if (answered.status === 304) return null
  const standing = readAs(StandingShown, answered)
  if (standing.state === 'decided') return { state: 'verdict', verdict: verdictFrom(standing) }
  const seen = answered.headers.get('etag') ?? ''
  return { state: 'waits', waits: standing.waits, tag: seen }
}
