// VLP messages read from their bytes and checked, against plain parsing of the same bytes, and the
// check of the envelope against the one that ajv compiles from the generated schema.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkBytes } from '#messages/check'
import { isVlpMessage } from '#messages/envelope'
import { noIssues } from '#messages/issue'
import { inRounds, sized, timed, type Bench } from '../harness.ts'

const rounds = 5
const knownConstraints = ['no_pii', 'read_only', 'max_rows']
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const ordinary = {
  id: 'QRY-a1b2c3-0001',
  protocol: 'VLP/1.1',
  type: 'query',
  timestamp: '2025-03-01T09:30:00Z',
  sender: 'agent-7',
  content: 'Refund the second booking of this passenger, who cancelled within a day of booking it.',
  confidence: 0.8,
  session_id: 'S-2025-03-01-agent-7-a1b2c3',
  seq: 1,
  receiver: null,
  topic: 'refund',
  provenance: ['EVD-a1b2c3-0003', { ref: 'https://example.org/rules', kind: 'url' }],
  constraints: ['no_pii'],
  safety: { level: 'safe', issues: [] },
  refers_to: null,
  keywords: ['refund', 'booking'],
  payload: { intent: { tool: 'refund_booking', args: { booking: 'ZX81QL', cents: 12500 } } },
  _extras: {},
}

const bad = { ...ordinary, keywords: Array.from({ length: 20_000 }, () => 1) }

const schemaPath = new URL('../../schemas/generated/vlp-message.json', import.meta.url)
const bySchema = new Ajv2020({ allErrors: true, ownProperties: true, strict: false }).compile(
  JSON.parse(readFileSync(schemaPath, 'utf8')),
)

const samples = [
  { name: 'a message of 610 bytes', message: ordinary, count: sized(50_000) },
  { name: '40 kB that fail the schema', message: bad, count: sized(500) },
]

export const bench: Bench = {
  title: 'Messages read and checked',
  run: async () => {
    const all = []
    for (const { name, message, count } of samples) {
      const bytes = new TextEncoder().encode(JSON.stringify(message))
      const value: unknown = JSON.parse(decoder.decode(bytes))
      const [plain, envelope, schema] = [
        'plain decode and `JSON.parse`',
        `${name}: its envelope`,
        'ajv',
      ]
      const ran = await inRounds(rounds, async () => ({
        [name]: await perSecond(count, () => checkBytes(bytes, { knownConstraints })),
        [plain]: await perSecond(count, () => JSON.parse(decoder.decode(bytes))),
        [envelope]: await perSecond(count, () => isVlpMessage(value, noIssues())),
        [schema]: await perSecond(count, () => bySchema(value)),
      }))
      all.push(ran.figure(name, '/s', { against: plain }))
      all.push(ran.figure(envelope, '/s', { against: schema }))
    }
    return all
  },
}

async function perSecond(count: number, work: () => unknown): Promise<number> {
  const ms = await timed(() => {
    for (let round = 0; round < count; round += 1) work()
  })
  return (count * 1_000) / ms
}
