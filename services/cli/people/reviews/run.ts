// Lists open reviews, and with `--follow` goes on with each new one: printed, and reported to a
// command or a webhook. That these fail is reported, ends nothing, and is the exit code.
import { readFile } from 'node:fs/promises'
import { configuration } from '#wiring/config'
import { secretBytesMin, signingSecret, signedHeaders } from '#outreach/channels/webhook-signature'
import { askRealm, readsWhole } from '#operations/answers'
import { isAskedOf, reviewRow, reviewsOnScreen } from '#operations/reviews'
import type { OpenIntent } from '#state/intent'
import { shortIntent } from '#present/approving'
import { questionText } from '#present/question-text'
import { jsonText } from '#present/wording'
import { assert } from '#record/fault'
import { cellIn } from '#record/names'
import { findLog } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { exitCodes } from '#schemas/faults/exit'
import type { ReviewRow } from '#schemas/operations/reviews'
import type { OperationAnswer } from '#schemas/operations/table'
import { heldHere } from '#cli/rules/editing/held-here'
import { printShown, realmOn } from '#cli/terminal/asked/run'
import { csvLine, type CsvCell } from '#cli/terminal/csv'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import { asTheyCome } from '#cli/terminal/opening/cells/merged'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { isOne, withWholeCells, type LogMeant } from '#cli/terminal/opening/cells/logs'
import { clientStages } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { note, print, printJson, write } from '#cli/terminal/terminal'
import { reviewLines, type ShownReview } from './print.ts'
import { withWhole } from './whole.ts'
import { environment } from '#wiring/environment'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

// Open reviews as rows for a spreadsheet: what is asked, by whom, until when, and who has answered.

const columns = [
  'intent',
  'opened',
  'until',
  'agent',
  'tool',
  'safety',
  'args',
  'reason',
  'questions',
  'may_answer',
  'needed',
  'approved',
  'answered',
] as const

/** The cell is left out of a realm of one log. */
function reviewsCsv(rows: readonly ReviewRow[], hasCells: boolean): string {
  const head = csvLine(hasCells ? ['cell', ...columns] : columns)
  return head + rows.map((row) => csvLine(cellsOf(row, hasCells))).join('')
}

function cellsOf(
  { intent, openedAt, review, cell, waits, answered }: ReviewRow,
  hasCells: boolean,
): readonly CsvCell[] {
  const { terms, shown, questions, decideBy, quorum } = review
  return [
    ...(hasCells ? [cell ?? null] : []),
    intent,
    openedAt,
    decideBy,
    review.intent.agent,
    terms.capability,
    shown.safetyClass,
    jsonText(terms.args),
    shown.justification,
    questions.map((question) => questionText(question)).join(' / '),
    waits.people.join(' '),
    quorum,
    waits.agreed.length,
    answered.join(' '),
  ]
}

export interface ReviewsOptions extends GlobalOptions {
  readonly follow?: boolean
  /** Only what one of these people may answer still. */
  readonly person?: readonly string[]
  readonly limit?: number
  readonly cursor?: string
  /** Only what someone may answer whose key is here. */
  readonly mine?: boolean
  /** With all of what a call would write. */
  readonly whole?: boolean
  readonly csv?: boolean
  readonly exec?: string
  readonly webhook?: string
  /** A file with the secret that signs what is posted. */
  readonly webhookSecret?: string
}

