// Lists open reviews, and with `--follow` goes on with each new one: printed, and reported to a
// command or a webhook. That these fail is reported, ends nothing, and is the exit code.
import { configuration } from '#wiring/config'
import { countedDecisions } from '#state/decision'
import type { OpenIntent } from '#state/intent'
import { shortIntent } from '#present/approving'
import { knownInShort } from '#present/grounding'
import { waitsJson } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { reviewChanges } from '#present/review-change'
import { findLog } from '#runtime/logs/log-url'
import type { Runtime } from '#runtime/engine/runtime'
import { listKeys } from '#runtime/keys/key-files'
import {
  groundingOf,
  openReviewOf,
  openReviews,
  previousOf,
  type OpenReviewShown,
} from '#runtime/engine/gathering/open-reviews'
import { usage } from '#cli/terminal/failure'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { note, print, printJson, write } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { reviewJson, reviewLines, type ShownReview } from './print.ts'
import { wholeShown } from './whole.ts'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { notifiers, type ReviewNotifier } from './notify.ts'
import { keyAccess } from '#cli/terminal/signing'
import { printShown, shownIn } from '#cli/terminal/asked/run'
import { heldHere } from '#cli/rules/editing/held-here'
import { byTime, overCells } from '#cli/terminal/opening/cells/logs'
import { asTheyCome } from '#cli/terminal/opening/cells/merged'
import { clientStages, withCells } from '#cli/terminal/opening/opened'
import { questionText } from '#present/question-text'
import { jsonText } from '#present/wording'
import { csvLine } from '#cli/terminal/csv'
import { readFile } from 'node:fs/promises'
import { secretBytesMin, signingSecret } from '#outreach/channels/webhook-signature'

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
function reviewsCsv(shown: readonly ShownReview[], hasCells: boolean): string {
  const head = csvLine(hasCells ? ['cell', ...columns] : columns)
  return head + shown.map((review) => csvLine(rowOf(review, hasCells))).join('')
}

function rowOf(
  { intent, openedAt, review, cell, waits, answered = [] }: ShownReview,
  hasCells: boolean,
) {
  const { terms, shown, questions, decideBy, quorum } = review
  return [
    ...(hasCells ? [cell ?? null] : []),
    intent,
    new Date(openedAt).toISOString(),
    decideBy,
    review.intent.agent,
    terms.capability,
    shown.safetyClass,
    jsonText(terms.args),
    shown.justification,
    questions.map((question) => questionText(question)).join(' / '),
    (waits?.people ?? review.confirmers).join(' '),
    quorum,
    waits?.agreed.length ?? 0,
    answered.join(' '),
  ]
}

export interface ReviewsOptions extends GlobalOptions {
  readonly follow?: boolean
  /** Only what this person may answer still. */
  readonly as?: string
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
  const show = { options, notify: notifiers({ exec, webhook, secret, log }), signal: undefined }
  if (!follow) {
    const each = await overCells(options, { reads: true }, async (runtime, { cell }) => ({
      open: (await allShown(runtime, options)).map((review) => inCell(runtime, review, cell)),
      approved: await shownIn('openIntents', { only: 'approved' }, { runtime, cell }),
    }))
    const open = byTime(each.map((one) => one.open))
    if (options.csv === true) {
      await write(
        reviewsCsv(
          open.map(({ review }) => review),
          each.length > 1,
        ),
      )
      return exitCodes.yes
    }
    const code = await showEach(open, show)
    if (options.json !== true) await printShown(each.flatMap(({ approved }) => approved))
    return code
  }
  const opening = { stages: await clientStages(options), reads: true }
  return withCells(options, opening, undefined, async (runtimes) => {
    const interrupt = onInterrupt()
    const of = runtimes.map((runtime, index) => ({
      runtime,
      options,
      cell: runtimes.length > 1 ? index : null,
      signal: interrupt.signal,
    }))
    try {
      return await showEach(asTheyCome(of.map(followed)), { ...show, signal: interrupt.signal })
    } finally {
      interrupt.release()
    }
  })
}

/** A review with the time of the log that has it. */
interface ReviewAt {
  readonly review: ShownReview
  readonly appendedAt: number
  readonly now: number
}

function inCell({ clock }: Runtime, review: ShownReview, cell: number | null): ReviewAt {
  const shown = cell === null ? review : { ...review, cell }
  return { review: shown, appendedAt: review.openedAt, now: clock.now() }
}

