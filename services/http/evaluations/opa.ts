// The shape of OPA's data API, for those who ask a policy engine: a path is a question about a
// tool, and anything else is undefined, as it is there.
import type { Hono } from 'hono'
import { bodyOf } from '#serving/app'
import { reasonText } from '#present/reason-text'
import type { Verdict } from '#replay/verdicts/verdict'
import { OpaBody, OpaInput } from '#schemas/http/opa'
import type { Door } from '../door.ts'
import { agentOfCaller } from '../intents.ts'
import { addRoute } from '../routed.ts'
import { canBeId, wouldAsk, type Evaluating } from './evaluating.ts'

/** Of the path `warrant/decision`. */
interface Decision {
  readonly decision: 'allow' | 'deny' | 'requires-approval'
  readonly reason?: string
}

type Shape = (decision: Decision) => unknown

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['warrant/allow', ({ decision }) => decision === 'allow'],
  ['warrant/decision', (decision) => decision],
])

export function addOpa(app: Hono, door: Door, evaluating: Evaluating): void {
  addRoute(app, 'opaData', async (c) => {
    const { caller, agent } = await agentOfCaller(door, c)
    const { input } = await bodyOf(c, OpaBody)
    const shape = shapes.get(c.req.param('path') ?? '')
    // Nothing was decided, so there is nothing to name.
    if (shape === undefined) return c.json({})
    const asked = OpaInput.safeParse(input)
    const { tool, args, subject } = asked.success ? asked.data : unread
    const isWhole = asked.success && [tool.name, subject?.type, subject?.id].every(canBe)
    // To who asks so, no answer may mean that no rule applies.
    if (!isWhole) {
      return c.json({ result: shape({ decision: 'deny', reason: 'the input names no tool' }) })
    }
    const verdict = await evaluating(agent, {
      tool: tool.name,
      args,
      subject: subject ?? { id: caller.principal },
      ...(asked.data.justification !== undefined && { justification: asked.data.justification }),
    })
    return c.json({ result: shape(decisionOf(verdict)), decision_id: verdict.name })
  })
}

const unread = { tool: { name: '' }, args: {}, subject: undefined }

function canBe(text: string | undefined): boolean {
  return text === undefined || canBeId(text)
}

function decisionOf(verdict: Verdict): Decision {
  if (verdict.outcome === 'allow') return { decision: 'allow' }
  const reason = verdict.reasons.map(reasonText).join('; ')
  return { decision: wouldAsk(verdict) ? 'requires-approval' : 'deny', reason }
}
