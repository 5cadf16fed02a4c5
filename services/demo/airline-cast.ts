// Who plays in the airline's demo: a policy admin, tools, desk and customer, and one agent a
// conversation.
import { agentFor, type Member } from './members.ts'

export const [policyAdmin, airlineTools, airlineDesk, customer] = [
  'airline-operations',
  'airline-tools',
  'airline-desk',
  'airline-customer',
] as const

/** The principals that the recording adds to the airline's own catalog. */
export function airlineMembers(sessions: readonly string[]): readonly Member[] {
  const all = [
    ...[airlineTools, airlineDesk, customer].map((id) => ({ id })),
    ...sessions.map((session) => agentFor(session, customer)),
  ]
  return all.map((one) => ({ ...one, attributes: { tenant: 'airline' } }))
}