async function showEach(
  found: AsyncIterable<ReviewAt> | Iterable<ReviewAt>,
  {
    options,
    notify,
    signal,
  }: {
    readonly options: ReviewsOptions
    readonly notify: readonly ReviewNotifier[]
    readonly signal: AbortSignal | undefined
  },
): Promise<number> {
  const hints = hintsFor(options, configuration())
  const notifying = new Set<Promise<void>>()
  let count = 0
  let failed = 0
  for await (const { review, now } of found) {
    count += 1
    if (options.json === true) await printJson(reviewJson(review))
    else await print([...reviewLines(review, now, hints), ''])
    for (const notifier of notify) {
      const reported = notifier.notify(review, signal).catch((error: unknown) => {
        failed += 1
        const why = error instanceof Error ? error.message : ''
        note(`warrant: ${notifier.what} failed for review ${shortIntent(review.intent)}: ${why}`)
      })
      notifying.add(reported)
      void reported.finally(() => notifying.delete(reported))
      if (notifying.size >= notifyingMax) await Promise.race(notifying)
    }
  }
  await Promise.all(notifying)
  if (count === 0 && options.json !== true) await print(['nothing is pending'])
  return failed === 0 ? exitCodes.yes : exitCodes.fault
}

/** Commands and posts that run at once. */
const notifyingMax = 4

async function allShown(
  runtime: Runtime,
  options: ReviewsOptions,
): Promise<readonly ShownReview[]> {
  const isWanted = await wanted(runtime, options)
  const all = await openReviews(runtime)
  const { whole = false } = options
  const held = await heldHere(runtime)
  const shown = await Promise.all(
    all.map((review) => shownOf(runtime, review, whole ? held : null)),
  )
  return shown.filter(isWanted).toSorted((one, other) => one.openedAt - other.openedAt)
}

/** Which reviews are shown: those that one of the chosen people may answer still. */
async function wanted(
  { follower, folder }: Runtime,
  { as, mine }: ReviewsOptions,
): Promise<(review: ShownReview) => boolean> {
  if (as === undefined && mine !== true) return () => true
  const { principals } = follower.state.catalog
  if (as !== undefined && !principals.has(as)) throw usage(`the catalog has no \`${as}\``)
  const keys = as === undefined ? await listKeys(keyAccess(folder).places) : []
  const held = new Set(keys.map(({ publicKey }) => publicKey))
  const isMine = (id: string): boolean =>
    principals.get(id)?.keys.some((key) => held.has(key)) === true
  return ({ waits }) =>
    waits?.people.some((id) => (as === undefined ? isMine(id) : id === as)) === true
}

/** For those people with all of what the call would write. */
export async function shownOf(
  runtime: Runtime,
  open: OpenReviewShown,
  people: readonly string[] | null = null,
): Promise<ShownReview> {
  const { state } = runtime.follower
  const intent = state.intents.get(open.intent)
  const { review = null, decisions = [] } = intent ?? {}
  const counted = review === null ? [] : countedDecisions(state, review, decisions)
  const answered = counted.map(({ data }) => data.confirmer)
  const grounding = intent === undefined ? null : await groundingOf(runtime, intent)
  const before = await previousOf(runtime, open.review)
  const changes = before === null ? [] : reviewChanges(before, open.review)
  const known = knownInShort(state.graph, grounding?.ground ?? null)
  const { handovers } = intent ?? {}
  const waits = intent === undefined ? null : waitsOf(state, intent, runtime.clock.now())
  const whole = people === null ? null : await wholeShown(runtime, open, people)
  const base = { ...open, known, answered, changes, ...(handovers !== undefined && { handovers }) }
  return {
    ...base,
    ...(whole !== null && { whole }),
    ...(waits !== null && { waits: waitsJson(waits) }),
  }
}

/** What is open, then each new one, until the signal aborts. */
async function* followed({
  runtime,
  options,
  cell,
  signal,
}: {
  readonly runtime: Runtime
  readonly options: ReviewsOptions
  readonly cell: number | null
  readonly signal: AbortSignal
}): AsyncGenerator<ReviewAt, void, undefined> {
  const { follower } = runtime
  const waiting = [...(await allShown(runtime, options))]
  let wake: () => void = () => undefined
  const put = async (intent: OpenIntent): Promise<void> => {
    const open = await openReviewOf(runtime, intent)
    const held = options.whole === true ? await heldHere(runtime) : null
    const shown = open === null ? null : await shownOf(runtime, open, held)
    // Who has a key may change while this is followed.
    if (shown !== null && (await wanted(runtime, options))(shown)) waiting.push(shown)
    wake()
  }
  const stop = follower.listen((_fact, folded) => {
    const { parts } = folded
    if (parts?.kind !== 'review' || folded.void !== null) return
    const intent = follower.state.intents.get(parts.address ?? '')
    if (intent !== undefined) void put(intent)
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      const next = waiting.shift()
      if (next !== undefined) yield inCell(runtime, next, cell)
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
