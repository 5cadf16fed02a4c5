// What is asked about agents, and people: who each is by the catalog, and what stops it.
import { z } from 'zod'
import { OfCell } from '../console/positions.ts'
import { StandingRow } from './standings.ts'
import { answeredAt, operation, paged, rowsPage } from './operation.ts'
import { later } from '../later.ts'

const Principal = later(() => z.string().min(1).max(256))

export const AgentRow = later(() =>
  z.object({
    agent: z.string(),
    owner: z.string().nullable().describe('Whose agent it is; null for people and services'),
    roles: z.array(z.string()),
    groups: z.array(z.string()).describe('Which have it as a member'),
    suspended: z.boolean().describe('By the catalog: all that it asks is denied'),
    blocked: z.boolean().describe('Whether a block stops it in every session'),
    moving: z.boolean().describe('Whether it is on its way to another cell'),
    keyless: z.boolean().describe('Whether it had a key and has none: nothing of it counts'),
    level: StandingRow.shape.level
      .nullable()
      .describe('By what was found of its work; null where the catalog does not go by it'),
    open: z.int().min(0).describe('How many of its intents wait for a verdict'),
    ...OfCell,
  }),
)
export type AgentRow = z.infer<typeof AgentRow>

export const agentsAsked = operation({
  name: 'agents',
  title: 'List agents and people of the catalog, and what stops them',
  who: 'party',
  path: '/agents',
  command: 'agents',
  ofState: true,
  input: later(() =>
    z.strictObject({
      search: Principal.optional().describe('Only whose name has this, or the name of its owner'),
      stopped: z
        .boolean()
        .optional()
        .describe(
          'Only who is suspended by the catalog or its standing, blocked, moving or keyless',
        ),
      ...paged,
    }),
  ),
  output: later(() => rowsPage(AgentRow, 'Agents before people, each by name')),
  examples: ['warrant agents', 'warrant agents --stopped'],
})

export const BlockShown = later(() =>
  z.object({
    name: z.string().describe('The message that stops it'),
    position: z.int().min(1),
    sender: z.string(),
    group: z.string().nullable().describe('The group that it is addressed to'),
    session: z.string().nullable().describe('The only session that it stops, as names have it'),
  }),
)
export type BlockShown = z.infer<typeof BlockShown>

export const agentAsked = operation({
  name: 'agent',
  title: 'Show who an agent or person is by the catalog, and what stops it',
  who: 'party',
  path: '/agents/{agent}',
  command: 'agents',
  ofState: true,
  input: later(() => z.strictObject({ agent: Principal.describe('The principal') })),
  output: later(() =>
    z.object({
      ...answeredAt,
      agent: AgentRow,
      attributes: z.record(z.string(), z.string()).describe('What is known of it'),
      owns: z.array(z.string()).describe('The agents whose owner it is'),
      keys: z.array(z.string()).describe('The IDs of its keys, as signatures carry them'),
      passkeys: z.int().min(0).describe('How many it has in browsers'),
      via: z.array(z.string()).describe('The doors that speak for it'),
      blocks: z
        .array(BlockShown)
        .describe('Each that stops it, or would where it spoke in that session'),
      standing: StandingRow.nullable().describe('What it has earned; null where it earns nothing'),
    }),
  ),
  examples: ['warrant agents my-agent'],
})
