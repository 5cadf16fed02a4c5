// The rule chain: how long one judgement takes.
import { Capability } from '#schemas/catalog'
import { judge } from '#rules/chain/judge'
import type { Case } from '#rules/chain/rule-input'
import { inRounds, sized, timed, type Bench } from '../harness.ts'

const rounds = 51
const calls = sized(4_000)

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

const name = 'a plain allow'

export const bench: Bench = {
  title: 'One judgement of the rule chain',
  run: async () => {
    const ran = await inRounds(rounds, async () => {
      const ms = await timed(() => {
        for (let call = 0; call < calls; call += 1) judge(allow)
      })
      return { [name]: (ms * 1_000) / calls }
    })
    return [ran.figure(name, 'µs')]
  },
}
