// Answers to reviews by one key at the terminal. All of what a review asks is shown before; the
// answer binds the digest of what was shown, and a review that came in the moment before the key
// was pressed is not answered by it.
import { isJustified } from '#rules/chain/justification'
import { reasonDemanded } from '#rules/chain/reason-demanded'
import { rulesBuiltIn } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { reviewBlock, reviewLine } from '#operations/review-lines'
import { shortIntent } from '#present/approving'
import { jsonLines } from '#present/json-lines'
import { questionText } from '#present/question-text'
import { counted, said, inOneSentence } from '#present/wording'
import { connect } from '#client/connect'
import { routineGrant, routineOffered } from '#client/grants/routine'
import type { Warrant } from '#client/warrant'
import type { Signer } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import type { OpenIntent } from '#state/intent'
import type { ReviewRow } from '#schemas/operations/reviews'
import { toned, type Line, type Tone } from '#cli/terminal/line'
import { print, write } from '#cli/terminal/terminal'
import { reviewRow } from '#operations/reviews'
import { nameOf, partsInRealm } from '#record/names'
import { readData } from '#record/event'
import { foremostIn } from '#present/foremost'
import { reasonText } from '#present/reason-text'
import { grantIdOf } from '#present/story/grant'
import { callIn } from '#operations/finding/asked-for'
import type { Fact } from '#ports/log'
import type { ReviewData } from '#schemas/review'
import type { VerdictData } from '#schemas/facts'

/** Of a terminal, in which each key comes by itself. */
export interface KeyInput extends NodeJS.ReadableStream {
  setRawMode(isRaw: boolean): unknown
}

export interface AnswerKeysOf {
  readonly signer: Signer
  readonly input: KeyInput
  /** Another link to the page is wanted. */
  readonly onPage: () => void
}

export interface AnswerKeys {
  /** Shows the review that is open of that intent, if the person here may answer it. */
  show(address: string): Promise<void>
  close(): void
}

/** How long a person has to see that another review came. */
const lookMs = 700
const ways = { a: 'approve', d: 'decline', r: 'routine' } as const
const keys = { end: '\u0003', leave: '\u001B', enter: /[\r\n]/, erase: /[\b\u007F]/ } as const

interface Shown {
  readonly row: ReviewRow
  readonly at: number
  /** Whether another waited when it came. */
  readonly isBesideAnother: boolean
}

/** Where a reason is being typed. */
interface Typing {
  text: string
  readonly done: (text: string | null) => void
}

export async function answerKeys(
  runtime: Runtime,
  { signer, input, onPage }: AnswerKeysOf,
): Promise<AnswerKeys> {
  const shown = new Map<string, Shown>()
  const line = typedLine()
  const answering = await answeringWith(runtime, { signer, shown, typed: line.typed })
  const onKey = (key: string): void => {
    if (key === keys.end) process.kill(process.pid, 'SIGINT')
    else if (line.isOpen()) line.take(key)
    else if (key === 'a' || key === 'd' || key === 'r') void answering(ways[key])
    else if (key === 'p') onPage()
  }
  const onData = (chunk: Buffer | string): void => {
    for (const key of chunk.toString()) onKey(key)
  }
  input.setRawMode(true)
  input.on('data', onData)
  input.resume()
  return {
    async show(address) {
      const { follower, clock, log } = runtime
      const intent = follower.state.intents.get(address)
      if (intent?.review?.confirmers.includes(signer.id) !== true) return
      const row = await reviewRow({ log, state: follower.state }, intent, clock.now())
      if (row === null) return
      const isBesideAnother = newestOf(runtime, shown) !== null
      const by = { intent, args: row.review.terms.args, confirmer: signer.id }
      await print(shownLines(row, signer.id, (await routineOffered(runtime, by)) !== null))
      shown.set(address, { row, at: clock.now(), isBesideAnother })
    },
    close() {
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
    },
  }
}

type Way = (typeof ways)[keyof typeof ways]

interface AnsweringOf extends Pick<AnswerKeysOf, 'signer'> {
  readonly shown: Map<string, Shown>
  /** Null where nothing is to be typed after all. */
  readonly typed: (before: string) => Promise<string | null>
}

/** Answers the newest review, one at a time; what stands in the way is printed. */
async function answeringWith(runtime: Runtime, of: AnsweringOf) {
  const client = await connect({ runtime })
  let isBusy = false
  return async (way: Way): Promise<void> => {
    if (isBusy) return
    isBusy = true
    const line = await answered(runtime, client, { ...of, way }).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error
      return toned('warn', error.message)
    })
    isBusy = false
    await print([line])
  }
}

