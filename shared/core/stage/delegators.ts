// Whoever asked an agent to act: the senders of the queries that its message refers to, and of
// those that they refer to in turn. In doubt somebody is taken for one who asked: he must never be
// his own second pair of eyes, and whoever else uses the id of his question must not hide him.
import type { VlpMessage } from '#schemas/vlp'
import { agentIn } from '../names.ts'
import type { SessionMessage } from '../vlp/session.ts'
import type { Context, View } from './view.ts'

/** Everybody who may have asked, the agent itself left out. */
export function delegatorsOf(view: View, context: Context): readonly string[] {
  const { message } = view.opening.check
  if (message === null) return []
  const asked = queriesBefore(view.opening.position, [...context.session, ...context.referred])
  const agent = agentIn(view.intent.address)
  const delegators = new Set<string>()
  const seen = new Set<string>()
  const waiting = [message]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { name, sender, check } of meantBy(next, asked)) {
      if (seen.has(name)) continue
      seen.add(name)
      if (name.split('.')[3] !== agent) delegators.add(sender)
      if (check.message !== null) waiting.push(check.message)
    }
  }
  return [...delegators]
}

/** By name, and by session and id, which several may have. */
type Queries = ReadonlyMap<string, readonly SessionMessage[]>

function queriesBefore(position: number, messages: readonly SessionMessage[]): Queries {
  const queries = new Map<string, SessionMessage[]>()
  for (const query of messages) {
    const body = query.check.message
    if (query.position >= position || body?.type !== 'query') continue
    for (const key of [query.name, idOf(body, body.id)]) {
      const others = queries.get(key)
      if (others === undefined) queries.set(key, [query])
      else others.push(query)
    }
  }
  return queries
}

function* meantBy(message: VlpMessage, queries: Queries): Generator<SessionMessage> {
  const given = message.refers_to ?? []
  for (const ref of new Set(typeof given === 'string' ? [given] : given)) {
    yield* queries.get(ref) ?? []
    yield* queries.get(idOf(message, ref)) ?? []
  }
}

function idOf({ session_id: session = null }: VlpMessage, id: string): string {
  return `${session ?? ''}\n${id}`
}
