// Who plays in the office demo: a policy admin, the office's tools and its user, and one agent a
// session.
import { agentFor, type Member } from './members.ts'

export const [officeAdmin, officeTools, officeUser] = [
  'office-operations',
  'office-tools',
  'office-user',
] as const

/** What the recording adds to the catalog of its suite: the tools, the user, the agents. */
export function officeMembers(
  ownAccounts: readonly string[],
  sessions: readonly string[],
): readonly Member[] {
  const accounts = ownAccounts.map((own, index) => [`own-${index + 1}`, own] as const)
  return [
    { id: officeTools },
    { id: officeUser, attributes: Object.fromEntries<string>(accounts) },
    ...sessions.map((session) => agentFor(session, officeUser)),
  ]
}
