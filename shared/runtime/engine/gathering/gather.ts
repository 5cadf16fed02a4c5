// Reads from the log, up to a basis, what a decider needs beside the fold: the opening message, the
// session, and the answers of callbacks. A worker and a replay gather by these same functions.
import type { ContentOf } from '#schemas/contents'
import type { CallbackAnswer } from '#schemas/callbacks'
import { readData } from '#record/event'
import { isMessage, agentIn, eraOf, nameOf, partsInRealm, sessionIn } from '#record/names'
import { openingOf, type Opening } from '#messages/opening'
import { agreedReview, reviewBehind, verdictsBefore } from '#stages/values/agreed'
import { actsAmong, callsBefore } from '#stages/values/earlier-acts'
import { canSeekFor, loadSeekingFor } from '#stages/values/known-values'
import { callbackAnswers, type CallbackCall } from '#stages/policies'
import type { Inputs, Stage } from '#stages/stage'
import { noContext, viewOf, type Context, type Earlier, type View } from '#stages/view'
import { verifyAhead } from '#messages/sender'
import { namesReferred, type SessionMessage } from '#messages/session'
import type { FoldCaches } from '#state/caches/fold-caches'
import { countsIn } from '#state/eras'
import type { State } from '#state/state'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, LogReader } from '#ports/log'
import { checkedMessages, type CheckedMessages } from './checked-messages.ts'
import { blockWhereSpoken } from './block-where-spoken.ts'
import { readSessions, type Sessions } from './sessions.ts'
import type { ChainRead } from '#stages/chain/chain-read'
import { nextCited, sendersOf } from '#stages/chain/citing'
import { blockedElsewhere } from '#state/agents'

/** So many bytes of cited messages are looked at, in the order in which they are cited. */
const referredBytesMax = 1024 * 1024

/** What gathering needs of a log, and what it remembers of it. */
export interface Reader extends LogReader {
  readonly sessions: Sessions
  readonly checked: CheckedMessages
  /** Of the fold that it gathers for. */
  readonly caches: FoldCaches | undefined
}

/** It will be notified of everything after that position, or reads it again each time. */
export function readerOf(log: LogReader, after = 0, caches?: FoldCaches): Reader {
  return {
    get: (name) => log.get(name),
    read: (range, names) => log.read(range, names),
    head: () => log.head(),
    sessions: readSessions(log, after),
    checked: checkedMessages(),
    caches,
  }
}

/** The message that opened the intent. */
export async function gatherOpening(
  log: Reader,
  state: State,
  intent: { readonly name: string; readonly position: number },
): Promise<Opening | null> {
  const { catalog } = state
  const found = log.caches?.messages.peek(intent.position, catalog)
  if (found !== undefined) return found
  const fact = await log.get(intent.name)
  return fact === undefined ? null : openingOf(fact, catalog)
}

/** Whether the intent stands alone: in no session, and referring to nothing. */
export function isStandingAlone({ intent, opening }: View): boolean {
  const refersTo = opening.check.message?.refers_to ?? null
  return refersTo === null && sessionIn(intent.address) === '-'
}

/** Whether no era before its own can have its address. */
export function isOfOneEra({ intent: { name, lookIn } }: View): boolean {
  return lookIn?.length === 0 || eraOf(name) === 1
}

/** Whether an era before its own may have its address, and no one has looked yet. */
function mayBeRepeated(view: View): boolean {
  return view.intent.grounding === null && !isOfOneEra(view)
}

/**
 * What the stage decides by, where all of it is at hand; null where the log or a callback is asked.
 */
export function inputsAtHand(
  { state, caches }: { readonly state: State; readonly caches: FoldCaches | undefined },
  stage: Stage,
  intent: { readonly address: string; readonly position: number },
  time: string,
): Inputs | null {
  const opening = caches?.messages.peek(intent.position, state.catalog)
  const view = opening === undefined ? null : viewOf(state, intent.address, opening)
  if (view === null || !isStandingAlone(view) || mayBeRepeated(view)) return null
  if (view.elsewhere.length > 0 || !canSeekFor(view)) return null
  const found = factsAtHand(caches, view)
  if (found === null) return null
  const context = found === noFacts ? noContext : { ...noContext, ...found }
  if ((stage.calls?.(view, context, time) ?? []).length > 0) return null
  return { view, context, answers: [], time }
}

