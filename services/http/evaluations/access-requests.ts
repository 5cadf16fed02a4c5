// Access requests by the OpenID AuthZEN Access Request and Approval Profile, draft 1: what was
// denied is published as an intent of the caller about the subject, and its review is the request.
import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { canonical, jsonOf } from '#core/kernel/canonical'
import { Fault } from '#core/kernel/fault'
import { bodyOf } from '#runtime/serving/app'
import { Refusal, requestInvalid } from '#runtime/serving/problem'
import type { Verdict } from '#runtime/verdicts/verdict'
import {
  AccessCancelBody,
  AccessRequestBody,
  type AccessTaskAnswer,
} from '#schemas/http/access-requests'
import { Intent } from '#schemas/intent'
import { Pending } from '#services/client/pending'
import type { DoorAgent } from '#services/client/doors/door-agent'
import type { Caller, Door } from '../door.ts'
import { agentOfCaller, repetitionKey } from '../intents.ts'
import { addRoute } from '../routed.ts'
import {
  accessScope,
  accessTask,
  taskAddress,
  taskAnswer,
  taskNow,
  type AccessTask,
} from './access-tasks.ts'
import {
  accessRefused,
  addedTo,
  deniedOf,
  isRequestable,
  requestableUntil,
  standingNow,
  type Denied,
} from './access-denials.ts'

/** How long the stages are waited for. */
const waitMs = 10_000
/** After how many seconds a task that waits is worth another look. */
const retryAfter = 5

export function addAccessRequests(app: Hono, door: Door): void {
  addRoute(app, 'accessRequest', async (c) => {
    const { caller, agent } = await agentOfCaller(door, c)
    const body = await bodyOf(c, AccessRequestBody)
    refuseUntaken(body, caller)
    const key = keyOf(c, caller, body)
    const answer = await door.waiting(caller, () => submitted(door, agent, { body, key }))
    await caller.stillGood()
    c.header('location', answer.task.status_endpoint)
    return taskSent(c, answer, answer.task.status === 'pending' ? 202 : 201)
  })
  addRoute(app, 'accessTask', async (c) => {
    const { agent } = await agentOfCaller(door, c)
    return taskSent(c, await taskNow(door, agent, await ownTask(c, agent)), 200)
  })
  addRoute(app, 'accessCancel', async (c) => {
    const { caller, agent } = await agentOfCaller(door, c)
    const { reason, comment } = (await bodyOf(c, AccessCancelBody.optional())) ?? {}
    const task = await ownTask(c, agent)
    const note = [reason, comment].filter((one) => one !== undefined).join(': ')
    return taskSent(
      c,
      await door.waiting(caller, () => cancelled(door, agent, { task, note })),
      200,
    )
  })
}

function taskSent(c: Context, answer: AccessTaskAnswer, status: 200 | 201 | 202): Response {
  if (answer.task.status === 'pending') c.header('retry-after', String(retryAfter))
  return c.json(answer, status)
}

// What would be dropped in silence is refused, where who sends it counts on it.
function refuseUntaken({ items, callback, client }: AccessRequestBody, caller: Caller): void {
  if (items !== undefined) {
    throw requestInvalid(400, '`items` is not taken here: send a request for each')
  }
  if (callback !== undefined) {
    throw requestInvalid(400, '`callback` is not taken here: look at the `status_endpoint`')
  }
  const { actor } = client ?? {}
  const isCaller = actor?.id === caller.principal && actor.act === undefined
  if (actor !== undefined && !isCaller) {
    throw requestInvalid(400, '`client.actor` is not the caller: no one vouches for it')
  }
}

interface Submission {
  readonly body: AccessRequestBody
  /** What the intent is called in the log, in every repetition. */
  readonly key: string
}

