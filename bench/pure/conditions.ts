// Measures conditions in CEL as the policy stage asks them: the ten conditions of a call, of calls
// that all differ, against the same questions written as code.
import { conditionHolds } from '#core/conditions/condition'
import type { ConditionInput } from '#core/conditions/input'
import { typeOfArguments } from '#core/conditions/types'
import { assert } from '#core/kernel/fault'
import { fixed, median, spread, whole, type Report } from '../figures.ts'

const calls = 20_000
const rounds = 7
const conditionsMin = 500_000

const argsType = typeOfArguments({
  type: 'object',
  properties: {
    to: { type: 'string' },
    amount: { type: 'number' },
    count: { type: 'integer' },
    environment: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['to', 'amount', 'count', 'environment', 'tags'],
})

interface Arguments {
  readonly to: string
  readonly amount: number
  readonly count: number
  readonly environment: string
  readonly tags: readonly string[]
}

interface Call {
  readonly args: Arguments
  readonly input: ConditionInput
}

/** A condition beside the same in code. */
type Asked = readonly [string, (call: Call) => boolean]

const asked: readonly Asked[] = [
  ["!args.to.endsWith('@example.com')", ({ args }) => !args.to.endsWith('@example.com')],
  ['args.amount <= 1000.0', ({ args }) => args.amount <= 1_000],
  ['args.count > 0 && args.count < 50', ({ args }) => args.count > 0 && args.count < 50],
  ["args.environment == 'production'", ({ args }) => args.environment === 'production'],
  ["'urgent' in args.tags", ({ args }) => args.tags.includes('urgent')],
  [
    "'writer' in principal.roles",
    ({ input }) => input.principal?.roles.includes('writer') === true,
  ],
  ["owner.attributes['team'] == 'mail'", ({ input }) => input.owner?.attributes['team'] === 'mail'],
  ["capability.safetyClass != 'READ'", ({ input }) => input.capability.safetyClass !== 'READ'],
  ['size(intent.justification) >= 15', ({ input }) => input.intent.justification.length >= 15],
  [
    "now.getHours('Europe/Berlin') >= 9",
    // In code no tables are asked: the hour of Berlin in winter.
    ({ input }) => (new Date(input.now).getUTCHours() + 1) % 24 >= 9,
  ],
]

// These are of the catalog, so they are the same for many calls.
const capability = {
  id: 'send',
  safetyClass: 'WRITE',
  sensitivity: 'NONE',
  tags: [],
  concepts: [],
}
const principal = { id: 'bot', roles: ['reader', 'writer'], attributes: { fleet: 'a' } }
const owners = ['mail', 'sales'].map((team) => ({ id: team, roles: [], attributes: { team } }))

function callOf(number: number): Call {
  const args = {
    to: number % 3 === 0 ? `ann${number}@example.com` : `bob${number}@example.org`,
    amount: number % 2_000,
    count: number % 60,
    environment: number % 2 === 0 ? 'production' : 'test',
    tags: number % 5 === 0 ? ['urgent', 'mail'] : ['mail'],
  }
  const input: ConditionInput = {
    args,
    argsType,
    capability,
    principal,
    owner: owners[number % 2] ?? null,
    intent: {
      goal: 'send it',
      justification: number % 7 === 0 ? 'as asked' : 'the customer asked for it',
      session: 's1',
      scope: {},
      constraints: {},
    },
    grounding: { grounded: true, concepts: [] },
    now: Date.UTC(2026, 0, 5, number % 24, number % 60),
    evidence: () => [],
  }
  return { args, input }
}

export function benchConditions(): Promise<Report> {
  const rates: { conditions: number[]; code: number[] } = { conditions: [], code: [] }
  // The first rounds warm up and are not counted.
  for (let round = -2; round < rounds; round += 1) {
    const asCode = perSecond((call, [, code]) => code(call))
    const asText = perSecond(({ input }, [source]) => conditionHolds(source, input) === true)
    assert(asText.held === asCode.held, 'a condition and its code agree')
    if (round < 0) continue
    rates.conditions.push(asText.rate)
    rates.code.push(asCode.rate)
  }
  const met = median(rates.conditions)
  return Promise.resolve({
    title: 'conditions in CEL',
    head: ['what', 'a second of CPU', 'of code'],
    rows: [
      [
        `${asked.length} conditions of each of ${whole(calls)} calls`,
        spread(rates.conditions, whole),
        spread(
          rates.conditions.map((one, round) => one / (rates.code[round] ?? 1)),
          fixed(4),
        ),
      ],
    ],
    notes: [`${rounds} rounds in turn; the values of a call are made with its first condition`],
    targets: [
      {
        claim: `at least ${whole(conditionsMin)} conditions a second of CPU`,
        met: met >= conditionsMin,
        figures: whole(met),
      },
    ],
  })
}

/** By CPU time. Each call is made when it is asked about, and kept by no one. */
function perSecond(holds: (call: Call, asked: Asked) => boolean): { rate: number; held: number } {
  let held = 0
  const start = process.cpuUsage()
  for (let number = 0; number < calls; number += 1) {
    const call = callOf(number)
    for (const one of asked) if (holds(call, one)) held += 1
  }
  const { user, system } = process.cpuUsage(start)
  return { rate: (calls * asked.length * 1_000_000) / (user + system), held }
}