type OwnFacts = Pick<Context, 'grounding' | 'review'>
const noFacts: OwnFacts = { grounding: null, review: null }

/** What the latest grounding and review of the intent say; null where they must be read. */
function factsAtHand(caches: FoldCaches | undefined, { intent }: View): OwnFacts | null {
  if (intent.grounding === null && intent.review === null) return noFacts
  const grounding =
    intent.grounding === null ? null : caches?.facts.grounding(intent.grounding.name)
  const review = intent.review === null ? null : caches?.facts.review(intent.review.name)
  return grounding === undefined || review === undefined ? null : { grounding, review }
}

// A fact that cannot be read any more is as if it were not there, and nothing is decided by it.
async function gatherFacts(log: Reader, view: View): Promise<OwnFacts> {
  const { intent } = view
  const found = factsAtHand(log.caches, view)
  if (found !== null) return found
  const grounding = await dataOf(log, 'grounding', intent.grounding)
  const review = await dataOf(log, 'review', intent.review)
  return { grounding, review }
}

async function dataOf<K extends 'grounding' | 'review'>(
  log: Reader,
  kind: K,
  at: { readonly name: string } | null,
): Promise<ContentOf<K> | null> {
  return readData(kind, at === null ? undefined : await log.get(at.name))
}

/** What people agreed to in the session before: each verdict, and the review behind it. */
async function gatherAgreed(
  log: Reader,
  view: View,
  session: readonly SessionMessage[],
): Promise<Context['agreed']> {
  const names = verdictsBefore(view, session)
  if (names.length === 0) return noContext.agreed
  const verdicts = await readAll(log, names)
  const behind = verdicts.flatMap((verdict) => reviewBehind(view, verdict) ?? [])
  const reviews = await readAll(
    log,
    behind.map(({ review }) => review),
  )
  return reviews.flatMap((review, index) => {
    return agreedReview(view, review, behind[index]?.agreement) ?? []
  })
}

/** What was done in the session before, where a condition reads it. */
async function gatherActs(
  log: Reader,
  view: View,
  said: Pick<Context, 'session' | 'chain'>,
): Promise<Context['acts']> {
  const calls = callsBefore(view, said)
  if (calls === null) return null
  const names = calls.flatMap(({ verdicts }) => verdicts)
  const facts = await readAll(log, names)
  const named = facts.flatMap((fact) => (fact === undefined ? [] : [[fact.name, fact] as const]))
  return actsAmong(view, calls, new Map(named))
}

// All at once: on servers each is a request.
function readAll(log: Reader, names: readonly string[]) {
  return Promise.all(names.map((name) => log.get(name)))
}

const noSession = { messages: [], overlong: false }

/**
 * The session of the intent and what its message refers to, up to the basis of the view; and loads
 * what a decider that goes by it needs.
 */
export async function gatherContext(log: Reader, view: View): Promise<Context> {
  await loadSeekingFor(view)
  const earlier = mayBeRepeated(view) ? await earlierMessage(log, view) : null
  const facts = await gatherFacts(log, view)
  const chain = await gatherChain(log, view)
  const own = { ...facts, earlier, block: await blockElsewhere(log, view), chain }
  if (isStandingAlone(view)) return { ...noContext, ...own }
  const { message } = view.opening.check
  const session = sessionIn(view.intent.address)
  const refs = message === null ? [] : namesReferred(message)
  const { messages, overlong } =
    session === '-' ? noSession : await log.sessions.read(view, session, log.caches?.messages)
  const referred = await readReferred(log, view, refs)
  const agreed = await gatherAgreed(log, view, messages)
  const acts = await gatherActs(log, view, { session: messages, chain })
  return { session: messages, referred, overlong, agreed, acts, ...own }
}

function blockElsewhere(log: Reader, view: View): Promise<Context['block']> {
  return blockWhereSpoken(log, view, { agent: agentIn(view.intent.address), in: view.elsewhere })
}

// Sealed eras never change, so what is found there is the same live and on replay.
async function earlierMessage(log: Reader, view: View): Promise<Earlier | null> {
  const { intent, place, eras } = view
  const { realm } = place
  const own = eraOf(intent.name) ?? 1
  const { lookIn = Array.from({ length: own - 1 }, (_, before) => before + 1) } = intent
  const names = lookIn.map((era) => nameOf({ realm, era }, 'vlp', intent.address))
  const found = await readAll(log, names)
  const first = found.find((fact) => fact !== undefined && countsIn(eras, fact))
  if (first === undefined) return null
  return { message: first.name, attempt: await freeAttempt(log, view) }
}