// Without a key of the caller's own, one denial is one request.
function keyOf(c: Context, caller: Caller, { denial }: AccessRequestBody): string {
  const named = repetitionKey(c, caller) ?? denial?.evaluation_id ?? denial?.binding_token ?? ''
  const text = JSON.stringify(['access-request', caller.principal, named])
  return `A${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

async function submitted(
  door: Door,
  agent: DoorAgent,
  { body, key }: Submission,
): Promise<AccessTaskAnswer> {
  const before = await accessTask(agent, taskAddress(agent, key))
  const denied = await deniedFor(door, agent, { body, before })
  const intent = intentOf(denied, body)
  if (before !== null) {
    if (!isSameRequest(before.request, intent)) throw duplicate()
    return taskNow(door, agent, before)
  }
  if (door.runtime.logClock.now() > requestableUntil(denied.verdict)) {
    throw accessRefused('expired_denial', 'the denial is too old: evaluate again')
  }
  if (!isRequestable(door, agent, denied.verdict)) {
    throw accessRefused('not_requestable', 'no one would be asked about what was denied')
  }
  return published(agent, { door, denied, intent, key })
}

// A key that was used for something else comes before what is wrong with this use of it.
async function deniedFor(
  door: Door,
  agent: DoorAgent,
  { body, before }: Pick<Submission, 'body'> & { readonly before: AccessTask | null },
): Promise<Denied> {
  try {
    return await deniedOf(door, agent, body)
  } catch (error) {
    if (before !== null && error instanceof Refusal) throw duplicate()
    throw error
  }
}

function duplicate(): Refusal {
  return accessRefused('duplicate_request', 'the key was used for another request')
}

/** What is asked in the log: the very call that was evaluated, and what the caller adds to it. */
function intentOf(
  { request, evaluated, verdict }: Denied,
  { context = {}, requested_access, client }: AccessRequestBody,
): Intent {
  const added = addedTo(evaluated, context)
  const given = [context['justification'], context['business_justification']]
  const justification = given.find((one) => typeof one === 'string') ?? request.justification
  const said = {
    evaluation_id: verdict.name,
    ...(Object.keys(added).length > 0 && { context: added }),
    ...(requested_access !== undefined && { requested_access }),
    ...(client !== undefined && { client }),
  }
  const parsed = Intent.safeParse({
    tool: request.tool,
    args: request.args,
    subject: request.subject,
    ...(justification !== undefined && { justification }),
    scope: { [accessScope]: said },
  })
  if (parsed.success) return parsed.data
  const at = parsed.error.issues[0]?.path.join('/') ?? ''
  throw requestInvalid(400, `the request is too long: \`${at}\``)
}

function isSameRequest(one: Intent, other: Intent): boolean {
  return canonical(jsonOf(one)) === canonical(jsonOf(other))
}

interface Publishing {
  readonly door: Door
  readonly denied: Denied
  readonly intent: Intent
  readonly key: string
}

async function published(
  agent: DoorAgent,
  { door, denied, intent, key }: Publishing,
): Promise<AccessTaskAnswer> {
  const message = { refers_to: denied.message }
  try {
    await agent.ask(intent, { key, waitMs, onReview: () => false, message })
  } catch (error) {
    if (error instanceof Fault && error.code === 'request_differs') throw duplicate()
    if (!(error instanceof Pending)) throw error
  }
  const task = await accessTask(agent, taskAddress(agent, key))
  if (task === null) throw duplicate()
  // Another request under the key may have been there first.
  if (!isSameRequest(task.request, intent)) throw duplicate()
  return taskNow(door, agent, task)
}

// Whether another has a task is no one's business: what is not one's own is not there.
async function ownTask(c: Context, agent: DoorAgent): Promise<AccessTask> {
  const task = await accessTask(agent, c.req.param('id') ?? '')
  if (task !== null) return task
  throw accessRefused('unknown_task', 'the caller has no task of that id')
}

async function cancelled(
  door: Door,
  agent: DoorAgent,
  { task, note }: { readonly task: AccessTask; readonly note: string },
): Promise<AccessTaskAnswer> {
  const before = await standingNow(agent, task.id)
  if (!(before instanceof Pending)) throw ended(taskAnswer(door, task, before))
  await agent.withdraw(task.id, note === '' ? undefined : note)
  const answer = taskAnswer(door, task, await settled(agent, task.id))
  if (answer.task.status === 'cancelled') return answer
  throw ended(answer)
}

async function settled(agent: DoorAgent, intent: string): Promise<Verdict> {
  try {
    return await agent.verdict(intent, { waitMs, onReview: () => true })
  } catch (error) {
    if (!(error instanceof Pending)) throw error
    const what = 'it is taken back, and not settled yet: look at the task'
    throw new Refusal(503, 'no_verdict', what, { retryAfter })
  }
}

function ended({ task }: AccessTaskAnswer): Refusal {
  return accessRefused('invalid_task_state', `it is ${task.status} already`)
}
