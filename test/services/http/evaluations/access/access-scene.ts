// A gateway that has people asked for those whom it asks about: its evaluations, its requests, and
// what they are answered, as any client would send and read them.
import { z } from 'zod'
import { Principal } from '#schemas/catalog'
import { AccessTaskAnswer } from '#schemas/http/access-requests'
import type { EvaluationAnswer } from '#schemas/http/evaluations'
import { changeCatalog } from '../../../../support/runtime.ts'
import { decisionPoint, evaluated, type Catalog, type DecisionPoint } from '../decision-point.ts'

const argsSchema = { type: 'object' }
const subjects = [{ type: 'user', who: { role: 'staff' } }]
const minute = 60_000

const seen = { name: 'seen', effect: 'confirm' as const, when: 'true', confirmation: 'desk' }
const closed = {
  name: 'closed',
  effect: 'deny' as const,
  when: "has(args.resource.properties) && args.resource.properties.state == 'closed'",
}

export const accessCatalog: Catalog = {
  principals: [
    { id: 'gate', via: ['http'], evaluates: { subjects, asks: true } },
    { id: 'side', via: ['http'], evaluates: { subjects, asks: true } },
    { id: 'reader', via: ['http'], evaluates: { subjects } },
    { id: 'ann', roles: ['staff'], owner: 'olga' },
    { id: 'ben', roles: ['staff'], owner: 'olga' },
  ],
  groups: [{ id: 'desk', members: ['olga', 'piet', 'quin'] }],
  confirmations: [
    {
      id: 'desk',
      tier: 'four_eyes',
      sessionless: true,
      group: 'desk',
      quorum: 1,
      decideWithinMs: minute,
      useWithinMs: 2 * minute,
    },
  ],
  capabilities: [
    { id: 'file.read', safetyClass: 'READ', argsSchema },
    { id: 'file.show', safetyClass: 'READ', argsSchema, conditions: [seen] },
    { id: 'file.send', safetyClass: 'READ', argsSchema, conditions: [seen, closed] },
  ],
}

export function accessPoint(catalog = accessCatalog): Promise<DecisionPoint> {
  return decisionPoint(catalog, { arap: true })
}

export interface Sending {
  readonly resource?: object
  readonly context?: object
  readonly denial?: object
}

/** What is evaluated: whether ann may send the file, or with what else is given. */
export function sending(more: Sending = {}) {
  return {
    subject: { type: 'user', id: 'ann' },
    action: { name: 'send' },
    resource: { type: 'file', id: 'f-1' },
    ...more,
  }
}

const Requestable = z.strictObject({
  endpoint: z.string(),
  expires_at: z.string(),
  binding_token: z.string(),
})
const DeniedContext = z.looseObject({
  id: z.string(),
  evaluation_id: z.string(),
  evaluated_at: z.string(),
  reason: z.string(),
  access_request: Requestable,
})

/** What a denial says to who may request. */
export function requestable({ context }: EvaluationAnswer): z.output<typeof DeniedContext> {
  return DeniedContext.parse(context)
}

/** What a request says of the denial, where people would be asked. */
export async function denial(point: DecisionPoint, body: object = sending()) {
  const { evaluation_id, evaluated_at, reason, access_request } = requestable(
    await evaluated(point, body),
  )
  const { expires_at, binding_token } = access_request
  return { evaluation_id, evaluated_at, expires_at, reason, binding_token }
}

export interface Requesting {
  readonly body?: Sending & Readonly<Record<string, unknown>>
  readonly key?: string
  readonly token?: string
}

/** Sends an access request for what `sending` has, or with what else is given. */
export function request(point: DecisionPoint, { body, key, token }: Requesting): Promise<Response> {
  return point.send('/access/v1/requests', sending(body), {
    ...(token !== undefined && { token }),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
}

export interface TaskShown extends AccessTaskAnswer {
  readonly http: number
  readonly headers: Headers
}

async function readTask(response: Response): Promise<TaskShown> {
  const { status: http, headers } = response
  return { ...AccessTaskAnswer.parse(await response.json()), http, headers }
}

/** The task of a request. */
export async function requested(point: DecisionPoint, of: Requesting): Promise<TaskShown> {
  return readTask(await request(point, of))
}

/** An evaluation is denied, and people are asked. */
export async function asked(point: DecisionPoint): Promise<TaskShown['task']> {
  return (await requested(point, { body: { denial: await denial(point) } })).task
}

/** Where it is looked at, on any server of the log. */
export function taskPath(id: string, more = ''): string {
  return `/access/v1/requests/${encodeURIComponent(id)}${more}`
}

export async function looked(point: DecisionPoint, id: string): Promise<TaskShown> {
  return readTask(await point.send(taskPath(id), null, { method: 'GET' }))
}

export async function cancelled(point: DecisionPoint, id: string, body: object = {}) {
  return readTask(await point.send(taskPath(id, '/cancel'), body))
}

/** The status of a problem, and its type without what all of the profile have in common. */
export async function problem(sent: Promise<Response>): Promise<string> {
  const response = await sent
  const { type } = z.looseObject({ type: z.string() }).parse(await response.json())
  return `${response.status} ${type.replace('urn:openid:authzen:access-request:error:', '')}`
}

/** The approval of a task that people have agreed to. */
export async function approval(point: DecisionPoint, id: string) {
  await point.on.decide(id, 'piet')
  await point.on.watch.settled(point.on.log)
  const { result } = await looked(point, id)
  return AccessTaskAnswer.shape.result.unwrap().parse(result).approval
}

/** Evaluates it again with that approval. */
export function again(
  point: DecisionPoint,
  given: unknown,
  body: Sending = sending(),
): Promise<EvaluationAnswer> {
  return evaluated(point, { ...body, context: { ...body.context, approval: given } })
}

/** The catalog lets the gateway have people asked no more. */
export async function mayNotAsk({ on }: DecisionPoint): Promise<void> {
  const entry = Principal.parse({ id: 'gate', via: ['http'], evaluates: { subjects } })
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  await on.watch.settled(on.log)
}
