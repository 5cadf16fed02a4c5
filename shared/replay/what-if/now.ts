// What a request would come to if it were published now: the message is folded into a copy of the
// state, and the stages' own deciders say the rest. Nothing of it is ever bound.
import { generateKeyPairSync } from 'node:crypto'
import { addressOf, nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { buildMessage, type MessageFields } from '#messages/build'
import { openingOf } from '#messages/opening'
import { signMessage } from '#messages/signed-message'
import { writeLine } from '#record/ndjson'
import { copyOfBudgets } from '#state/slices/budgets/budgets'
import { afterUse } from '#stages/rate'
import { usesOfCallMax } from '#stages/budgets/asked-budgets'
import { budgetCases } from '#stages/budgets/budget-cases'
import { grantsOfCallMax } from '#stages/resting'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { BudgetCase } from '#rules/chain/rule-input'
import type { CallbackAnswer } from '#schemas/callbacks'
import type { GroundingData, VerdictData } from '#schemas/facts'
import type { ReviewData } from '#schemas/review'
import { decidedBy, groundAgain, standingIn, type WhatIfDeriving } from './deriving.ts'
import type { Decided, StandingIntent } from './deriving.ts'
import { outcomeOf, type DerivedOutcome } from './outcome.ts'

export interface RequestNow {
  readonly agent: string
  readonly session: string | null
  /** Of the message: what it says beside its sender. */
  readonly fields: Omit<MessageFields, 'sender'>
  /** A ULID that no message has. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface DecidedNow extends DerivedOutcome {
  /** The position after which it would have been appended. */
  readonly basis: number
  readonly grounding: GroundingData | null
  /** What the verdict or the review would say; null where neither would be bound. */
  readonly verdict: VerdictData | null
  readonly review: ReviewData | null
  readonly callbacks: readonly CallbackAnswer[]
  /** What it would take of each budget, and what is used of it. */
  readonly budgets: readonly BudgetCase[]
}

/** Null where the message would open nothing: its era is sealed, or its agent has too much open. */
export async function decidedNow(
  deriving: WhatIfDeriving,
  state: State,
  asked: RequestNow,
): Promise<DecidedNow | null> {
  const then = copyOf(state)
  const address = addressOf(asked.agent, asked.session, asked.id)
  const name = nameOf(then.place, 'vlp', address)
  const bytes = messageBytes(then, name, asked)
  const fact = { name, position: then.position + 1, appendedAt: asked.now, bytes }
  evolve(then, fact)
  const intent = then.intents.get(address)
  const opening = openingOf(fact, then.catalog)
  if (intent === undefined || opening === null) return null
  const standing = await standingIn(deriving, then, { intent, opening })
  const grounded = standing === null ? null : groundAgain(deriving, standing)
  if (grounded === null) return null
  const last = await decidedAtLast(deriving, grounded)
  const outcome = outcomeOf(last)
  if (outcome === null) return null
  const verdict = last.draft?.kind === 'verdict' ? last.draft.data : null
  const review = last.draft?.kind === 'review' ? last.draft.data : null
  return {
    ...outcome,
    basis: state.position,
    grounding: grounded.context.grounding,
    verdict,
    review,
    callbacks: verdict?.callbacks ?? review?.callbacks ?? [],
    budgets: budgetCases(grounded.view),
  }
}

/** More no intent takes: of budgets, grants, its capability, and people's attention. */
const usesMax = usesOfCallMax + grantsOfCallMax + 2

// Uses are taken first, and what they are taken for comes after them.
async function decidedAtLast(deriving: WhatIfDeriving, grounded: StandingIntent): Promise<Decided> {
  let standing = grounded
  for (let taken = 0; taken < usesMax; taken += 1) {
    const decided = await decidedBy(deriving, standing)
    const { view } = standing
    const intent = afterUse(view.intent, decided.draft)
    if (intent === null) return decided
    standing = { ...standing, view: { ...view, intent } }
  }
  return decidedBy(deriving, standing)
}

/** Its maps for themselves: what is in them is never changed, only replaced. */
function copyOf(state: State): State {
  return {
    ...state,
    intents: new Map(state.intents),
    requests: new Map(state.requests),
    uses: new Map(state.uses),
    asks: new Map(state.asks),
    budgets: copyOfBudgets(state.budgets),
    grantUses: new Map(state.grantUses),
    agents: new Map(state.agents),
    groupBlocks: new Map(state.groupBlocks),
    sessionBlocks: new Map(state.sessionBlocks),
  }
}

/**
 * The bytes of the message. An agent that must sign is believed: the question is what it may do,
 * and the caller need not hold its key.
 */
function messageBytes(then: State, name: string, asked: RequestNow): Uint8Array {
  const { agent, session, id, now, fields } = asked
  const said = { ...fields, sender: agent, ...(session !== null && { session_id: session }) }
  const message = buildMessage(said, { now, id: `MSG-${id}` })
  const privateKey = stoodIn(then, agent)
  const of = { log: then.log, name }
  const signed = privateKey === null ? message : signMessage(of, message, privateKey)
  return Buffer.from(writeLine(signed).trimEnd(), 'utf8')
}

/** Gives the agent a key in the copy, where it must sign; null where it need not. */
function stoodIn(then: State, agent: string): string | null {
  const { catalog } = then
  const principal = catalog.principals.get(agent)
  // Of one whose keys are gone nothing counts, and so it is here.
  if (principal === undefined || principal.keys.length === 0) return null
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const principals = new Map(catalog.principals)
  principals.set(agent, { ...principal, keys: [publicKeyOf(pem)] })
  then.catalog = { ...catalog, principals }
  return pem
}
