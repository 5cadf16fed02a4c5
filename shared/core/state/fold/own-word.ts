// What an agent says in its own name beside its messages: it must be under its own name, and one
// that ever had a key must sign it.
import type { Signature } from '#schemas/values'
import { jsonOf } from '../../kernel/canonical.ts'
import { readEvent } from '../../kernel/event.ts'
import { sessionToken, token, type NameParts } from '../../kernel/names.ts'
import { isSignedBySpeaker } from '../../messages/sender.ts'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'

type Signed = Readonly<Record<string, unknown>> & { readonly signature?: Signature | undefined }

/** Why it is not that agent's own word; null where it is. */
export function ownWordRefusal(
  { catalog, log }: Pick<State, 'catalog' | 'log'>,
  name: string,
  { agent, data }: { readonly agent: string; readonly data: Signed },
): string | null {
  const { signature, ...signed } = data
  if (token(agent) !== name.split('.')[3]) return 'it is another agent’s'
  const keys = catalog.principals.get(agent)?.keys ?? []
  if (!catalog.keyed.has(agent)) return null
  const isSigned =
    signature !== undefined && isSignedBySpeaker(keys, { log, name }, jsonOf(signed), signature)
  return isSigned ? null : 'its agent has a key and did not sign it'
}

/** Why it counts for nothing. It never changes the state: no rule may rest on it. */
export function routingRefusal(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('routing', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (sessionToken(data.session) !== parts.tokens[1]) return 'it is of another session'
  return ownWordRefusal(state, fact.name, { agent: data.agent, data })
}
