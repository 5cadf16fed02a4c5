// How an access request stands: an intent of its caller, in the words of the profile, a task. It is
// read off the log, so any server of the log answers the same, at any time.
import { addressOf } from '#core/kernel/names'
import { isMap } from '#core/messages/envelope'
import { reasonText } from '#present/reason-text'
import type { Waits } from '#present/story/waits'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { AccessTaskAnswer } from '#schemas/http/access-requests'
import { accessRoutes } from '#schemas/http/access-routes'
import type { Intent } from '#schemas/intent'
import type { ReasonCode } from '#schemas/reasons'
import type { DoorAgent } from '#services/client/doors/door-agent'
import { Pending } from '#services/client/pending'
import type { Door } from '../door.ts'
import { accessRefused, standingNow } from './access-denials.ts'

/** So long a task can be looked at once nothing can change it any more. */
const keptMs = 86_400_000
/** So long an approval is good that needed no one after all. */
const unaskedMs = 300_000

/** By which the intent of an access request is known: what its caller said beside the call. */
export const accessScope = 'access_request'

/** Whether it is the intent of an access request. */
function isAccessRequest({ subject, observe, scope }: Intent): boolean {
  return subject !== undefined && observe !== true && isMap(scope?.[accessScope])
}

export interface AccessTask {
  /** The address of the intent. */
  readonly id: string
  readonly request: Intent
  /** When it was published, by the log's clock. */
  readonly openedAt: number
  /** The name of the message. */
  readonly message: string
}

/** Null where the caller has none of that id. */
export async function accessTask(agent: DoorAgent, id: string): Promise<AccessTask | null> {
  const request = await agent.requested(id)
  const message = await agent.message(id)
  if (request === null || message === null || !isAccessRequest(request)) return null
  return { id, request, openedAt: message.appendedAt, message: message.name }
}

/** Where the caller's task under that key is. */
export function taskAddress({ principal }: Pick<DoorAgent, 'principal'>, key: string): string {
  return addressOf(principal ?? '', null, key)
}

/** How it stands now. Throws a Refusal `task_expired` where it is too long ago. */
export async function taskNow(
  door: Door,
  agent: DoorAgent,
  task: AccessTask,
): Promise<AccessTaskAnswer> {
  return taskAnswer(door, task, await standingNow(agent, task.id))
}

export function taskAnswer(
  door: Door,
  { id, openedAt }: Pick<AccessTask, 'id' | 'openedAt'>,
  found: Verdict | Pending,
): AccessTaskAnswer {
  const at = `${door.url()}${accessRoutes.accessTask.path.replace('{id}', encodeURIComponent(id))}`
  const base = { id, status_endpoint: at }
  if (found instanceof Pending) {
    const { waits } = found
    const ends = instant((waits.until ?? openedAt) + keptMs)
    const more = {
      expires_at: ends,
      display: waitingText(waits),
      links: { cancel: `${at}/cancel` },
    }
    return { task: { ...base, status: 'pending', ...more, ...progressOf(waits) } }
  }
  const approval = approvalOf(found)
  const until = approval === null ? 0 : Date.parse(approval.approved_until)
  const ends = Math.max(found.origin.appendedAt + keptMs, until)
  if (door.runtime.logClock.now() > ends) {
    throw accessRefused('task_expired', 'it was decided too long ago')
  }
  const expires = { expires_at: instant(ends) }
  if (approval !== null) {
    const display = { title: 'Approved', description: 'Evaluate again with the approval.' }
    const task = { ...base, status: 'approved' as const, ...expires, display }
    return { task, result: { mode: 'reevaluate', approval } }
  }
  const description = found.reasons.map((one) => reasonText(one)).join('; ')
  const display = { title: 'Not approved', description }
  return { task: { ...base, status: statusOf(found), ...expires, display } }
}

// What is given for an allow.
function approvalOf({ name, outcome, origin, terms }: Verdict): Approval | null {
  if (outcome !== 'allow') return null
  return {
    id: name,
    approved_at: instant(origin.appendedAt),
    approved_until: terms?.useBy ?? instant(origin.appendedAt + unaskedMs),
  }
}

type Approval = NonNullable<AccessTaskAnswer['result']>['approval']

// No one's no to the request, and no rule's.
const failures: Partial<Readonly<Record<ReasonCode, true>>> = {
  no_confirmer: true,
  policy_faulted: true,
  rate_limited: true,
  review_stale: true,
  too_many_open: true,
}

function statusOf({ reasons }: Verdict): 'denied' | 'expired' | 'cancelled' | 'failed' {
  const codes = reasons.map(({ code }) => code)
  if (codes.includes('withdrawn')) return 'cancelled'
  if (codes.includes('declined')) return 'denied'
  if (codes.includes('review_expired')) return 'expired'
  return codes.every((code) => failures[code]) ? 'failed' : 'denied'
}

function progressOf({
  for: what,
  quorum,
  needed,
}: Waits): Pick<AccessTaskAnswer['task'], 'progress'> {
  if (what !== 'people') return {}
  return { progress: { current_step: needed - quorum + 1, total_steps: needed } }
}

function waitingText({ for: what }: Waits): { readonly title: string } {
  return { title: what === 'people' ? 'People are asked' : 'It is being judged' }
}

function instant(at: number): string {
  return new Date(at).toISOString()
}
