// Which contract a fact is about, and whose standing, so that who reads the fact gets there.
import { isKind } from '#schemas/kinds'
import { isMap } from '#messages/envelope'
import { contractAbout } from '../story/contract-story.ts'
import type { FoundFact } from '../auditing/found-text.ts'

/** Its address; null for a fact about none. */
export function contractOfFact({ kind, name, content }: FactSeen): string | null {
  const tokens = name.split('.').slice(3)
  if (kind === 'vlp') return statesOne(content) ? tokens.join('.') : null
  return isKind(kind) ? contractAbout({ kind, tokens }) : null
}

type FactSeen = Pick<FoundFact, 'kind' | 'name' | 'content'>

function statesOne(content: FoundFact['content']): boolean {
  if (!isMap(content) || content['type'] !== 'query') return false
  const { payload = null } = content
  return isMap(payload) && payload['contract'] !== undefined
}

/** Who was let work again by it; null for another fact. */
export function reinstatedIn({ kind, content }: FactSeen): string | null {
  if (kind !== 'reinstatement' || !isMap(content)) return null
  const { data = null } = content
  const agent = isMap(data) ? data['agent'] : null
  return typeof agent === 'string' ? agent : null
}
