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
import { counted, said } from '#present/wording'
import { connect } from '#client/connect'
import type { Signer } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import type { OpenIntent } from '#state/intent'
import type { ReviewRow } from '#schemas/operations/reviews'
import { toned, type Line } from '#cli/terminal/line'
import { print, write } from '#cli/terminal/terminal'
import { answerFault } from '#cli/people/answer/answer-fault'
import { reviewIn } from '#cli/people/reviews/whole'

/** Of a terminal, in which each key comes by itself. */
export interface KeyInput extends NodeJS.ReadableStream {
  setRawMode(isRaw: boolean): unknown
}

export interface AnswerKeys {
  /** Shows the review that is open of that intent, if the person here may answer it. */
  show(address: string): Promise<void>
  close(): void
}

/** How long a person has to see that another review came. */
const lookMs = 700
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
  { signer, input }: { readonly signer: Signer; readonly input: KeyInput },
): Promise<AnswerKeys> {
  const client = await connect({ runtime })
  const shown = new Map<string, Shown>()
  let typing: Typing | null = null
  let isBusy = false

  const typed = (before: string): Promise<string | null> => {
    void write(before)
    return new Promise((done) => (typing = { text: '', done }))
  }
  const act = async (approves: boolean): Promise<void> => {
    const open = newestOf(runtime, shown)
    if (open === null) return print([toned('dim', 'nothing waits for an answer of yours')])
    const { row, intent, at, isBesideAnother } = open
    if (isBesideAnother && runtime.clock.now() - at < lookMs) {
      return print([toned('warn', 'this one came just now: look at it, and press again')])
    }
    const min = reasonMin(runtime, intent, approves)
    const note = min === 0 ? undefined : await typed(`why (${counted(min, 'character')})? `)
    if (note === null) return print([toned('dim', 'left as it is')])
    if (min > 0 && !isJustified(note, min)) {
      return print([toned('warn', `that is shorter than ${counted(min, 'character')}`)])
    }
    const answers = row.review.questions.map(() => approves)
    const fault = faultOf(runtime, intent, { signer, answers, note })
    if (fault !== null) return print([toned('warn', fault)])
    await client.decide({
      intent: row.intent,
      confirmer: signer.id,
      privateKey: signer.privateKey,
      answers,
      digest: row.review.digest,
      ...(note !== undefined && { note }),
    })
    return print([`          ${approves ? 'approved' : 'declined'} by ${signer.id}`])
  }
  const answer = async (approves: boolean): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      await act(approves)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      await print([toned('warn', error.message)])
    } finally {
      isBusy = false
    }
  }
  const onKey = (key: string): void => {
    if (key === keys.end) process.kill(process.pid, 'SIGINT')
    else if (typing !== null) typing = typedOn(typing, key)
    else if (key === 'a' || key === 'd') void answer(key === 'a')
  }
  const onData = (chunk: Buffer | string): void => {
    for (const key of chunk.toString()) onKey(key)
  }
  input.setRawMode(true)
  input.on('data', onData)
  input.resume()
  return {
    async show(address) {
      const intent = runtime.follower.state.intents.get(address)
      if (intent?.review?.confirmers.includes(signer.id) !== true) return
      const row = await reviewIn(runtime, intent)
      if (row === null) return
      const isBesideAnother = newestOf(runtime, shown) !== null
      await print(shownLines(row, signer.id))
      shown.set(address, { row, at: runtime.clock.now(), isBesideAnother })
    },
    close() {
      input.off('data', onData)
      input.setRawMode(false)
      input.pause()
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

function faultOf(
  { follower, clock }: Runtime,
  intent: OpenIntent,
  by: {
    readonly signer: Signer
    readonly answers: readonly boolean[]
    readonly note: string | undefined
  },
): string | null {
  const { review } = intent
  if (review === null) return 'it is open no more'
  const { catalog } = follower.state
  return answerFault({ intent, review, catalog, ...by, inPlaceOf: undefined, now: clock.now() })
}

function shownLines({ intent, review }: ReviewRow, person: string): readonly Line[] {
  const { terms, questions, shown } = review
  return [
    ...reviewBlock('with', jsonLines(terms.args)),
    reviewLine('reason', shown.justification === null ? 'none given' : said(shown.justification)),
    ...questions.map((question) => reviewLine('question', questionText(question))),
    toned('strong', `  a approves, d declines, as ${person}  (${shortIntent(intent)})`),
  ]
}
