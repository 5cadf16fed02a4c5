// Who and what the golden log is about: one capability for each way in which a request can end, and
// the graph that they need.
import { newestRules } from '#rules/catalog/rules-version'
import { publicKeyOf } from '#record/crypto/private-key'
import { newKey, type TestSetup } from '../../support/runtime.ts'

const READ = 'READ' as const
const WRITE = 'WRITE' as const
const anyArgs = { type: 'object' }

const exact = {
  type: 'object',
  properties: { count: { type: 'integer', minimum: 1 } },
  required: ['count'],
  additionalProperties: false,
}

const known = (what: string) => ({ level: 1, properties: { what } })

interface PolicyFields {
  readonly name: string
  readonly [key: string]: unknown
}

/** An action on `file`, under one policy. */
export const action = (name: string, policy?: PolicyFields) => ({
  name,
  depths: [
    { level: 0 },
    {
      ...known(`what ${name} does`),
      relata: [
        {
          type: 'APPLIES_TO' as const,
          target: 'file',
          targetDepth: 1,
          policies: policy === undefined ? [] : [policy],
        },
      ],
    },
  ],
})

export const moduleText = `export const small = ({ intent }) => ({
  passed: intent.args.count < 3,
  message: 'no more than two at a time',
})
export const broken = () => {
  throw new RangeError('out of reach')
}`

export const setup = {
  catalog: {
    capabilities: [
      { id: 'look', safetyClass: READ, argsSchema: anyArgs },
      { id: 'count', safetyClass: READ, argsSchema: exact },
      { id: 'write', safetyClass: WRITE, argsSchema: anyArgs },
      { id: 'profile', safetyClass: READ, sensitivity: 'PII' as const, argsSchema: anyArgs },
      { id: 'remember', safetyClass: WRITE, sensitivity: 'MEMORY' as const, argsSchema: anyArgs },
      { id: 'recall', safetyClass: READ, sensitivity: 'MEMORY' as const, argsSchema: anyArgs },
      { id: 'rare', safetyClass: READ, argsSchema: anyArgs },
      { id: 'erase', safetyClass: READ, concepts: ['delete', 'file'], argsSchema: anyArgs },
      { id: 'burn', safetyClass: READ, concepts: ['burn', 'file'], argsSchema: anyArgs },
      { id: 'smash', safetyClass: READ, concepts: ['smash', 'file'], argsSchema: anyArgs },
      { id: 'share', safetyClass: READ, concepts: ['share', 'file'], argsSchema: anyArgs },
      { id: 'shred', safetyClass: READ, concepts: ['shred', 'file'], argsSchema: anyArgs },
    ],
    confirmations: [
      { id: 'pair', tier: 'four_eyes' as const, group: 'desk', quorum: 2 },
      { id: 'mute', tier: 'four_eyes' as const, group: 'mute' },
    ],
    groups: [
      { id: 'desk', members: ['piet', 'quin', 'olga'] },
      { id: 'mute', members: ['voiceless'] },
    ],
    principals: [
      { id: 'desk' },
      { id: 'stopped', suspended: true },
      { id: 'voiceless' },
      { id: 'idle', keys: [publicKeyOf(newKey())] },
    ],
    limits: [{ capability: 'rare', uses: 1, windowMs: 3_600_000 }],
    trustedEvidence: [{ sender: 'desk', for: ['*'] }],
    knownConstraints: ['max_rows'],
    learning: true,
    rules: newestRules,
  },
  graph: {
    primitives: [
      { name: 'file', depths: [{ level: 0 }, known('bytes with a name')] },
      action('delete', { name: 'asked', confirmationMessage: 'really {action} it?' }),
      action('burn', { name: 'small', callback: 'small', requiresConfirmation: false }),
      action('smash', { name: 'broken', callback: 'broken', requiresConfirmation: false }),
      action('share', { name: 'paired', confirmation: 'pair' }),
      action('shred', { name: 'unheard', confirmation: 'mute' }),
    ],
  },
  module: moduleText,
} satisfies TestSetup
