// Which denials people could answer, as access requests by AuthZEN have it, and what such a request
// must say of one. All of it is read off the log: a denial is the verdict on an evaluation.
import { canonical, jsonOf, type Json } from '#core/kernel/canonical'
import { digestOf } from '#core/kernel/digest'
import { partsInRealm } from '#core/kernel/names'
import { asksPeople } from '#core/catalog/doors/subjects'
import { Refusal } from '#runtime/serving/problem'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { AccessRequestBody } from '#schemas/http/access-requests'
import { accessRoutes } from '#schemas/http/access-routes'
import { EvaluationBody } from '#schemas/http/evaluations'
import type { Intent } from '#schemas/intent'
import { Pending } from '#services/client/pending'
import type { DoorAgent } from '#services/client/doors/door-agent'
import type { Door } from '../door.ts'
import { toolOf, wouldAsk } from './evaluating.ts'

/** For how long a denial can be requested. */
const denialMs = 600_000

const errors = {
  not_requestable: 400,
  expired_denial: 410,
  invalid_denial_binding: 400,
  duplicate_request: 409,
  unknown_task: 404,
  task_expired: 410,
  invalid_task_state: 409,
} as const

/** As the profile names what is wrong. */
export function accessRefused(error: keyof typeof errors, what: string): Refusal {
  const type = `urn:openid:authzen:access-request:error:${error}`
  return new Refusal(errors[error], 'access_request_refused', what, { type, reason: error })
}

/** By which the caller knows that it may request, of a denial that people could answer. */
export interface Requestable {
  readonly endpoint: string
  readonly expires_at: string
  readonly binding_token: string
}

/** Null where a request would be refused. */
export async function requestableOf(
  door: Door,
  agent: DoorAgent,
  verdict: Verdict,
): Promise<Requestable | null> {
  if (!isRequestable(door, agent, verdict)) return null
  return {
    endpoint: `${door.url()}${accessRoutes.accessRequest.path}`,
    expires_at: new Date(requestableUntil(verdict)).toISOString(),
    binding_token: await bindingToken(door, verdict.name),
  }
}

/** Whether people would be asked, and the catalog lets the caller have them asked. */
export function isRequestable(door: Door, { principal }: DoorAgent, verdict: Verdict): boolean {
  const { catalog } = door.runtime.follower.state
  return wouldAsk(verdict) && principal !== null && asksPeople(catalog, principal)
}

/** Its last moment, by the log's clock. */
export function requestableUntil({ origin }: Pick<Verdict, 'origin'>): number {
  return origin.appendedAt + denialMs
}

const tokenPattern = /^(?<name>[A-Za-z0-9_.-]{1,600})~sha256:[0-9a-f]{64}$/

// Anyone who has the log can check that it is the one of that evaluation: no key is needed.
async function bindingToken({ runtime }: Door, name: string): Promise<string> {
  const fact = await runtime.log.get(name)
  return `${name}~${digestOf(fact?.bytes ?? '')}`
}

/** A denial of the caller's own, with what was evaluated. */
export interface Denied {
  readonly verdict: Verdict
  /** The name of the message that asked. */
  readonly message: string
  readonly request: Intent
  readonly evaluated: EvaluationBody
}

/**
 * The denial that the request is about. Throws a Refusal `invalid_denial_binding` where the request
 * names none of the caller's, or asks for something else.
 */
