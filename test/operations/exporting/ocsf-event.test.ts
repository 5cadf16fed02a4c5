// Decisions as events of OCSF: each verdict of the recorded logs becomes one that the definitions
// of the class allow, and says how it came out. `ocsf-1.8.0.json` beside this has of them what
// these events use: types, what is required, and which numbers stand for what.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { intentsAsked } from '#operations/finding/asked-for'
import { decidedIn } from '#operations/finding/decided'
import { ocsfEvent } from '#operations/finding/ocsf-event'
import type { Fact } from '#ports/log'
import { readData } from '#record/event'
import { goldenLog, placeIn, readGolden } from '../../golden/golden-log.ts'

const Attributes = z.record(
  z.string(),
  z.strictObject({
    type: z.string(),
    list: z.literal(true).optional(),
    required: z.literal(true).optional(),
    values: z.array(z.int()).optional(),
  }),
)
type Attributes = z.infer<typeof Attributes>

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const { event: eventAttributes, objects } = z
  .strictObject({
    version: z.literal('1.8.0'),
    event: Attributes,
    objects: z.record(
      z.string(),
      z.strictObject({ attributes: Attributes, atLeastOne: z.array(z.string()).optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(here('ocsf-1.8.0.json'), 'utf8')))

const golden = here('../../golden/')
const logs = readdirSync(golden).filter((name) => /^\d+\.\d+\.\d+/.test(name))
const Event = z.record(z.string(), z.unknown())

interface Emitted {
  readonly fact: Fact
  readonly event: z.infer<typeof Event>
}

async function emitted(name: string): Promise<readonly Emitted[]> {
  const facts = await readGolden(join(golden, name))
  const place = placeIn(facts)
  const asked = intentsAsked(goldenLog(facts), place)
  const found: Emitted[] = []
  for (const fact of facts) {
    const decision = await decidedIn(fact, place.realm, asked)
    if (decision === null) continue
    const tool = (await asked.of(fact))?.tool ?? null
    const of = { decision, tool, forged: null, cell: null, realm: place.realm, version: '1.2.3' }
    found.push({ fact, event: Event.parse(JSON.parse(JSON.stringify(ocsfEvent(fact, of)))) })
  }
  return found
}

test.each(logs)('each verdict of %s is an event that its class allows', async (name) => {
  const all = await emitted(name)
  for (const { fact, event } of all) {
    expect([fact.name, problemsOf(event, eventAttributes, 'event')]).toEqual([fact.name, []])
    expect(event['type_uid']).toBe(Number(event['class_uid']) * 100 + Number(event['activity_id']))
    const verdict = readData('verdict', fact)
    expect(event['status']).toBe(verdict?.outcome === 'deny' ? 'Failure' : 'Success')
    expect(event['status_code']).toBe(verdict?.reasons[0]?.code)
  }
})

test('what a person approved, what was only observed, and what was denied differ', async () => {
  const all = (await Promise.all(logs.map(emitted))).flat()
  const dispositions = new Set(all.map(({ event }) => event['disposition']))
  expect(dispositions).toEqual(new Set(['Allowed', 'Approved', 'Blocked', 'Logged']))
  const approved = all.find(({ event }) => event['disposition'] === 'Approved')
  expect(approved?.event['authorizations']).toEqual([
    { decision: expect.stringMatching(/^approved by /) },
  ])
})

test('an allow that counts for nothing is an alert, whatever it says', () => {
  const bytes = readFileSync(join(golden, '0.2.0', 'log.ndjson'), 'utf8')
  const line = bytes.split('\n').find((one) => one.includes('.verdict.') && one.includes('allow'))
  const { text, ...fact } = z
    .object({ position: z.int(), appendedAt: z.int(), name: z.string(), text: z.string() })
    .parse(JSON.parse(line ?? ''))
  const decision = {
    intent: 'bot.-.1',
    agent: 'bot',
    args: null,
    outcome: 'allow' as const,
    reasons: [],
    approvedBy: [],
    reason: '',
  }
  const of = { decision, tool: null, cell: 2, realm: 'main', version: '1.2.3' }
  const event = ocsfEvent({ ...fact, bytes: Buffer.from(text) }, { ...of, forged: 'not derived' })
  expect(event).toMatchObject({
    severity: 'High',
    status: 'Void',
    status_detail: 'not derived',
    is_alert: true,
    unmapped: { cell: 2 },
    api: { operation: '(several)' },
  })
  expect(problemsOf(Event.parse(event), eventAttributes, 'event')).toEqual([])
})

describe('the definitions find what they are to find', () => {
  test.each([
    [{ severity_id: 7 }, 'event.severity_id is 7'],
    [{ colour: 'red' }, 'event.colour is unknown'],
    [{ time: 'now' }, 'event.time is no timestamp_t'],
    [{ api: { operation: 'x', request: {} } }, 'event.api.request.uid lacks'],
    [{ src_endpoint: {} }, 'event.src_endpoint has none of'],
    [{ message: 7 }, 'event.message is no string_t'],
    [{ authorizations: {} }, 'event.authorizations is no list'],
  ])('%j', async (wrong, problem) => {
    const [first] = await emitted('0.2.0')
    const problems = problemsOf({ ...first?.event, ...wrong }, eventAttributes, 'event')
    expect(problems).toEqual([expect.stringContaining(problem)])
  })
})

function problemsOf(value: object, attributes: Attributes, at: string): readonly string[] {
  const given = Object.entries(value)
  const lacking = Object.entries(attributes).filter(
    ([name, { required }]) => required === true && !Object.hasOwn(value, name),
  )
  return [
    ...lacking.map(([name]) => `${at}.${name} lacks`),
    ...given.flatMap(([name, one]) => {
      const of = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      if (of === undefined) return [`${at}.${name} is unknown`]
      if (of.list !== true) return memberProblems(one, of, `${at}.${name}`)
      if (!Array.isArray(one)) return [`${at}.${name} is no list`]
      return one.flatMap((each) => memberProblems(each, of, `${at}.${name}`))
    }),
  ]
}

const kinds: Readonly<Record<string, z.ZodType>> = {
  string_t: z.string(),
  integer_t: z.int(),
  long_t: z.int(),
  timestamp_t: z.int().min(0),
  boolean_t: z.boolean(),
  json_t: z.json(),
  object: z.record(z.string(), z.json()),
}

function memberProblems(value: unknown, of: Attributes[string], at: string): readonly string[] {
  const { type, values } = of
  const kind = kinds[type]
  if (kind !== undefined) {
    if (!kind.safeParse(value).success) return [`${at} is no ${type}`]
    // Class and category have their numbers elsewhere than in the class.
    const isNumbered = values !== undefined && !/\.(?:class|category)_uid$/.test(at)
    return isNumbered && !values.includes(Number(value)) ? [`${at} is ${String(value)}`] : []
  }
  const object = objects[type]
  if (object === undefined || typeof value !== 'object' || value === null) {
    return [`${at} is no ${type}`]
  }
  const { atLeastOne } = object
  const hasOne = atLeastOne?.some((name) => Object.hasOwn(value, name)) ?? true
  return [
    ...(hasOne ? [] : [`${at} has none of ${String(atLeastOne)}`]),
    ...problemsOf(value, object.attributes, at),
  ]
}
