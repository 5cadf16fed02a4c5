// Adds a route as the table has it, with who may ask: what is not in the table cannot be added, and
// no handler runs before its person was found to have the right.
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { Fault } from '#record/fault'
import { refuseOtherOrigin } from '#serving/people/own-page'
import { problemOf, Refusal, requestInvalid } from '#serving/problem'
import type { Buckets } from '#serving/buckets'
import type { ConsoleRoute, ConsoleWho } from '#schemas/console/route'
import { consoleApi, consoleRoutes, type ConsoleRouteName } from '#schemas/console/routes'
import type { FaultCode } from '#schemas/faults/registry'
import type { AskedByPerson, ConsoleOn } from './console.ts'
import type { ConsolePerson } from './people/recognised.ts'
import { personOf } from './people/recognised.ts'

/** The path as the router writes it. */
export function consolePath(name: ConsoleRouteName): string {
  return `${consoleApi}${consoleRoutes[name].path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

type Answers = Response | Promise<Response>

/** A route that takes no session. */
export function addOpen(
  app: Hono,
  on: ConsoleOn,
  name: ConsoleRouteName,
  answer: (c: Context) => Answers,
): void {
  const route = consoleRoutes[name]
  add(app, name, (c) => {
    if (route.method === 'post') {
      refuseOtherOrigin(c, on.url())
      take(on.rates.entering, 'all', 1)
    }
    return answer(c)
  })
}

/**
 * A route for those who are signed in; `cost` is as how many requests one counts. What is about an
 * intent is answered from the log that has it.
 */
export function addFor(
  app: Hono,
  on: ConsoleOn,
  name: ConsoleRouteName,
  answer: (asked: AskedByPerson) => Answers,
  cost = 1,
): void {
  const { who } = consoleRoutes[name]
  add(app, name, async (c) => {
    const person = personOf(on, c)
    take(on.rates.person, person.id, cost)
    refuseWithout(person, who)
    const intent = c.req.param('intent')
    return answer({ c, person, on: intent === undefined ? on : await on.about(intent) })
  })
}

function add(app: Hono, name: ConsoleRouteName, answer: (c: Context) => Answers): void {
  app.on(methodOf(consoleRoutes[name]), consolePath(name), async (c) => {
    try {
      return await answer(c)
    } catch (error) {
      throw withStatus(error)
    }
  })
}

const statuses: Partial<Record<FaultCode, number>> = {
  usage: 400,
  no_review: 404,
  no_proposal: 404,
  no_fault: 404,
}

/** What cannot be done as it was asked is no defect of the server. */
function withStatus(error: unknown): unknown {
  const isPlain = error instanceof Fault && !(error instanceof Refusal)
  if (!isPlain || error.code === 'unexpected') return error
  const status = statuses[error.code] ?? problemOf(error).status
  return new Refusal(status === 500 ? 422 : status, error.code, error.message)
}

export function methodOf({ method }: ConsoleRoute): string {
  return method.toUpperCase()
}

/** Throws a Refusal 403 for a person who may not ask that. */
function refuseWithout({ id, rights }: ConsolePerson, who: ConsoleWho): void {
  if (who === 'anyone' || who === 'person' || rights.includes(who)) return
  const what = `\`${id}\` is no ${who} here, as the catalog has it`
  throw new Refusal(403, 'caller_refused', what, { reason: `not_${who}` })
}

function take(bucket: Buckets, whose: string, cost: number): void {
  const seconds = bucket.take(whose, cost)
  if (seconds === null) return
  const what = 'more requests come than this server takes from one'
  throw new Refusal(429, 'caller_busy', what, { retryAfter: seconds })
}

/** What the query says. Throws a Refusal 400. */
export function queryAsked<T>(c: Context, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(c.req.query())
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0]
  throw requestInvalid(400, `the query is not what is expected: \`${String(at).slice(0, 64)}\``)
}
