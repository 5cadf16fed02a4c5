// Evaluations beside access requests: what a denial says to who may request, and what an approval
// is worth when the same is evaluated again. Rules that refuse now refuse; an approval only stands
// for the answer of people, to the very call that they saw, once.
import { Fault } from '#core/kernel/fault'
import { partsInRealm } from '#core/kernel/names'
import { isMap } from '#core/messages/envelope'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { VerdictData } from '#schemas/facts'
import type { EvaluationAnswer, EvaluationBody } from '#schemas/http/evaluations'
import type { DoorAgent } from '#services/client/doors/door-agent'
import type { Door } from '../door.ts'
import { accessTask } from './access-tasks.ts'
import {
  evaluatedIn,
  isRequestable,
  isSameCall,
  requestableOf,
  verdictNow,
} from './access-denials.ts'

/** An evaluation without the approval that it is presented with. */
export interface PresentedWith {
  readonly asked: EvaluationBody
  /** As it was sent; undefined where there is none. */
  readonly approval: unknown
}

export function presentedIn(body: EvaluationBody): PresentedWith {
  const { approval, ...context } = body.context ?? {}
  if (approval === undefined) return { asked: body, approval }
  const { context: _, ...asked } = body
  const isEmpty = Object.keys(context).length === 0
  return { asked: isEmpty ? asked : { ...asked, context }, approval }
}

/** What people agreed to for the caller. */
export interface Approved {
  /** The name of the message that asked them. */
  readonly message: string
  readonly called: EvaluationBody
  readonly verdict: Verdict
}

/** Null where it is no approval of the caller's. */
export async function approvedBy(
  door: Door,
  agent: DoorAgent,
  approval: unknown,
): Promise<Approved | null> {
  const id = isMap(approval) ? approval['id'] : null
  if (typeof id !== 'string') return null
  const { realm } = door.runtime.follower.state.place
  const parts = partsInRealm(id, realm)
  if (parts?.kind !== 'verdict' || parts.address === null) return null
  const task = await accessTask(agent, parts.address)
  if (task === null) return null
  const called = evaluatedIn(task.request)
  const verdict = await verdictNow(agent, task.id)
  if (verdict?.name !== id || verdict.outcome !== 'allow' || called === null) return null
  return { message: task.message, called, verdict }
}

interface Answered {
  readonly presented: PresentedWith
  /** Null where none was presented that is the caller's. */
  readonly approved: Approved | null
  /** On the evaluation itself, which knows of no approval. */
  readonly verdict: Verdict
  readonly answer: EvaluationAnswer
}

/** The answer with what the profile adds to it. */
export async function withAccess(
  door: Door,
  agent: DoorAgent,
  { presented, approved, verdict, answer }: Answered,
): Promise<EvaluationAnswer> {
  const evaluated = {
    ...answer.context,
    evaluation_id: verdict.name,
    evaluated_at: new Date(verdict.origin.appendedAt).toISOString(),
  }
  if (answer.decision) return { decision: true, context: evaluated }
  if (presented.approval === undefined) {
    const requestable = await requestableOf(door, agent, verdict)
    const reason = requestable === null ? verdict.reasons[0]?.code : 'approval_required'
    const request = requestable === null ? {} : { access_request: requestable }
    return { decision: false, context: { ...evaluated, reason, ...request } }
  }
  const reason = await refusalOf(door, agent, { presented, approved, verdict })
  if (typeof reason !== 'string') {
    const { reasons: _, request: __, ...context } = evaluated
    return { decision: true, context: { ...context, ...reason } }
  }
  const next = renewable.has(reason) ? await requestableOf(door, agent, verdict) : null
  return {
    decision: false,
    context: {
      ...evaluated,
      reason,
      next_action: next === null ? 'none' : 'request',
      ...(next !== null && { access_request: next }),
    },
  }
}

type ApprovalRefusal =
  | 'approval_expired'
  | 'out_of_scope'
  | 'policy_denied'
  | 'approval_unverifiable'

const renewable: ReadonlySet<ApprovalRefusal> = new Set(['approval_expired', 'out_of_scope'])

/** Of an approval that was used up just now, for this. */
interface Used {
  readonly constraints: NonNullable<VerdictData['terms']>['constraints']
  readonly approval: { readonly id: string; readonly approved_until: string }
}

/** Why the approval is worth nothing here, or what it was used for. */
async function refusalOf(
  door: Door,
  agent: DoorAgent,
  { presented, approved, verdict }: Omit<Answered, 'answer'>,
): Promise<ApprovalRefusal | Used> {
  if (approved === null) return 'approval_unverifiable'
  if (!isRequestable(door, agent, verdict)) return 'policy_denied'
  if (!isSameCall(approved.called, presented.asked)) return 'out_of_scope'
  // It was allowed without anyone's word, so no one's word stands for what is asked of people now.
  if (approved.verdict.terms === null) return 'approval_expired'
  try {
    const { constraints, useBy } = await agent.start(approved.verdict.intent)
    return { constraints, approval: { id: approved.verdict.name, approved_until: useBy } }
  } catch (error) {
    if (!(error instanceof Fault) || error.retry === 'soon') throw error
    return startRefusals.get(error.code) ?? 'approval_unverifiable'
  }
}

const startRefusals: ReadonlyMap<string, ApprovalRefusal> = new Map([
  ['warrant_expired', 'approval_expired'],
  ['warrant_revoked', 'approval_expired'],
  ['warrant_used', 'approval_expired'],
  ['agent_suspended', 'policy_denied'],
  ['capability_suspended', 'policy_denied'],
])