const attemptsMax = 10_000

// Of the era itself only what stands before the message is looked at: it is the same ever after.
async function freeAttempt(log: Reader, { place, intent }: View): Promise<number> {
  let attempt = 1
  while (attempt < attemptsMax) {
    const fact = await log.get(nameOf(place, 'grounding', intent.address, attempt))
    if (fact === undefined || fact.position > intent.position) break
    attempt += 1
  }
  return attempt
}

/** The answers to the calls, in their order. */
export async function gatherAnswers(
  callbacks: CallbackRunner,
  view: View,
  calls: readonly CallbackCall[],
): Promise<CallbackAnswer[]> {
  if (calls.length === 0) return []
  const by = { agent: agentIn(view.intent.address), module: view.catalog.callbacks }
  const listenings = new Set(calls.map(({ listening }) => listening))
  const claims = new Set([...listenings].flatMap((listening) => listening.claims))
  await verifyAhead(claims, view)
  const contexts = new Map([...listenings].map((listening) => [listening, listening.context()]))
  const replies = await Promise.all(
    calls.map(({ callback, listening }) => {
      return callbacks.run({ ...by, name: callback, context: contexts.get(listening) })
    }),
  )
  return callbackAnswers(calls, replies)
}

async function readReferred(
  log: Reader,
  view: View,
  refs: readonly string[],
): Promise<SessionMessage[]> {
  const facts: Fact[] = []
  for (const name of refs) {
    if (!isMessage(partsInRealm(name, view.place.realm))) continue
    const fact = await log.get(name)
    if (fact !== undefined) facts.push(fact)
  }
  return messagesReferred(view, facts, log.checked)
}

/** The messages among the facts that are cited, in log order. */
export function messagesReferred(
  view: View,
  facts: readonly Fact[],
  checked: CheckedMessages,
): SessionMessage[] {
  const messages: SessionMessage[] = []
  let bytes = 0
  for (const fact of facts) {
    if (fact.position > view.basis || !countsIn(view.eras, fact)) continue
    // What does not fit any more stays unresolved.
    bytes += fact.bytes.length
    if (bytes > referredBytesMax) break
    messages.push(checked(fact, view.catalog))
  }
  return messages.toSorted((a, b) => a.position - b.position)
}

// Reads from the log, up to a basis, the delegations that an intent cites and what their senders
// said beside them. A worker and a replay read by this same function.

interface ChainReader extends Pick<LogReader, 'get' | 'read'> {
  readonly sessions: Pick<Sessions, 'readFrom'>
  readonly checked: CheckedMessages
  readonly caches: FoldCaches | undefined
}

/** Null where the intent cites none. */
async function gatherChain(log: ChainReader, view: View): Promise<ChainRead | null> {
  if (view.stops === null) return null
  const cited = await readCited(log, view)
  const senders = sendersOf(cited)
  if (senders.length === 0) return { cited, said: [], overlong: false, blocked: [] }
  const { sessions, caches } = log
  const session = sessionIn(view.intent.address)
  const from = { agent: null, others: new Set(senders) }
  const read = await sessions.readFrom(view, session, from, caches?.messages)
  const { messages: said, overlong } = read
  const blocked: string[] = []
  for (const { name } of cited) {
    const address = name.split('.').slice(3).join('.')
    const agent = agentIn(address)
    const elsewhere = blockedElsewhere(view.stops, address)
    const block = await blockWhereSpoken(log, view, { agent, in: elsewhere })
    if (block !== null) blocked.push(agent)
  }
  return { cited, said, overlong, blocked }
}

async function readCited(log: ChainReader, view: View): Promise<readonly SessionMessage[]> {
  const cited: SessionMessage[] = []
  let next = nextCited(view, cited)
  while (next !== null) {
    const fact = await log.get(next)
    if (fact === undefined || fact.position > view.basis || !countsIn(view.eras, fact)) break
    cited.push(log.checked(fact, view.catalog))
    next = nextCited(view, cited)
  }
  return cited
}
