// Whether a decision counts: one function for the stage that counts it and for the trace that shows
// why it did not. One that does not count is recorded and used all the same.
import type { Principal } from '#schemas/catalog'
import type { DecisionData } from '#schemas/review'
import type { Catalog } from '#rules/catalog/catalog'
import { demandsReason } from '#rules/catalog/people/demands'
import { howSigned } from '#rules/catalog/people/signed-words'
import { jsonOf } from '#record/canonical'
import type { Placed } from '#record/event'
import { token } from '#record/names'
import { browserSigned } from '#messages/people/browser-key'
import type { PeopleSaid } from '#messages/people/people-said'
import { deputyRefusal } from '#messages/people/standing-in'
import type { OpenReview } from './intent.ts'

/** By which it is judged whether a decision counts. */
export interface Deciding {
  readonly catalog: Catalog
  readonly log: string | null
  readonly people: PeopleSaid
}

type Decision = Placed<DecisionData>

/** Those that count, in log order. */
export function countedDecisions(
  known: Deciding,
  review: OpenReview,
  decisions: readonly Decision[],
): readonly Decision[] {
  return judgedDecisions(known, review, decisions).flatMap(({ decision, refused }) => {
    return refused === null ? [decision] : []
  })
}

/** Why it counts for nothing, or null where it counts. `earlier`: what else answers the review. */
export function decisionRefusal(
  known: Deciding,
  review: OpenReview,
  decision: Decision,
  earlier: readonly Decision[],
): string | null {
  const all = [...earlier.filter(({ name }) => name !== decision.name), decision]
  return judgedDecisions(known, review, all).at(-1)?.refused ?? null
}

interface JudgedDecision {
  readonly decision: Decision
  readonly refused: string | null
}

function judgedDecisions(
  known: Deciding,
  review: OpenReview,
  decisions: readonly Decision[],
): readonly JudgedDecision[] {
  const counted: Counted[] = []
  return decisions.map((decision) => {
    const found = ownRefusal(known, review, decision)
    if (typeof found === 'string') return { decision, refused: found }
    const { data } = decision
    const one = { confirmer: data.confirmer, of: answererOf(data), ...found }
    const refused = besideRefusal(review, one, counted)
    if (refused === null) counted.push(one)
    return { decision, refused }
  })
}

interface Counted extends DecidedHow {
  readonly confirmer: string
  /** In whose place. */
  readonly of: string
}

/** Whose answer it is: of who signs it, or of the one whose deputy that is. */
export function answererOf({ confirmer, for: of = confirmer }: DecisionData): string {
  return of
}

/** One person answers once, and where it is demanded no two answers come through one server. */
function besideRefusal(
  { demands = {} }: OpenReview,
  one: Counted,
  counted: readonly Counted[],
): string | null {
  const isAgain = counted.some(({ confirmer, of }) => {
    return confirmer === one.confirmer || of === one.of
  })
  if (isAgain) return `${one.of} has answered already`
  const isSameServer = counted.some((other) => {
    return one.console !== null && other.console === one.console
  })
  if (demands.differentServers !== true || !isSameServer) return null
  return 'another answer came through the same server'
}

/** What it was signed with, or why it counts for nothing whatever else is answered. */
function ownRefusal(known: Deciding, review: OpenReview, decision: Decision): DecidedHow | string {
  const { catalog, log } = known
  const { data, name } = decision
  const stray = strayDecision(review, decision)
  if (stray !== null) return stray
  const principal = catalog.principals.get(data.confirmer)
  if (principal === undefined || principal.suspended) return 'the catalog knows no such confirmer'
  const standIn = standInRefusal(known, review, decision)
  if (standIn !== null) return standIn
  if (data.digest !== review.digest) return 'it answers something else than was shown'
  if (data.answers.length !== review.questions) {
    return 'it does not answer each question'
  }
  if (decision.appendedAt > review.decideBy) return 'it came too late'
  const unreasoned = reasonRefusal(review, data)
  if (unreasoned !== null) return unreasoned
  if (data.signature === undefined) return 'it is not signed'
  const of = { person: principal, log, name, at: decision.appendedAt }
  const how = howDecided(known, data, of)
  return how === null
    ? 'no key of this person in the catalog signed it'
    : (signedRefusal(review, how) ?? how)
}

/** A deputy answers while the person is away, and never for their own side. */
function standInRefusal(
  known: Deciding,
  review: OpenReview,
  { data: { confirmer: deputy, for: absent }, appendedAt: at }: Decision,
): string | null {
  return absent === undefined ? null : deputyRefusal(known, review, { deputy, absent, at })
}

function reasonRefusal({ demands = {} }: OpenReview, { answers, note = '' }: DecisionData) {
  const isNeeded = demandsReason(demands, answers.includes(false))
  return isNeeded && note.trim() === '' ? 'it gives no reason' : null
}

function signedRefusal({ demands = {} }: OpenReview, { by }: DecidedHow): string | null {
  const { signedWith } = demands
  if (signedWith === 'passkey' && by !== 'passkey') return 'it takes a passkey'
  if (by !== 'browser' || signedWith === 'browser') return null
  return 'the key of a browser does not count for it'
}

/** What signed a decision, and at which console; a key file signs at none. */
interface DecidedHow {
  readonly by: 'key_file' | 'passkey' | 'browser'
  readonly console: string | null
}

interface Signing {
  readonly person: Principal
  readonly log: string | null
  readonly name: string
  readonly at: number
}

interface Verified extends Signing {
  readonly consoles: Catalog['consoles']
  readonly people: PeopleSaid
  readonly how: DecidedHow | null
}

// Each look at a review asks about all its decisions again, and a signature costs most of that.
const verified = new WeakMap<DecisionData, Verified>()

/** What that person signed it with, appended at that time; null where it was nothing of theirs. */
function howDecided(
  { catalog: { consoles }, people }: Pick<Deciding, 'catalog' | 'people'>,
  data: DecisionData,
  of: Signing,
): DecidedHow | null {
  const { person, log, name, at } = of
  const known = verified.get(data)
  const isKnown =
    known?.person === person &&
    known.consoles === consoles &&
    known.people === people &&
    known.log === log &&
    known.name === name &&
    known.at === at
  if (isKnown) return known.how
  const { signature, ...rest } = data
  const content = jsonOf(rest)
  const own =
    signature === undefined
      ? null
      : howSigned({ consoles }, person, { log, name }, content, signature)
  const enrolled =
    own === null
      ? browserSigned(people, person, { of: { log, name }, data: content, signature }, at)
      : null
  const how: DecidedHow | null =
    enrolled === null ? own : { by: 'browser', console: enrolled.console }
  verified.set(data, { ...of, consoles, people, how })
  return how
}

/** Why it answers no review at all, whatever it says: such ones are not even kept in mind. */
export function strayDecision(
  review: OpenReview | null,
  { name, position, data }: Decision,
): string | null {
  if (token(data.confirmer) !== name.split('.')[7]) return 'it came under another name'
  const from = review?.reopens?.position ?? review?.position ?? Infinity
  if (review === null || position < from) return 'no one was asked yet'
  const isOfIt = data.review === review.name || review.reopens?.names.includes(data.review) === true
  if (!isOfIt) return 'it answers another review'
  return review.confirmers.includes(answererOf(data)) ? null : 'this person may not answer it'
}
