// Hooks of coding agents over HTTP: the host's event comes in, and the answer goes out in the shape
// that the host reads. Whatever is refused is a denial that it understands, with status 200: a host
// may take any other status for one that lets the call run.
import type { Context, Hono } from 'hono'
import { decisionOutput, neutralOutput, type HookOutput } from '#shell/hooks/hook-answer'
import type { Host } from '#shell/hooks/hosts/host'
import { hostNamed } from '#shell/hooks/hosts/hosts'
import type { HookJudge } from '#judging/judging'
import { bodyOf, noteRequest } from '#serving/app'
import { problemOf, requestInvalid } from '#serving/problem'
import { HookEventBody } from '#schemas/http/bodies'
import { hookDoorOn } from '#client/doors/hook-agent'
import { pathOf } from './answers.ts'
import type { Door } from './door.ts'
import { agentOfCaller } from './intents.ts'
import { addRoute } from './routed.ts'

/** Of an event: it may hold what a tool has answered. */
export const hookBytesMax = 4 * 1024 * 1024

/** A tool is given texts, and few values: many would hold up everyone else. */
const valuesMax = 20_000

export function addHooks(app: Hono, door: Door, judge: HookJudge | null): void {
  const hooks =
    judge === null
      ? null
      : hookDoorOn({
          runtime: door.runtime,
          judge,
          linkOf: (intent) => `${door.url()}${pathOf(intent)}`,
        })
  const missing = missesOf(door)
  addRoute(app, 'hook', async (c) => {
    const host = hostNamed(c.req.param('host') ?? '')
    if (host === null) throw requestInvalid(404, 'no such coding agent')
    const observes = c.req.query('observe') === 'true'
    const root = c.req.query('root') ?? null
    try {
      const { caller, agent } = await agentOfCaller(door, c)
      if (hooks === null) throw requestInvalid(404, 'no hooks are answered here')
      const event = await bodyOf(c, HookEventBody, hookBytesMax, valuesMax)
      const { principal } = caller
      const output = await door.waiting(caller, () =>
        hooks.answer(host, event, { principal, agent, observes, root }),
      )
      if (observes) missing.note(host, principal, output.missed ?? null)
      await caller.stillGood()
      return answered(c, output)
    } catch (error) {
      noteRequest(door.runtime, error)
      const { code, detail } = problemOf(error)
      if (observes) return answered(c, missing.refused(host, `${code}: ${detail}`))
      const reason = `warrant: blocked, since the hook was refused (${code}): ${detail}`
      return answered(c, decisionOutput(host, { outcome: 'deny', reason }))
    }
  })
}

/** Says that hooks only observe, once for each, and counts what of them is not recorded. */
function missesOf({ runtime: { logger } }: Door) {
  const known = new Set<string>()
  let missed = 0
  const miss = (fields: object): void => {
    missed += 1
    logger.warn({ ...fields, missed }, 'observed: not recorded')
  }
  return {
    note({ name: host }: Host, principal: string, why: string | null): void {
      const key = `${host} ${principal}`
      if (known.size < knownMax && !known.has(key)) {
        known.add(key)
        logger.warn(
          { host, principal },
          'observing only: nothing that this hook decides is enforced',
        )
      }
      if (why !== null) miss({ host, principal, why })
    },
    refused(host: Host, why: string): HookOutput {
      miss({ host: host.name, why })
      return neutralOutput(host, 'call', why)
    },
  }
}

const knownMax = 1_024

/** To a command what it is to print, and to a host the JSON alone. */
function answered(c: Context, output: HookOutput): Response {
  if (c.req.query('as') === 'command') return c.json({ ...output })
  return c.body(output.body, 200, { 'content-type': 'application/json' })
}