export async function deniedOf(
  door: Door,
  agent: DoorAgent,
  body: AccessRequestBody,
): Promise<Denied> {
  const { denial = {}, subject, action, resource, context = {} } = body
  const { evaluation_id: id, binding_token: token, expires_at: until } = denial
  const name = id ?? tokenPattern.exec(token ?? '')?.groups?.['name'] ?? ''
  const denied = await evaluationOf(door, agent, name)
  if (denied === null) throw unbound('`denial` names no evaluation of the caller')
  if (token !== undefined && token !== (await bindingToken(door, name))) {
    throw unbound('`denial.binding_token` is not that of the evaluation')
  }
  if (until === undefined || Date.parse(until) !== requestableUntil(denied.verdict)) {
    throw unbound('`denial.expires_at` is not as the evaluation was answered')
  }
  const { evaluated } = denied
  const isSame = action !== undefined && resource !== undefined
  if (!isSame || callText(evaluated) !== callText({ subject, action, resource })) {
    throw unbound('the subject, the action or the resource was evaluated otherwise')
  }
  const relevant = Object.entries(relevantIn(evaluated.context ?? {}))
  if (!relevant.every(([key, value]) => isEqual(context[key], value))) {
    throw unbound('the context was evaluated otherwise')
  }
  return denied
}

function unbound(what: string): Refusal {
  return accessRefused('invalid_denial_binding', what)
}

async function evaluationOf(door: Door, agent: DoorAgent, name: string): Promise<Denied | null> {
  const { place } = door.runtime.follower.state
  const parts = partsInRealm(name, place.realm)
  if (parts?.kind !== 'verdict' || parts.address === null) return null
  const request = await agent.requested(parts.address)
  const message = await agent.message(parts.address)
  if (request?.subject === undefined || request.observe !== true || message === null) return null
  const evaluated = evaluatedIn(request)
  const verdict = await verdictNow(agent, parts.address)
  if (verdict?.name !== name || evaluated === null) return null
  return { verdict, message: message.name, request, evaluated }
}

/**
 * What an intent is the evaluation of; null where it is another call than its arguments say, as its
 * caller can write one: people agree to a capability, and not to what stands in its arguments.
 */
export function evaluatedIn({ tool, args, subject }: Intent): EvaluationBody | null {
  const parsed = EvaluationBody.safeParse(args)
  if (!parsed.success) return null
  const { data } = parsed
  const { type, id } = data.subject
  const meant = { tool: toolOf(data.resource.type, data.action.name), subject: { type, id } }
  const isIt = canonical(jsonOf(meant)) === canonical(jsonOf({ tool, subject }))
  return isIt && canonical(jsonOf(data)) === canonical(jsonOf(args)) ? data : null
}

/** Null while there is none. */
export async function verdictNow(agent: DoorAgent, intent: string): Promise<Verdict | null> {
  const found = await standingNow(agent, intent)
  return found instanceof Pending ? null : found
}

/** How an intent stands, without waiting for it. */
export async function standingNow(agent: DoorAgent, intent: string): Promise<Verdict | Pending> {
  try {
    return await agent.verdict(intent, { waitMs: 0, onReview: () => false })
  } catch (error) {
    if (error instanceof Pending) return error
    throw error
  }
}

// What the profile adds itself, and what differs each time.
const incidental: ReadonlySet<string> = new Set([
  'access_request',
  'approval',
  'evaluated_at',
  'evaluation_id',
  'justification',
  'reason',
  'time',
])

type Context = NonNullable<EvaluationBody['context']>

/** Whether one is the very call that the other is, in the same context. */
export function isSameCall(one: EvaluationBody, other: EvaluationBody): boolean {
  const [context, others] = [one, other].map((of) => jsonOf(relevantIn(of.context ?? {})))
  return callText(one) === callText(other) && isEqual(context, others)
}

function relevantIn(context: Context): Context {
  return Object.fromEntries(Object.entries(context).filter(([key]) => !incidental.has(key)))
}

/** What the context of a request says beside that of the evaluation. */
export function addedTo(evaluated: EvaluationBody, context: Context): Context {
  const known = evaluated.context ?? {}
  return Object.fromEntries(Object.entries(context).filter(([key]) => !Object.hasOwn(known, key)))
}

// Who acts for the subject may stand elsewhere in a request.
function callText({ subject, action, resource }: Omit<EvaluationBody, 'context'>): string {
  const { act: _, ...properties } = subject.properties ?? {}
  return canonical(jsonOf({ subject: { ...subject, properties }, action, resource }))
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && other !== undefined && canonical(one) === canonical(other)
}
