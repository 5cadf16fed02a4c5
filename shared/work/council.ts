// What a council of reviewers comes to. Seats are fixed before anyone answers: a seat approves by
// one readable vote, and all else that is in it, or missing, rejects.
import { redactText } from '#firewall/redact'
import { trimmed } from '#knowledge/known/white-space'
import { short } from '#record/quote'
import { jsonObjectsIn } from './json-objects.ts'

export type Opinion = 'approve' | 'reject' | 'unparsable'

export interface Council {
  /** An integer from 0. */
  readonly seats: number
  // From language models: may be anything, one a seat, in the order of seats.
  readonly replies: readonly unknown[]
  /** What every vote must carry, so that an older or a copied one does not count. */
  readonly nonce?: string
}

export interface CouncilResult {
  /** Whether more than half of the seats approve. */
  readonly passed: boolean
  readonly approvals: number
  readonly seats: number
  /** One a seat. */
  readonly votes: readonly Opinion[]
}

/** What a reviewer found, in its own words; each text through the firewall, and cut. */
export interface Remarks {
  readonly seat: number
  readonly strengths: readonly string[]
  readonly weaknesses: readonly string[]
  readonly missing: readonly string[]
}

const remarksMax = 8
const remarkCharactersMax = 300

/** Of the seats whose vote counts and that found anything, in their order. */
export function councilRemarks({ seats, replies, nonce }: Council): readonly Remarks[] {
  return Array.from({ length: seats }, (_, seat) => {
    const stated = statementIn(replies[seat], nonce)
    if (stated === null || opinionOf(stated) === 'unparsable') return []
    const [strengths = [], weaknesses = [], missing = []] = remarkKinds.map((kind) =>
      textsIn(stated[kind]),
    )
    const found = strengths.length + weaknesses.length + missing.length
    return found === 0 ? [] : [{ seat: seat + 1, strengths, weaknesses, missing }]
  }).flat()
}

const remarkKinds = ['strengths', 'weaknesses', 'missing'] as const

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const texts = value.filter((one) => typeof one === 'string' && one.trim() !== '')
  return texts
    .slice(0, remarksMax)
    .map((one) => redactText(short(String(one), remarkCharactersMax)))
}

/** Missing replies are unparsable, those beyond the seats are not read. */
export function councilResult({ seats, replies, nonce }: Council): CouncilResult {
  const votes = Array.from({ length: seats }, (_, seat) => opinionIn(replies[seat], nonce))
  const approvals = votes.filter((one) => one === 'approve').length
  return { passed: 2 * approvals > seats, approvals, seats, votes }
}

/** The vote of one reply: of the only object in it that has a member `verdict`. */
function opinionIn(reply: unknown, nonce: string | undefined): Opinion {
  const stated = statementIn(reply, nonce)
  return stated === null ? 'unparsable' : opinionOf(stated)
}

function statementIn(reply: unknown, nonce: string | undefined): Statement | null {
  if (typeof reply !== 'string') return null
  const [stated, ...others] = (jsonObjectsIn(reply) ?? []).flatMap(statementsIn)
  if (stated === undefined || others.length > 0) return null
  return nonce === undefined || stated['nonce'] === nonce ? stated : null
}

function opinionOf({ verdict, confidence }: Statement): Opinion {
  if (confidence !== undefined && typeof confidence !== 'number') return 'unparsable'
  const word = typeof verdict === 'string' ? trimmed(verdict).toLowerCase() : ''
  return word === 'approve' || word === 'reject' ? word : 'unparsable'
}

type Statement = Readonly<Record<string, unknown>>

/** The objects with a member `verdict` in this value, itself among them. */
function statementsIn(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(statementsIn)
  return hasVerdict(value) ? [value, ...inside] : inside
}

function hasVerdict(value: object): value is Statement {
  return !Array.isArray(value) && Object.hasOwn(value, 'verdict')
}
