// What facts say of people’s attention: that someone was asked, that an answer counts, and how a
// review ended. It is read as the facts are folded, since only then it shows what counts.
import type { DecisionData, Question, ReviewData } from '#schemas/review'
import { readData } from '#record/event'
import { decisionRefusal } from '../../decision.ts'
import type { Folded, LoggedFact } from '../../folded.ts'
import type { State } from '../../state.ts'

/** An answer that takes less time than this was hardly read for. */
export const quickMsMax = 3_000

export type AskingRule = Pick<Question, 'kind'> & {
  /** The policy or the condition; null for what no one named. */
  readonly rule: string | null
}

interface Asked {
  /** Milliseconds since 1970, as the log took it. */
  readonly at: number
  readonly name: string
  readonly agent: string
  readonly capability: string
  readonly people: readonly string[]
  /** That of each question. */
  readonly rules: readonly AskingRule[]
}

export type AttentionTaken =
  | (Asked & { readonly what: 'asked'; readonly address: string })
  /** One that counts. */
  | {
      readonly what: 'answered'
      readonly at: number
      readonly address: string
      readonly review: string
      readonly confirmer: string
      readonly answers: readonly boolean[]
    }
  | {
      readonly what: 'ended'
      readonly at: number
      readonly address: string
      readonly expired: boolean
    }

/** Null for a fact that has nothing of it, or counts for nothing. The state is that after it. */
export function attentionTaken(
  fact: LoggedFact,
  { parts, void: why }: Pick<Folded, 'parts' | 'void'>,
  state: Pick<State, 'catalog' | 'log' | 'people' | 'intents'>,
): AttentionTaken | null {
  if (parts === null || why !== null) return null
  const { appendedAt: at, name } = fact
  const address = parts.address ?? ''
  switch (parts.kind) {
    case 'review': {
      const data = readData('review', fact)
      return data === null ? null : { what: 'asked', address, ...askedIn(data, { at, name }) }
    }
    case 'decision':
      return answerTaken(state, fact, address)
    case 'verdict': {
      const reasons = readData('verdict', fact)?.reasons ?? []
      const expired = reasons.some(({ code }) => code === 'review_expired')
      return { what: 'ended', at, address, expired }
    }
    default:
      return null
  }
}

function askedIn(
  { intent, terms, confirmers, questions }: ReviewData,
  of: Pick<Asked, 'at' | 'name'>,
): Asked {
  const { agent } = intent
  const { capability } = terms
  return { ...of, agent, capability, people: confirmers, rules: questions.map(ruleOf) }
}

/** Which rule asks: what differs from call to call is no part of it. */
function ruleOf({ kind, policy, rule }: Question): AskingRule {
  return { kind, rule: policy ?? rule ?? null }
}

function answerTaken(
  state: Pick<State, 'catalog' | 'log' | 'people' | 'intents'>,
  fact: LoggedFact,
  address: string,
): AttentionTaken | null {
  const data: DecisionData | null = readData('decision', fact)
  const { review = null, decisions = [] } = state.intents.get(address) ?? {}
  if (data === null || review === null) return null
  const { appendedAt: at } = fact
  if (decisionRefusal(state, review, { ...fact, data }, decisions) !== null) return null
  const { confirmer, answers } = data
  return { what: 'answered', at, address, review: review.name, confirmer, answers }
}
