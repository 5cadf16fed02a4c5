// Envoy's external authorization over HTTP: each request at a proxy is a question, and the answer
// is 200 or 403, whatever happens. It is an app of its own, since the path is the client's.
import { Hono, type Context } from 'hono'
import { edgeCall } from '#rules/catalog/doors/edge-call'
import { noteRequest } from '#serving/app'
import { targetOf } from '#serving/listening'
import { problemType } from '#serving/problem'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Door } from '../door.ts'
import { agentOfCaller } from '../intents.ts'
import { canBeId, type Evaluating } from './evaluating.ts'

const prefix = '/v1/ext-authz'

/** Whether it comes from a proxy: by its target as it came, before anything in it is resolved. */
export function isFromEdge(request: Request): boolean {
  const target = targetOf(request)
  return target === prefix || target.startsWith(`${prefix}/`) || target.startsWith(`${prefix}?`)
}

export function extAuthzApp(door: Door, evaluating: Evaluating): Hono {
  const app = new Hono()
  app.all('*', async (c) => {
    try {
      const verdict = await judged(c, door, evaluating)
      return answerOf(verdict)
    } catch (error) {
      noteRequest(door.runtime, error)
      return answerOf(null)
    }
  })
  // Whatever else there is, such as a method that the app has no name for.
  app.notFound(() => answerOf(null))
  return app
}

async function judged(c: Context, door: Door, evaluating: Evaluating): Promise<Verdict | null> {
  const { agent } = await agentOfCaller(door, c)
  const target = targetOf(c.req.raw).slice(prefix.length)
  const [path = '', ...rest] = (target.startsWith('/') ? target : `/${target}`).split('?')
  const { method } = c.req
  const host = (c.req.header('host') ?? '').toLowerCase().replace(/:\d+$/, '')
  const id = c.req.header('x-warrant-subject') ?? ''
  const type = c.req.header('x-warrant-subject-type') ?? 'user'
  const call = edgeCall(door.runtime.follower.state.catalog, { method, host, path })
  if (call === null || door.closing.aborted) return null
  if (![id, type].every((one) => one !== '' && canBeId(one))) return null
  const query = queryOf(rest.join('?'))
  const args = { method, host, path, params: { ...call.params }, query }
  return evaluating(agent, { tool: call.tool, args, subject: { type, id } })
}

// A name may come twice, and servers differ in which one they take.
function queryOf(text: string): Record<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    found.set(name, [...(found.get(name) ?? []), value])
  }
  return Object.fromEntries(found)
}

/** A proxy hands it to its client, so it shows nothing of the rules. */
function answerOf(verdict: Verdict | null): Response {
  const headers = new Headers()
  if (verdict !== null) headers.set('x-warrant-verdict', verdict.name)
  if (verdict?.outcome === 'allow') return new Response(null, { status: 200, headers })
  headers.set('content-type', problemType)
  const body = JSON.stringify({ type: 'about:blank', title: 'Forbidden', status: 403 })
  return new Response(body, { status: 403, headers })
}
