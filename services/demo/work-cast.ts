// Who plays in the work demo: a policy admin, the planner who issues contracts, two leads who are
// asked, and the workers.
import type { Member } from './members.ts'

export const [workAdmin, workPlanner, workOwner] = [
  'work-operations',
  'work-planner',
  'work-owner',
] as const
export const leads = ['lead-ann', 'lead-bea'] as const

export function workMembers(agents: readonly string[]): readonly Member[] {
  return [
    ...[workPlanner, workOwner, ...leads].map((id) => ({ id })),
    ...agents.map((id) => ({ id, roles: ['writer', 'admin'], owner: workOwner })),
  ]
}
