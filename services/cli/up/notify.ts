// Notifies someone else of a review: a command of the user's own, with the review on its standard
// input, or a webhook. Nothing of the review ever becomes part of a command line.
import { environment } from '#runtime/wiring/environment'
import { spawn } from 'node:child_process'
import { reviewJson, type ShownReview } from '../reviews/print.ts'

export type Teller = (review: ShownReview) => Promise<void>

const execMsMax = 60_000
const webhookMsMax = 10_000

export function tellers(how: {
  readonly exec: string | undefined
  readonly webhook: string | undefined
  /** The log, so that the command answers on the same one. */
  readonly log: string
}): readonly Teller[] {
  const { exec, webhook, log } = how
  return [
    ...(exec === undefined ? [] : [(review: ShownReview) => run(exec, review, log)]),
    ...(webhook === undefined ? [] : [(review: ShownReview) => post(webhook, review)]),
  ]
}

function run(command: string, review: ShownReview, log: string): Promise<void> {
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
    child.stdin.end(`${JSON.stringify(reviewJson(review))}\n`)
  })
}

async function post(url: string, review: ShownReview): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reviewJson(review)),
    signal: AbortSignal.timeout(webhookMsMax),
  })
  if (!response.ok) throw new Error(`the webhook answered ${response.status}`)
}
