// AuthZEN 1.0: one evaluation, several, and where to find both. It parses and renders.
import type { Context, Hono } from 'hono'
import { isMap } from '#messages/envelope'
import { reasonText } from '#present/reason-text'
import { bodyOf } from '#serving/app'
import { requestInvalid } from '#serving/problem'
import type { Verdict } from '#replay/verdicts/verdict'
import { EvaluationBody, EvaluationsBody, type EvaluationAnswer } from '#schemas/http/evaluations'
import { routes } from '#schemas/http/routes'
import { type Evaluated, evaluatedMax } from '#schemas/intent'
import type { DoorAgent } from '#client/doors/door-agent'
import type { Door } from '../door.ts'
import { agentOfCaller } from '../intents.ts'
import { addRoute } from '../routed.ts'
import { canBeId, toolOf, faultCode, wouldAsk, type Evaluating } from './evaluating.ts'
import { hasRules } from '#rules/catalog/rules-version'
import { enforces } from '#rules/catalog/doors/subjects'
import type { EvaluationResult } from '#schemas/facts'

/** How long what is found here may be kept, in seconds. */
const metadataMaxAge = 3_600

interface Answering {
  readonly door: Door
  readonly evaluating: Evaluating
  readonly agent: DoorAgent
}

export function addAuthzen(app: Hono, door: Door, evaluating: Evaluating): void {
  app.use('/access/*', (c, next) => {
    const id = c.req.header('x-request-id')
    return id === undefined ? next() : next().then(() => c.header('x-request-id', id))
  })
  addRoute(app, 'evaluation', async (c) => {
    const { agent } = await agentOfCaller(door, c)
    const asked = await jsonBody(c, EvaluationBody)
    return c.json(await answered({ door, evaluating, agent }, asked))
  })
  addRoute(app, 'evaluations', async (c) => {
    const { caller, agent } = await agentOfCaller(door, c)
    const body = await jsonBody(c, EvaluationsBody)
    const { evaluations = [] } = body
    const by = { door, evaluating, agent }
    if (evaluations.length === 0) return c.json(await answered(by, wholeOf(body)))
    // It pays for each of them.
    door.charge(caller, evaluations.length - 1)
    return c.json({ evaluations: await answeredAll(by, body, evaluations) })
  })
  addRoute(app, 'authzenMetadata', (c) => {
    const url = door.url()
    c.header('cache-control', `max-age=${metadataMaxAge}`)
    return c.json({
      policy_decision_point: url,
      access_evaluation_endpoint: `${url}${routes.evaluation.path}`,
      access_evaluations_endpoint: `${url}${routes.evaluations.path}`,
      search_subject_endpoint: `${url}${routes.searchSubject.path}`,
      search_resource_endpoint: `${url}${routes.searchResource.path}`,
      search_action_endpoint: `${url}${routes.searchAction.path}`,
    })
  })
}

/** The body. Throws 400 for whatever cannot be read: the standard has no other status for it. */
export function jsonBody<T>(c: Context, schema: Parameters<typeof bodyOf<T>>[1]): Promise<T> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw requestInvalid(400, 'send `Content-Type: application/json`')
  return bodyOf(c, schema)
}

function wholeOf(body: EvaluationsBody): EvaluationBody {
  const parsed = EvaluationBody.safeParse(body)
  if (parsed.success) return parsed.data
  const at = String(parsed.error.issues[0]?.path[0] ?? 'an object')
  throw requestInvalid(400, `the body is not what is expected: \`${at}\``)
}

async function answeredAll(
  by: Answering,
  body: EvaluationsBody,
  evaluations: readonly unknown[],
): Promise<EvaluationAnswer[]> {
  const semantic = body.options?.evaluations_semantic ?? 'execute_all'
  const answer = (one: unknown): Promise<EvaluationAnswer> => answeredOne(by, body, one)
  if (semantic === 'execute_all') {
    const together = mayBeTogether(by.door, by.agent)
    return together ? sharing(by, body, evaluations) : Promise.all(evaluations.map(answer))
  }
  const last = semantic === 'permit_on_first_permit'
  const answers: EvaluationAnswer[] = []
  for (const one of evaluations) {
    const found = await answer(one)
    answers.push(found)
    if (found.decision === last) break
  }
  return answers
}

// In messages that they share; what cannot share one is asked alone.
async function sharing(
  by: Answering,
  body: EvaluationsBody,
  evaluations: readonly unknown[],
): Promise<EvaluationAnswer[]> {
  const asked = evaluations.map((one) => {
    const parsed = parsedIn(body, one)
    return 'decision' in parsed ? parsed : evaluatedOf(parsed)
  })
  const open = asked.flatMap((one) => ('decision' in one ? [] : [one]))
  const found = await orRefused(() => answeredTogether(by.evaluating, by.agent, open))
  let next = 0
  const answers = asked.map(async (one) => {
    if ('decision' in one) return one
    const answer = 'decision' in found ? found : found[next]
    next += 1
    return (
      answer ?? orRefused(async () => answerTo(by.door, await by.evaluating(by.agent, one), one))
    )
  })
  return Promise.all(answers)
}

