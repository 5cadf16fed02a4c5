// Notifies someone else of a review: a command of the user's own, with the review on its standard
// input, or a webhook. Nothing of the review ever becomes part of a command line.
import { signedHeaders } from '#outreach/channels/webhook-signature'
import { environment } from '#wiring/environment'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReviewRow } from '#schemas/operations/reviews'

export interface ReviewNotifier {
  readonly what: 'command' | 'webhook'
  /** Throws an Error that says why it failed. */
  notify(review: ReviewRow, signal: AbortSignal | undefined): Promise<void>
}

const execMsMax = 60_000
const webhookMsMax = 10_000
const attemptsMax = 5
const firstPauseMs = 1_000

export function notifiers(how: {
  readonly exec: string | undefined
  readonly webhook: string | undefined
  /** With which each post is signed; null for none. */
  readonly secret: Uint8Array | null
  /** The log, so that the command answers on the same one. */
  readonly log: string
}): readonly ReviewNotifier[] {
  const { exec, webhook, secret, log } = how
  const found: ReviewNotifier[] = []
  if (exec !== undefined) {
    found.push({ what: 'command', notify: (review) => run(exec, review, log) })
  }
  if (webhook !== undefined) {
    found.push({
      what: 'webhook',
      notify: (review, signal) => posted({ url: webhook, secret }, review, signal),
    })
  }
  return found
}

function run(command: string, review: ReviewRow, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      // What it prints must not mix with the reviews that a program may be reading.
      stdio: ['pipe', process.stderr, process.stderr],
      timeout: execMsMax,
      env: {
        ...environment(),
        WARRANT_INTENT: review.intent,
        WARRANT_REVIEW: review.name,
        WARRANT_LOG: log,
      },
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else if (signal === null) reject(new Error(`the command ended with ${code ?? 'nothing'}`))
      else reject(new Error(`the command was ended by ${signal} after at most ${execMsMax} ms`))
    })
    // A command that does not read its input is no failure.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify(review)}\n`)
  })
}

interface Target {
  readonly url: string
  readonly secret: Uint8Array | null
}

/** Tried again with longer and longer pauses, while that may help. */
async function posted(
  target: Target,
  review: ReviewRow,
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = JSON.stringify(review)
  for (let attempt = 1; ; attempt += 1) {
    const failure = await post(target, { id: idOf(review), body })
    if (failure === null) return
    const isLast = attempt === attemptsMax || !failure.mayPass || signal?.aborted === true
    if (isLast) {
      const tries = attempt === 1 ? '' : ` after ${attempt} attempts`
      throw new Error(`${failure.why}${tries}`)
    }
    await paused(firstPauseMs * 2 ** (attempt - 1), signal)
  }
}

// What is signed has full stops between its parts, so an id may hold none.
function idOf({ name }: ReviewRow): string {
  return name.replaceAll('.', ':')
}

interface PostFailure {
  readonly why: string
  /** Whether the same may succeed later. */
  readonly mayPass: boolean
}

async function post(
  { url, secret }: Target,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<PostFailure | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signedHeaders(secret, { id, body }) },
      body,
      // What people are asked goes where its operator said, and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(webhookMsMax),
    })
    await response.body?.cancel()
    const { status, ok } = response
    if (ok) return null
    return {
      why: `it answered ${status}`,
      mayPass: status >= 500 || status === 408 || status === 429,
    }
  } catch (error) {
    return { why: whyOf(error), mayPass: true }
  }
}

const known: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'unknown host'],
  ['ECONNRESET', 'connection lost'],
])

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be reached'
  if (error.name === 'TimeoutError') return `no answer in ${webhookMsMax / 1_000} s`
  const { cause } = error
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  if (typeof code !== 'string') return error.message
  return known.get(code) ?? `${error.message} (${code})`
}

async function paused(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  } catch {
    // Who is interrupted tries once more, at once.
  }
}
