// Asking, waiting, starting and ending: the intents of a caller, and no one else's.
import { createHash } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { Fault } from '#record/fault'
import { forPresent } from '#record/present-members'
import type { Verdict } from '#replay/verdicts/verdict'
import { bodyOf } from '#serving/app'
import { Refusal, requestInvalid } from '#serving/problem'
import { AskBody, OutcomeBody, WithdrawBody } from '#schemas/http/bodies'
import type { Intent } from '#schemas/intent'
import { Pending } from '#client/pending'
import type { DoorAgent } from '#client/doors/door-agent'
import { decidedAnswer, etagOf, pathOf, waitingAnswer } from './answers.ts'
import type { Caller, Door } from './door.ts'
import { addRoute } from './routed.ts'

/** How long an answer may take, in seconds. */
const waitMax = 60
/** Without a wish the stages are waited for, and people are not. */
const waitDefault = 10

export function addIntents(app: Hono, door: Door): void {
  addRoute(app, 'ask', async (c) => {
    const { caller, agent } = await agentOfCaller(door, c)
    const { session, routing, ...intent } = await bodyOf(c, (body) => forPresent(AskBody, body))
    const key = repetitionKey(c, caller)
    const wait = waitOf(c)
    return door.waiting(caller, async () => {
      const asked = agent.ask(intent, {
        waitMs: (wait ?? waitDefault) * 1_000,
        onReview: () => wait !== null,
        signal: c.req.raw.signal,
        ...(session !== undefined && { session: agent.session(session) }),
        ...(routing !== undefined && { routing }),
        ...(key !== null && { key }),
      })
      return answered(c, { door, caller, tool: intent.tool }, await settled(c, asked))
    })
  })
  addRoute(app, 'intent', async (c) => {
    const caller = await door.callerOf(c)
    const agent = door.agentFor(caller)
    const { intent, request } = await ownIntent(c, agent)
    const known = c.req.header('if-none-match')
    const wait = waitOf(c) ?? 0
    return door.waiting(caller, async () => {
      const asked = agent.verdict(intent, {
        waitMs: wait * 1_000,
        onReview: (waits) => known === undefined || etagOf(waits) === known,
        signal: c.req.raw.signal,
      })
      return answered(c, { door, caller, tool: request.tool }, await settled(c, asked))
    })
  })
  addStarting(app, door)
}

function addStarting(app: Hono, door: Door): void {
  addRoute(app, 'start', async (c) => {
    const agent = door.agentFor(await door.callerOf(c))
    const { intent, request } = await ownIntent(c, agent)
    const terms = await decidedAlready(async () => {
      try {
        return await agent.start(intent)
      } catch (error) {
        throw usedByReading(door, request, error)
      }
    })
    return c.json({ intent, terms })
  })
  addRoute(app, 'outcome', async (c) => {
    const agent = door.agentFor(await door.callerOf(c))
    const { intent } = await ownIntent(c, agent)
    const outcome = await bodyOf(c, OutcomeBody)
    await decidedAlready(() => agent.end(intent, outcome))
    return c.json({ intent })
  })
  addRoute(app, 'withdraw', async (c) => {
    const { agent } = await agentOfCaller(door, c)
    const { intent } = await ownIntent(c, agent)
    const { note } = (await bodyOf(c, WithdrawBody.optional())) ?? {}
    await agent.withdraw(intent, note)
    return c.json({ intent })
  })
}

/** Reading once more changes nothing: its caller may ask again, and reads why it may. */
function usedByReading({ runtime }: Door, { tool }: OwnIntent['request'], error: unknown): unknown {
  const capability = runtime.follower.state.catalog.capabilities.get(tool)
  const isUsed = error instanceof Fault && error.code === 'warrant_used'
  if (!isUsed || capability?.safetyClass !== 'READ') return error
  return new Refusal(409, 'warrant_used', error.message, { reason: 'only_reads' })
}

/** The caller and its agent, where what they say need not be signed. */
export async function agentOfCaller(
  door: Door,
  c: Context,
): Promise<{ readonly caller: Caller; readonly agent: DoorAgent }> {
  const caller = await door.callerOf(c)
  const agent = door.agentFor(caller)
  if (!agent.isKeyed) return { caller, agent }
  const fix = 'send its signed message to `/v1/messages`'
  throw new Fault('signature_needed', `\`${caller.principal}\` has a key: ${fix}`)
}

interface OwnIntent {
  readonly intent: string
  readonly request: Pick<Intent, 'tool'>
}

// Whether another has an intent is no one's business: what is not one's own is not there.
async function ownIntent(c: Context, agent: DoorAgent): Promise<OwnIntent> {
  const intent = c.req.param('id') ?? ''
  const request = await agent.requested(intent)
  if (request !== null) return { intent, request }
  throw new Refusal(404, 'no_intent', 'the caller has no intent of that address')
}

async function settled(c: Context, asked: Promise<Verdict>): Promise<Verdict | Pending> {
  try {
    return await asked
  } catch (error) {
    // Who leaves gives the place back at which it waited.
    if (c.req.raw.signal.aborted) throw requestInvalid(408, 'the caller has left')
    if (error instanceof Pending) return error
    throw error
  }
}

async function decidedAlready<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Pending)) throw error
    throw new Refusal(409, 'not_decided', `\`${error.intent}\` has no verdict yet`)
  }
}

async function answered(
  c: Context,
  { door, caller, tool }: { readonly door: Door; readonly caller: Caller; readonly tool: string },
  found: Verdict | Pending,
): Promise<Response> {
  // What was good when the wait began may not be when it ends.
  await caller.stillGood()
  door.agentFor(caller)
  const isPending = found instanceof Pending
  const answer = isPending ? waitingAnswer(found.intent, found.waits) : decidedAnswer(found, tool)
  c.header('etag', isPending ? etagOf(found.waits) : etagOf(decidedAnswer(found, tool)))
  c.header('location', pathOf(found.intent))
  if (c.req.method === 'GET') {
    const isKnown = c.res.headers.get('etag') === c.req.header('if-none-match')
    return isKnown ? c.body(null, 304) : c.json(answer)
  }
  if (isPending) c.header('retry-after', '1')
  return c.json(answer, isPending ? 202 : 200)
}

/** Of the query or of `Prefer`, in seconds; null where neither says it. */
function waitOf(c: Context): number | null {
  const preferred = /(?:^|[,;\s])wait=(?<seconds>[0-9]{1,6})(?:$|[,;\s])/.exec(
    c.req.header('prefer') ?? '',
  )
  const text = c.req.query('wait') ?? preferred?.groups?.['seconds']
  if (text === undefined) return null
  if (!/^[0-9]{1,6}$/.test(text)) throw requestInvalid(400, '`wait` takes whole seconds')
  const wait = Math.min(Number(text), waitMax)
  if (preferred !== null) c.header('preference-applied', `wait=${wait}`)
  return wait
}

const keyPattern = /^[\x21-\x7e]{1,256}$/

/** What every repetition of the request is called in the log; null where it names nothing. */
export function repetitionKey(c: Context, { principal }: Caller): string | null {
  const given = c.req.header('idempotency-key')
  if (given === undefined) return null
  if (!keyPattern.test(given)) {
    throw requestInvalid(400, '`Idempotency-Key` takes 1 to 256 visible characters')
  }
  return `K${createHash('sha256')
    .update(JSON.stringify([principal, given]))
    .digest('hex')
    .slice(0, 32)}`
}
