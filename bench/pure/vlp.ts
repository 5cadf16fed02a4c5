// Measures how many VLP messages a second are read from their bytes and checked, beside plain
// parsing of the same bytes in the same run, and the check of the envelope beside the one that ajv
// compiles from the generated schema. It only measures; anyone who calls it prints.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkBytes } from '#core/messages/check'
import { isVlpMessage } from '#core/messages/envelope'
import { noIssues } from '#core/messages/issue'

export interface VlpMeasurement {
  readonly name: string
  readonly bytes: number
  readonly checksPerSecond: number
  /** Checks against `JSON.parse` of the decoded bytes alone: 1 would cost nothing. */
  readonly ratioToParsing: number
  /** The envelope alone, against the compiled schema: above 1 ours is faster. */
  readonly ratioToSchema: number
}

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

/** Ordinary messages, and the worst an agent could send with them. */
export function benchVlp(): readonly VlpMeasurement[] {
  return [
    measure('ordinary message', ordinary, 100_000),
    measure('40 kB that fail the schema', bad, 1_000),
  ]
}

const schemaPath = new URL('../../schemas/generated/vlp-message.json', import.meta.url)
const bySchema = new Ajv2020({ allErrors: true, ownProperties: true, strict: false }).compile(
  JSON.parse(readFileSync(schemaPath, 'utf8')),
)

function measure(name: string, message: object, rounds: number): VlpMeasurement {
  const bytes = new TextEncoder().encode(JSON.stringify(message))
  const check = (): unknown => checkBytes(bytes, { knownConstraints })
  const parse = (): unknown => JSON.parse(decoder.decode(bytes))
  const [checksPerSecond, parsesPerSecond] = [perSecond(check, rounds), perSecond(parse, rounds)]
  const ratioToParsing = checksPerSecond / parsesPerSecond
  const value: unknown = JSON.parse(decoder.decode(bytes))
  const [ours, theirs] = [
    perSecond(() => isVlpMessage(value, noIssues()), rounds),
    perSecond(() => bySchema(value), rounds),
  ]
  const ratioToSchema = ours / theirs
  return { name, bytes: bytes.length, checksPerSecond, ratioToParsing, ratioToSchema }
}

function perSecond(work: () => unknown, rounds: number): number {
  for (let round = 0; round < rounds / 10; round += 1) work()
  const start = performance.now()
  for (let round = 0; round < rounds; round += 1) work()
  return (rounds * 1000) / (performance.now() - start)
}
