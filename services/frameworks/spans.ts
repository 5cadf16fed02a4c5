// The span of a governed call in the program's own traces, by OpenTelemetry's conventions for
// generative AI, and what Warrant knows beside them. Arguments and results stay out of it.
import { withinSpan } from '#health/tracing'
import type { FrameworkCall, JudgedCall } from './judged-call.ts'
import { NotRun } from './not-run.ts'

/** They are in development: another version is a change of what people's dashboards read. */
const genAiConventions = '1.41.0'

interface CallSpan {
  readonly call: FrameworkCall
  readonly capability: string
  readonly agent: string | null
  readonly session: string
}

export function withinCall<T>(
  { call, capability, agent, session }: CallSpan,
  act: (add: (judged: JudgedCall) => void) => Promise<T>,
): Promise<T> {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.type': 'function',
    'gen_ai.conversation.id': session,
    ...(agent !== null && { 'gen_ai.agent.id': agent }),
    'warrant.capability': capability,
  }
  const schemaUrl = `https://opentelemetry.io/schemas/${genAiConventions}`
  const span = { name: `execute_tool ${call.tool}`, attributes, schemaUrl }
  return withinSpan(span, async (add) => {
    try {
      return await act((judged) => add(judgedAttributes(judged)))
    } catch (error) {
      const type = errorType(error)
      if (type !== null) add({ 'error.type': type })
      throw error
    }
  })
}

function judgedAttributes(judged: JudgedCall) {
  if (judged.state === 'allowed') {
    const { intent, name, confirmedBy } = judged.verdict
    const by = confirmedBy.length > 0 && { 'warrant.confirmed_by': [...confirmedBy] }
    return { 'warrant.intent': intent, 'warrant.verdict': name, 'warrant.outcome': 'allow', ...by }
  }
  const { answer } = judged.notRun
  const outcome = judged.state === 'refused' ? 'deny' : 'waiting'
  return {
    'warrant.outcome': outcome,
    ...(answer.intent !== null && { 'warrant.intent': answer.intent }),
    ...(answer.status === 'refused' && {
      'warrant.reasons': answer.reasons.map(({ code }) => code),
    }),
  }
}

/** Null for a call that only waits: nothing has failed. */
function errorType(error: unknown): string | null {
  if (!(error instanceof NotRun)) return error instanceof Error ? error.name : '_OTHER'
  const { answer } = error
  switch (answer.status) {
    case 'refused':
      return answer.reasons[0]?.code ?? 'refused'
    case 'waiting':
      return null
    case 'failed':
      return answer.code
  }
}