// One that cannot be answered is refused, and the others are answered.
async function answeredOne(
  by: Answering,
  body: EvaluationsBody,
  one: unknown,
): Promise<EvaluationAnswer> {
  const parsed = parsedIn(body, one)
  return 'decision' in parsed ? parsed : orRefused(() => answered(by, parsed))
}

function parsedIn(body: EvaluationsBody, one: unknown): EvaluationBody | EvaluationAnswer {
  const parsed = EvaluationBody.safeParse(isMap(one) ? { ...body, ...one } : one)
  if (parsed.success) return parsed.data
  const at = parsed.error.issues[0]?.path.join('/') ?? ''
  return refused('request_invalid', at === '' ? 'it is no object' : `\`${at}\` is missing or wrong`)
}

async function orRefused<T>(act: () => Promise<T>): Promise<T | EvaluationAnswer> {
  try {
    return await act()
  } catch (error) {
    return refused(faultCode(error), 'it was not decided')
  }
}

async function answered(by: Answering, asked: EvaluationBody): Promise<EvaluationAnswer> {
  const evaluated = evaluatedOf(asked)
  if ('decision' in evaluated) return evaluated
  return answerTo(by.door, await by.evaluating(by.agent, evaluated), evaluated)
}

/** What is asked of the stages; an answer where no one and nothing can be called that. */
function evaluatedOf(asked: EvaluationBody): Evaluated | EvaluationAnswer {
  const { subject, action, resource, context } = asked
  const tool = toolOf(resource.type, action.name)
  if (tool === null) return refused('unknown_capability', 'no tool can have that name')
  if (![subject.type, subject.id].every(canBeId)) {
    return refused('subject_refused', 'no principal can have that name')
  }
  const reason = context?.['justification']
  return {
    tool,
    args: { ...asked },
    subject: { type: subject.type, id: subject.id },
    ...(typeof reason === 'string' && { justification: reason }),
  }
}

function answerTo(
  door: Door,
  verdict: Verdict,
  { tool }: Pick<Evaluated, 'tool'>,
): EvaluationAnswer {
  const { name: id, intent, outcome, reasons, constraints = {} } = verdict
  if (outcome === 'allow') return { decision: true, context: { id, intent, constraints } }
  const said = reasons.map((one) => ({ ...one, text: reasonText(one) }))
  const href = `${door.url()}${routes.ask.path}`
  const request = wouldAsk(verdict) ? { request: { href, method: 'POST', tool } } : {}
  return { decision: false, context: { id, intent, reasons: said, ...request } }
}

/** What never came to a verdict. */
function refused(code: string, text: string): EvaluationAnswer {
  return { decision: false, context: { reasons: [{ code, text }] } }
}

// Several evaluations of one request, in as few messages as they fit into: each message is judged
// at one basis, and its verdict has what each of them comes to.

/** Of one message, so that it and its verdict stay far below what a fact may hold. */
const charactersMax = 12_000

/** Whether they may be: not where each takes a use of its own, or older rules are in force. */
function mayBeTogether({ runtime }: Door, { principal }: DoorAgent): boolean {
  const { catalog } = runtime.follower.state
  return hasRules(catalog, 'searches') && principal !== null && !enforces(catalog, principal)
}

/** What each comes to, in their order; null for one that has to be asked alone. */
async function answeredTogether(
  evaluating: Evaluating,
  agent: DoorAgent,
  evaluations: readonly Evaluated[],
): Promise<readonly (EvaluationAnswer | null)[]> {
  const parts = partsOf(evaluations)
  const answers = await Promise.all(parts.map((part) => answeredPart(evaluating, agent, part)))
  return answers.flat()
}

function partsOf(evaluations: readonly Evaluated[]): readonly (readonly Evaluated[])[] {
  const parts: Evaluated[][] = []
  let characters = Infinity
  for (const one of evaluations) {
    const last = parts.at(-1)
    const more = JSON.stringify(one).length
    characters += more
    if (last !== undefined && last.length < evaluatedMax && characters <= charactersMax) {
      last.push(one)
    } else {
      parts.push([one])
      characters = more
    }
  }
  return parts
}

async function answeredPart(
  evaluating: Evaluating,
  agent: DoorAgent,
  part: readonly Evaluated[],
): Promise<readonly (EvaluationAnswer | null)[]> {
  const [first, second] = part
  if (first === undefined || second === undefined) return part.map(() => null)
  const verdict = await evaluating(agent, { tool: first.tool, args: {}, evaluations: [...part] })
  const { results, reasons } = verdict
  // The message itself was refused: then each of them is.
  const denied: EvaluationResult = { outcome: 'deny', reasons: [...reasons] }
  return part.map((_, item) => answerOf(verdict, results?.[item] ?? denied, item))
}

function answerOf(
  { name: id, intent }: Verdict,
  result: EvaluationResult,
  item: number,
): EvaluationAnswer | null {
  const context = { id, intent, item }
  switch (result.outcome) {
    case 'alone':
      return null
    case 'allow':
      return { decision: true, context: { ...context, constraints: result.constraints } }
    case 'deny': {
      const reasons = result.reasons.map((one) => ({ ...one, text: reasonText(one) }))
      return { decision: false, context: { ...context, reasons } }
    }
  }
}
