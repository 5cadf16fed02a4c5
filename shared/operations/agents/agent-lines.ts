// Agents and people on a screen: all of them as rows, and one with what stops it.
import { toned, type Line, type OnScreen } from '#present/lines'
import { counted, shellWord } from '#present/wording'
import type { AgentRow, BlockShown } from '#schemas/operations/agents'
import type { OperationAnswer } from '#schemas/operations/table'
import type { Columns } from '../answering.ts'
import { suspensionLines } from './standing-lines.ts'

export const agentColumns: Columns<AgentRow> = {
  empty: 'there is no such agent or person',
  tone: (row) => (stopsText(row) === '' ? 'plain' : 'bad'),
  columns: [
    ['agent', ({ agent }) => agent],
    ['owner', ({ owner }) => owner ?? ''],
    ['roles', ({ roles }) => roles.join(', ')],
    ['groups', ({ groups }) => groups.join(', ')],
    ['level', ({ level }) => level ?? ''],
    ['open', ({ open }) => (open === 0 ? '' : String(open))],
    ['', stopsText],
  ],
}

/** By what it is stopped; its level says it for what it has earned. */
function stopsText({ suspended, blocked, moving, keyless }: AgentRow): string {
  return [
    ...(suspended ? ['SUSPENDED'] : []),
    ...(blocked ? ['BLOCKED'] : []),
    ...(moving ? ['MOVING'] : []),
    ...(keyless ? ['no key left'] : []),
  ].join(', ')
}

export function agentOnScreen(answer: OperationAnswer<'agent'>): readonly OnScreen[] {
  const { agent: row, attributes, owns, keys, passkeys, via, blocks, standing } = answer
  const { agent, owner, roles, groups, open, level } = row
  const known = Object.entries(attributes).map(([name, value]) => `${name}=${value}`)
  const signsWith = [...keys, ...(passkeys > 0 ? [counted(passkeys, 'passkey')] : [])]
  const rows = [
    ['owner', owner ?? ''],
    ['roles', roles.join(', ')],
    ['groups', groups.join(', ')],
    ['attributes', known.join(', ')],
    ['owns', owns.join(', ')],
    ['signs by', signsWith.join(', ')],
    ['doors', via.join(', ')],
    ['level', level ?? ''],
    ['open', open === 0 ? '' : counted(open, 'intent')],
  ] as const
  return [
    owner === null ? agent : `${agent}, an agent of ${owner}`,
    ...rows.flatMap(([name, text]) => (text === '' ? [] : [`  ${name.padEnd(nameWidth)}${text}`])),
    ...stopLines(row, blocks),
    ...(standing === null || standing.suspendedBy === null
      ? []
      : suspensionLines(agent, standing.suspendedBy.name)),
  ]
}

const nameWidth = 12

function stopLines(
  { agent, suspended, moving, keyless }: AgentRow,
  blocks: readonly BlockShown[],
): readonly Line[] {
  const word = shellWord(agent)
  return [
    ...(suspended
      ? [
          toned('bad', '  suspended by the catalog: all that it asks is denied'),
          `  a policy admin lifts that: warrant unsuspend ${word}`,
        ]
      : []),
    ...blocks.map((block) =>
      toned('bad', `  blocked by ${block.sender}${whereText(block)}: ${block.name}`),
    ),
    ...(blocks.length > 0
      ? [`  its owner or a policy admin lifts that: warrant unblock ${word}`]
      : []),
    ...(moving ? [toned('bad', '  on its way to another cell: what it asks is denied')] : []),
    ...(keyless ? [toned('bad', '  no key left: its messages are ignored')] : []),
  ]
}

function whereText({ group, session }: BlockShown): string {
  if (group !== null) return ` with the group ${group}`
  return session === null ? '' : ` where it speaks in the session ${session}`
}
