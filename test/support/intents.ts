// One call that is asked for again and again, but for one of its arguments; its plain allow is
// three facts: the message, its grounding, its verdict.
import { ulidIds } from '#system/ids'
import { writeLine } from '#record/ndjson'
import { addressOf, nameOf, type Place } from '#record/names'
import { buildMessage } from '#messages/build'
import type { Entry } from '#ports/log'
import type { IntentFields } from '#client/connect'
import type { TestSetup } from './runtime.ts'

export const capability = {
  id: 'read_file',
  description: 'Reads one file',
  safetyClass: 'READ' as const,
  concepts: ['file'],
  argsSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, line: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
}

export const file = {
  name: 'file',
  depths: [{ level: 0 }, { level: 1, properties: { is: 'bytes under a name' } }],
}

/** A catalog in which these agents may make the call without a limit, and its graph. */
export function readingBy(agents: readonly string[]): TestSetup {
  return {
    catalog: {
      capabilities: [capability],
      principals: agents.map((id) => ({ id })),
      limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 }],
    },
    graph: { primitives: [file] },
  }
}

export function intentOf(line: number): IntentFields {
  return { tool: capability.id, args: { path: '/etc/hosts', line }, goal: 'read one line' }
}

interface Asking {
  readonly agents: readonly string[]
  readonly session?: string | null
  readonly tool?: string
}

/** Messages as agents in other processes would publish them, in turns, each made as it is taken. */
export function* messagesIn(
  place: Place,
  count: number,
  { agents, session = null, tool = capability.id }: Asking,
): Generator<Entry> {
  const ids = ulidIds()
  const now = Date.now()
  for (let index = 0; index < count; index += 1) {
    const ulid = ids.next(now)
    const { goal = '', ...call } = intentOf(index)
    const agent = agents[index % agents.length] ?? ''
    const payload = { intent: { ...call, tool } }
    const within = session === null ? {} : { session_id: session }
    const fields = { type: 'query', sender: agent, content: goal, payload, ...within }
    const message = buildMessage(fields, { now, id: `MSG-${ulid}` })
    const name = nameOf(place, 'vlp', addressOf(agent, session, ulid))
    yield { name, bytes: Buffer.from(writeLine(message).trimEnd(), 'utf8') }
  }
}
