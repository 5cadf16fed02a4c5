// Why a person may not rule on a question of learning, in words.
import { curatorRole, policyAdminRole } from '#rules/catalog/duties'
import type { RulerRefusal } from '#messages/learning/ruler'

const refusals = {
  unknown_person: 'the catalog knows no such person',
  not_a_curator: `the person is neither ${curatorRole} nor ${policyAdminRole}`,
  met_the_gap: 'it is about a gap that this agent has met',
  others_may_rule: 'it is about a gap of an agent of this owner, and others may rule on it',
} as const satisfies Record<RulerRefusal, string>

export function rulerRefusalText(refused: RulerRefusal): string {
  return refusals[refused]
}
