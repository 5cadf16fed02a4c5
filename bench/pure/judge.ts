// Measures the rule chain: how long one judgement takes, from a plain allow to a case in which much
// stands against the action. It only measures; anyone who calls it prints.
import { pathToFileURL } from 'node:url'
import { Capability } from '#schemas/catalog'
import { judge } from '#core/rules/judge'
import type { Case } from '#core/rules/rule-input'

export interface JudgeMeasure {
  readonly name: string
  readonly outcome: string
  readonly medianMicroseconds: number
}

const batches = 51
const callsABatch = 4_000

const capability = Capability.parse({
  id: 'refund_booking',
  description: 'Refunds a booking',
  safetyClass: 'WRITE',
  concepts: ['refund', 'booking'],
  argsSchema: {
    type: 'object',
    properties: {
      booking: { type: 'string', pattern: '^[A-Z0-9]{6}$' },
      cents: { type: 'integer' },
    },
    required: ['booking', 'cents'],
    additionalProperties: false,
  },
})

const allow: Case = {
  message: {
    malformed: false,
    senderMatches: true,
    issues: [],
    safetyLevel: 'safe',
    requiresHuman: false,
    unearnedConfidence: false,
    gate: 'pass',
  },
  principal: { id: 'agent-7', roles: ['writer'], attributes: { tenant: 'eu' }, suspended: false },
  capability,
  request: {
    tool: 'refund_booking',
    args: { booking: 'ZX81QL', cents: 12_500 },
    justification: 'the airline cancelled the flight',
    constraints: { max_rows: 10 },
  },
  grounding: { grounded: true, gaps: [] },
  violations: [],
  rate: { limited: false },
  withdrawn: false,
}

const policy = { name: 'refunds', requiresConfirmation: true }
const violation = {
  policy,
  source: 'refund',
  target: 'booking',
  message: 'may it?',
  callback: null,
}

export function measureJudge(): readonly JudgeMeasure[] {
  return [
    measure('plain allow', allow),
    measure('review of two policies', { ...allow, violations: [violation, violation] }),
    measure('refused by role and arguments', { ...allow, principal: null, request: { args: {} } }),
  ]
}

function measure(name: string, of: Case): JudgeMeasure {
  const times: number[] = []
  for (let batch = 0; batch < batches; batch += 1) {
    const start = performance.now()
    for (let call = 0; call < callsABatch; call += 1) judge(of)
    times.push(((performance.now() - start) * 1000) / callsABatch)
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(batches / 2)] ?? Number.NaN
  return { name, outcome: judge(of).outcome, medianMicroseconds: median }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(measureJudge())
