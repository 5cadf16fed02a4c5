// Which proposals an intent waits for, and which facts say what became of them: others may have
// been asked the same before it came.
import type { GroundingData } from '#schemas/facts'
import { readData } from '#record/event'
import { keyOf, templatesFor } from '#messages/learning/template'
import { partsInRealm, type NameParts } from '#record/names'
import { queryOf } from '#stages/teachable'
import type { State } from '#state/state'
import type { LoggedFact } from '#state/folded'

export interface AddedFor {
  /** Whether the fact is about something that the intent waits for, right after it was folded. */
  isAbout(state: State, fact: LoggedFact, parts: NameParts): boolean
}

export function addedFor(address: string): AddedFor {
  const ids = new Set<string>()
  let grounding: GroundingData | null = null
  return {
    isAbout(state, fact, parts) {
      const [id = ''] = parts.tokens
      switch (parts.kind) {
        case 'grounding':
          if (state.intents.get(address)?.grounding?.name === fact.name)
            grounding = readData('grounding', fact)
          return false
        case 'hold':
        case 'proposal':
          for (const each of waitedFor(state, address, grounding)) ids.add(each)
          return parts.kind === 'proposal' && ids.has(id)
        case 'meeting':
        case 'suggestion':
        case 'expiry':
        case 'reopening':
        case 'ruling':
          return ids.has(id)
        case 'graph':
          return ids.size > 0 && ids.has(ruledBy(fact))
        default:
          return false
      }
    },
  }
}

function* waitedFor(
  state: State,
  address: string,
  grounding: GroundingData | null,
): Generator<string> {
  const hold = state.intents.get(address)?.hold ?? null
  const query = queryOf({ grounding: hold === null ? null : grounding })
  const keys = new Set(query === null ? [] : templatesFor(state.graph, query).map(keyOf))
  for (const { id, data } of state.learning.open.values()) {
    if (data.intent.address === address || keys.has(keyOf(data.template))) yield id
  }
}

/** The id of the proposal whose ruling the change set follows from. */
function ruledBy(fact: LoggedFact): string {
  const ruling = readData('graph', fact)?.ruling ?? ''
  const realm = fact.name.slice(0, fact.name.indexOf('.'))
  return partsInRealm(ruling, realm)?.tokens[0] ?? ''
}