export async function reviews(options: ReviewsOptions): Promise<number> {
  const { exec, webhook, follow = false } = options
  if (options.csv === true && follow)
    throw usage('--csv is of what is open now: leave --follow out')
  if (options.whole === true && (exec !== undefined || webhook !== undefined)) {
    throw usage('--whole is for who may answer: leave --exec and --webhook out')
  }
  // Anyone who lists processes would read a password in it.
  if (webhook !== undefined && !/^https?:\/\/[^@/?#]+([/?#]|$)/.test(webhook)) {
    throw usage('--webhook takes an http or https URL with no user and no password')
  }
  const secretFile = options.webhookSecret ?? configuration().webhookSecretFile
  const isSigned = webhook !== undefined && secretFile !== undefined
  const secret = isSigned ? await webhookSecret(secretFile) : null
  const log = findLog(options.log, configuration()).url
  const notify = notifiers({ exec, webhook, secret, log })
  if (follow) return followReviews(options, notify)
  return withWholeCells(options, { reads: true }, async (runtimes, { cells }) => {
    const realm = realmOn(runtimes, cells)
    const asked = { realm, by: readsWhole }
    const person = await peopleMeant(runtimes, options)
    const { limit, cursor } = options
    const list = (given: object) => askRealm('reviews', asked, { person, ...given })
    const ask = async (given: object) => (await list(given)).answer
    // Who is notified, or counts elsewhere, gets all of them.
    const isAll = limit === undefined && (options.csv === true || notify.length > 0)
    const answer = isAll ? await everyPage(ask) : await ask({ limit, cursor })
    if (options.csv === true) {
      await write(reviewsCsv(answer.rows, !isOne(cells)))
      return exitCodes.yes
    }
    const rows = await Promise.all(answer.rows.map((row) => rowShown(runtimes, row, options)))
    const { count } = answer
    const sending = newSending(notify, undefined)
    for (const row of rows) await sending.send(row)
    if (options.json === true) await printJson({ ...answer, rows })
    else {
      const hints = hintsFor(options, configuration())
      const isShort = rows.length > 1 && options.whole !== true
      if (isShort || count === 0) await printShown(reviewsOnScreen(answer))
      else for (const row of rows) await print([...reviewLines(row, realm.now, hints), ''])
      if (isShort) await print(['', `see one     ${hints('reviews ID')}`, ''])
      const approved = await askRealm('openIntents', asked, { only: 'approved' })
      if (approved.answer.count > 0) await printShown(approved.shown())
    }
    return sending.ended()
  })
}

const rowsMax = 1_000

async function everyPage(
  ask: (given: object) => Promise<OperationAnswer<'reviews'>>,
): Promise<OperationAnswer<'reviews'>> {
  const first = await ask({ limit: rowsMax })
  const rows = [...first.rows]
  for (let { next } = first; next !== null;) {
    const page = await ask({ limit: rowsMax, cursor: String(next) })
    rows.push(...page.rows)
    next = page.next
  }
  return { ...first, rows, next: null }
}

async function followReviews(
  options: ReviewsOptions,
  notify: readonly ReviewNotifier[],
): Promise<number> {
  const opening = { stages: await clientStages(options), reads: true }
  return withWholeCells(options, opening, async (runtimes, { cells, lost }) => {
    // It may follow for ever.
    if (lost !== null) note(`warrant: ${lost.message}`)
    const interrupt = onInterrupt()
    const { signal } = interrupt
    const hints = hintsFor(options, configuration())
    const sending = newSending(notify, signal)
    const asked = { realm: realmOn(runtimes, cells), by: readsWhole }
    // A person of whom the catalog does not know is refused at once.
    await askRealm('reviews', asked, { person: options.person, limit: 1 })
    try {
      const each = runtimes.map((runtime) =>
        followed(runtime, { runtimes, cells, options, signal }),
      )
      for await (const { row, now } of asTheyCome(each)) {
        if (options.json === true) await printJson(row)
        else await print([...reviewLines(row, now, hints), ''])
        await sending.send(row)
      }
      return await sending.ended()
    } finally {
      interrupt.release()
    }
  })
}

/** With `--whole` for those whose keys are here with all of what the call would write. */
async function rowShown(
  runtimes: readonly Runtime[],
  row: ReviewRow,
  { whole }: ReviewsOptions,
): Promise<ShownReview> {
  const { cell } = row
  const ofRow = ({ place }: Runtime) => cell === undefined || cellIn(place.realm)?.index === cell
  const runtime = runtimes.find(ofRow)
  if (whole !== true || runtime === undefined) return row
  return withWhole(runtime, row, await heldHere(runtime))
}

/** Whose reviews alone are shown; undefined for all. */
async function peopleMeant(
  runtimes: readonly Runtime[],
  { person, mine }: ReviewsOptions,
): Promise<readonly string[] | undefined> {
  if (mine !== true) return person
  const held = await Promise.all(runtimes.map(heldHere))
  return [...new Set([...(person ?? []), ...held.flat()])]
}

/** Commands and posts that run at once. */
const notifyingMax = 4

/** Reports reviews to those who are notified; that one fails is the exit code. */
function newSending(notify: readonly ReviewNotifier[], signal: AbortSignal | undefined) {
  const notifying = new Set<Promise<void>>()
  let failed = 0
  return {
    async send(row: ReviewRow): Promise<void> {
      for (const notifier of notify) {
        const reported = notifier.notify(row, signal).catch((error: unknown) => {
          failed += 1
          const why = error instanceof Error ? error.message : ''
          note(`warrant: ${notifier.what} failed for review ${shortIntent(row.intent)}: ${why}`)
        })
        notifying.add(reported)
        void reported.finally(() => notifying.delete(reported))
        if (notifying.size >= notifyingMax) await Promise.race(notifying)
      }
    },
    async ended(): Promise<number> {
      await Promise.all(notifying)
      return failed === 0 ? exitCodes.yes : exitCodes.fault
    },
  }
}

interface Followed {
  readonly row: ShownReview
  readonly now: number
}

/** What is open, then each new one, until the signal aborts. */
async function* followed(
  runtime: Runtime,
  of: {
    readonly runtimes: readonly Runtime[]
    readonly cells: readonly LogMeant[]
    readonly options: ReviewsOptions
    readonly signal: AbortSignal
  },
): AsyncGenerator<Followed, void, undefined> {
  const { runtimes, cells, options, signal } = of
  const { follower, clock } = runtime
  const at = realmOn(runtimes, cells).logs[runtimes.indexOf(runtime)]
  assert(at !== undefined, 'it is one of them')
  const waiting: ShownReview[] = []
  let wake: () => void = () => undefined
  const put = async (intent: OpenIntent): Promise<void> => {
    const row = await reviewRow(at, intent, clock.now())
    // Who has a key may change while this is followed.
    if (row !== null && isAskedOf(row, await peopleMeant(runtimes, options))) {
      waiting.push(await rowShown(runtimes, row, options))
    }
    wake()
  }
  const open = [...follower.state.intents.values()].flatMap((intent) => {
    return intent.review === null ? [] : [{ intent, position: intent.review.position }]
  })
  const byPosition = open.toSorted((one, other) => one.position - other.position)
  const stop = follower.listen((_fact, folded) => {
    const { parts } = folded
    if (parts?.kind !== 'review' || folded.void !== null) return
    const intent = follower.state.intents.get(parts.address ?? '')
    if (intent !== undefined) void put(intent)
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    for (const { intent } of byPosition) await put(intent)
    while (!signal.aborted) {
      const next = waiting.shift()
      if (next !== undefined) yield { row: next, now: clock.now() }
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    stop()
  }
}

// With what webhooks of reviews are signed: a secret in a file of the user's own.

/** Of its first line. Throws a Fault `usage` where it cannot be read, or is too short. */
async function webhookSecret(file: string): Promise<Uint8Array> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw usage(`the webhook secret in \`${file}\` cannot be read`)
  }
  const secret = signingSecret(text.split(/\r?\n/, 1)[0] ?? '')
  if (secret !== null) return secret
  const how = `\`openssl rand -base64 32\` makes one`
  throw usage(`the webhook secret in \`${file}\` has fewer than ${secretBytesMin} bytes: ${how}`)
}

// Notifies someone else of a review: a command of the user's own, with the review on its standard
// input, or a webhook. Nothing of the review ever becomes part of a command line.

interface ReviewNotifier {
  readonly what: 'command' | 'webhook'
  /** Throws an Error that says why it failed. */
  notify(review: ReviewRow, signal: AbortSignal | undefined): Promise<void>
}

const execMsMax = 60_000
const webhookMsMax = 10_000
const attemptsMax = 5
const firstPauseMs = 1_000

function notifiers(how: {
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
