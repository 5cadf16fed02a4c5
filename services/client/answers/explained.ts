// What a request would come to now, as data: what `warrant explain` prints. Nothing is asked and
// nothing is appended.
import type { BudgetCase } from '#rules/chain/rule-input'
import { Fault } from '#record/fault'
import type { JsonMap } from '#record/canonical'
import { fixesOf, type Fix } from '#present/fixes'
import { decidedNow, type DecidedNow } from '#replay/what-if/now'
import type { Runtime } from '#runtime/engine/runtime'
import type { CallbackAnswer } from '#schemas/callbacks'
import type { Ground } from '#schemas/facts'
import type { Intent } from '#schemas/intent'
import type { Reason } from '#schemas/reasons'
import { stages } from '#workers/stages'

export interface Explanation {
  readonly agent: string
  readonly tool: string
  /**
   * `ask`: people would be asked. `hold`: it would wait for learning. `cannot_tell`: a check may
   * answer otherwise next time.
   */
  readonly outcome: DecidedNow['outcome']
  /** Why it would be denied, as of a verdict; else empty. */
  readonly reasons: readonly Reason[]
  /** What people would be asked. */
  readonly questions: DecidedNow['questions']
  /** What an allow would be bound to; null for anything else. */
  readonly constraints: JsonMap | null
  /** Who might answer, and how many of them would have to approve; null where no one is asked. */
  readonly confirmers: readonly string[]
  readonly quorum: number | null
  readonly callbacks: readonly CallbackAnswer[]
  /** What it would take of each budget, and what is used of it. */
  readonly budgets: readonly BudgetCase[]
  /** What is known of its concepts, and what is missing. */
  readonly ground: Ground | null
  /** How the gaps are closed. */
  readonly fixes: readonly Fix[]
  /** The position up to which all was known. */
  readonly basis: number
}

export interface ExplainedRequest {
  readonly agent: string
  readonly session: string | null
  readonly intent: Intent
}

/** What a runtime has for it. */
export type Explaining = Pick<Runtime, 'clock' | 'ids' | 'callbacks' | 'reader'> & {
  readonly follower: Pick<Runtime['follower'], 'state'>
}

export interface Explained {
  readonly decided: DecidedNow
  readonly fixes: readonly Fix[]
}

/** Throws a Fault `no_verdict` where no stage would decide it. */
export async function explained(
  { follower, clock, ids, callbacks, reader }: Explaining,
  { agent, session, intent }: ExplainedRequest,
): Promise<Explained> {
  const now = clock.now()
  const time = new Date(now).toISOString()
  const deriving = { stages, callbacks, time, reader, faulted: () => undefined }
  const content = intent.goal ?? `use ${intent.tool}`
  const decided = await decidedNow(deriving, follower.state, {
    agent,
    session,
    fields: { type: 'query', content, payload: { intent } },
    id: ids.next(now),
    now,
  })
  if (decided === null) {
    const isSealed = follower.state.sealed !== null
    const why = isSealed ? 'the era is sealed: run `warrant log rotate` again' : 'too much is open'
    throw new Fault('no_verdict', `no stage would decide it: ${why}`)
  }
  const ground = decided.grounding?.ground ?? null
  return { decided, fixes: ground === null ? [] : fixesOf(follower.state.graph, ground) }
}

export function explanationOf(
  { decided, fixes }: Explained,
  { agent, tool }: { readonly agent: string; readonly tool: string },
): Explanation {
  const { outcome, questions, basis, verdict, review, callbacks, grounding, budgets } = decided
  return {
    agent,
    tool,
    outcome,
    reasons: verdict?.reasons ?? [],
    questions,
    constraints: verdict?.terms?.constraints ?? null,
    confirmers: review?.confirmers ?? [],
    quorum: review?.quorum ?? null,
    callbacks,
    budgets,
    ground: grounding?.ground ?? null,
    fixes,
    basis,
  }
}