/** What came of it, as a line. Throws a Fault where the answer would not count. */
async function answered(
  runtime: Runtime,
  client: Warrant,
  { signer, shown, typed, way }: AnsweringOf & { readonly way: Way },
): Promise<Line> {
  const open = newestOf(runtime, shown)
  if (open === null) return toned('dim', 'nothing waits for an answer of yours')
  const { row, intent, at, isBesideAnother } = open
  if (isBesideAnother && runtime.clock.now() - at < lookMs) {
    return toned('warn', 'this one came just now: look at it, and press again')
  }
  const { id: confirmer, privateKey } = signer
  const approves = way !== 'decline'
  const routine = { intent, args: row.review.terms.args, confirmer }
  const granted =
    way === 'routine' ? await client.grantPreview(await routineGrant(runtime, routine)) : null
  if (granted !== null) await print(['', '  and later calls, too:', ...granted.text])
  const min = reasonMin(runtime, intent, approves)
  const note = min === 0 ? undefined : await typed(`why (${counted(min, 'character')})? `)
  if (note === null) return toned('dim', 'left as it is')
  if (min > 0 && !isJustified(note, min)) {
    return toned('warn', `that is shorter than ${counted(min, 'character')}`)
  }
  const agreed = granted === null ? 'y' : await typed('approve it, and sign this grant? [y/N] ')
  if (!/^y(?:es)?$/i.test(agreed ?? '')) return toned('dim', 'left as it is')
  const { position } = await client.decide({
    intent: row.intent,
    confirmer,
    privateKey,
    answers: approves,
    digest: row.review.digest,
    ...(note !== undefined && { note }),
  })
  const line = `          ${approves ? 'approved' : 'declined'} by ${confirmer}`
  if (granted === null) return line
  await print([line])
  // Only now: where another answered meanwhile, the line above was not reached.
  await runtime.follower.reached(position)
  await client.grant({ shown: granted, privateKey })
  return `          granted ${granted.id}: \`warrant grants revoke\` takes it back`
}

/** A line of its own that is typed while each key comes by itself. */
function typedLine() {
  let typing: Typing | null = null
  return {
    isOpen: () => typing !== null,
    typed: (before: string): Promise<string | null> => {
      void write(before)
      return new Promise((done) => (typing = { text: '', done }))
    },
    take: (key: string): void => {
      if (typing !== null) typing = typedOn(typing, key)
    },
  }
}

/** What is typed on, or null once it has ended. */
function typedOn(typing: Typing, key: string): Typing | null {
  if (key === keys.leave || keys.enter.test(key)) {
    void write('\n')
    typing.done(key === keys.leave ? null : typing.text.trim())
    return null
  }
  if (keys.erase.test(key)) {
    if (typing.text !== '') void write('\b \b')
    typing.text = typing.text.slice(0, -1)
  } else if (!/\p{Cc}/u.test(key)) {
    void write(key)
    typing.text += key
  }
  return typing
}

/** The one that was shown last of those that are open still, just as it was shown. */
function newestOf({ follower }: Runtime, shown: Map<string, Shown>) {
  for (const [address, one] of [...shown].toReversed()) {
    const intent = follower.state.intents.get(address)
    if (intent?.review?.name === one.row.name) return { ...one, intent }
    shown.delete(address)
  }
  return null
}

function reasonMin({ follower }: Runtime, { review }: OpenIntent, approves: boolean): number {
  if (review === null) return 0
  const { justificationCharacters } = rulesBuiltIn(follower.state.catalog)
  const { approving, declining } = reasonDemanded(review, justificationCharacters)
  return approves ? approving : declining
}

function shownLines(
  { intent, review }: ReviewRow,
  person: string,
  isRoutine: boolean,
): readonly Line[] {
  const { terms, questions, shown } = review
  const also = isRoutine ? ', r shows a grant for later ones like it' : ''
  return [
    ...reviewBlock('with', jsonLines(terms.args)),
    reviewLine('reason', shown.justification === null ? 'none given' : said(shown.justification)),
    ...questions.map((question) => reviewLine('question', questionText(question))),
    toned('strong', `  a approves, d declines${also}, as ${person}  (${shortIntent(intent)})`),
  ]
}

// One line for each decision, as it comes: when, which agent, which tool with the argument that
// says most, how it came out, and why.

interface Outcome {
  readonly word: string
  readonly tone: Tone
  readonly why: string
}

/** Null for a fact that decides nothing. */
export async function liveLine(runtime: Runtime, fact: Fact): Promise<Line | null> {
  const { realm } = runtime.place
  const parts = partsInRealm(fact.name, realm)
  if (parts?.address === null || parts?.address === undefined) return null
  const came = outcomeOf(parts.kind, fact)
  if (came === null) return null
  const name = nameOf({ realm, era: parts.place.era }, 'vlp', parts.address)
  const message = await runtime.log.get(name)
  const { agent, tool, args } = callIn(message ?? null, parts.address)
  const time = new Date(fact.appendedAt).toTimeString().slice(0, 8)
  const call = [tool ?? '(several)', ...foremostIn(args)].join(' ')
  const why = came.why === '' ? '' : `  ${came.why}`
  return toned(came.tone, `${time}  ${came.word.padEnd(5)}  ${agent}  ${call}${why}`)
}

function outcomeOf(kind: string, fact: Fact): Outcome | null {
  if (kind === 'review') return reviewOutcome(readData('review', fact))
  return kind === 'verdict' ? verdictOutcome(readData('verdict', fact)) : null
}

function reviewOutcome(review: ReviewData | null): Outcome | null {
  if (review === null) return null
  const { questions, confirmers } = review
  const asked = inOneSentence(questions.map((question) => questionText(question)))
  return { word: 'ASKS', tone: 'warn', why: `${confirmers.join(', ')}: ${asked}` }
}

function verdictOutcome(verdict: VerdictData | null): Outcome | null {
  if (verdict === null) return null
  const { outcome, reasons, release, grants = [] } = verdict
  if (outcome === 'deny') {
    const [first] = reasons
    const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : ''
    const why = first === undefined ? '' : `${reasonText(first)}${more}`
    return { word: 'DENY', tone: 'bad', why }
  }
  const by = release?.confirmedBy ?? []
  const agreed = by.length === 0 ? '' : `approved by ${by.join(', ')}`
  const rests = grants.length === 0 ? agreed : `by the grant ${grantIdOf(grants[0]?.grant ?? '')}`
  return { word: 'ALLOW', tone: 'good', why: rests }
}
