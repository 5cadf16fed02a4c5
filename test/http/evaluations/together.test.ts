// Several evaluations of one request share a message, and each is answered as it would be alone.
import { describe, expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { EvaluationsAnswer, type EvaluationAnswer } from '#schemas/http/evaluations'
import { countingObserved } from '#operations/counting/observed'
import { expectReplay } from '../../support/scene.ts'
import { decisionPoint, evaluated, type Catalog, type DecisionPoint } from './decision-point.ts'

const who = { role: 'staff' }
const argsSchema = { type: 'object' }
const own = {
  name: 'own',
  effect: 'require' as const,
  when: 'args.resource.properties.owner == principal.id',
}
const seen = { name: 'seen', effect: 'confirm' as const, when: 'true' }
const catalog: Catalog = {
  principals: [
    { id: 'gate', via: ['http'], evaluates: { subjects: [{ type: 'user', who }] } },
    { id: 'ann', roles: ['staff', 'writer'], owner: 'olga' },
    { id: 'ben', roles: ['staff'] },
    { id: 'boss', roles: ['admin'] },
  ],
  capabilities: [
    { id: 'file.read', safetyClass: 'READ', argsSchema },
    { id: 'file.own', safetyClass: 'READ', argsSchema, conditions: [own] },
    { id: 'file.send', safetyClass: 'READ', argsSchema, conditions: [seen] },
    { id: 'file.write', safetyClass: 'WRITE', argsSchema },
    { id: 'file.known', safetyClass: 'READ', argsSchema, concepts: ['nothing known'] },
  ],
}

const one = (name: string, id = 'ann', more: object = {}) => ({
  subject: { type: 'user', id },
  action: { name },
  resource: { type: 'file', id: 'f-1', properties: { owner: 'ann' } },
  ...more,
})

async function all(
  point: DecisionPoint,
  evaluations: readonly unknown[],
  more: object = {},
): Promise<readonly EvaluationAnswer[]> {
  const response = await point.send('/access/v1/evaluations', { evaluations, ...more })
  const answer = EvaluationsAnswer.parse(await response.json())
  return 'evaluations' in answer ? answer.evaluations : [answer]
}

/** The facts of that kind that are about intents of the gate. */
async function factsOf({ on }: DecisionPoint, kind: 'vlp' | 'verdict'): Promise<number> {
  let count = 0
  const { realm, era } = on.runtime.place
  for await (const { name } of on.log.read({})) {
    if (name.startsWith(`${realm}.${era}.${kind}.gate.`)) count += 1
  }
  return count
}

function gist({ decision, context }: EvaluationAnswer) {
  const { reasons, constraints, request } = context ?? {}
  return { decision, reasons, constraints, request }
}

describe('several evaluations', () => {
  const justified = { context: { justification: 'the customer asked for it' } }
  const asked = ['read', 'own', 'send', 'write', 'known', 'fly', 'a.read'].flatMap((name) =>
    ['ann', 'ben', 'boss', 'nemo'].flatMap((id) => [one(name, id), one(name, id, justified)]),
  )

  test('are each answered as they would be alone', async () => {
    const point = await decisionPoint(catalog)
    const together = await all(point, asked)
    const alone: EvaluationAnswer[] = []
    for (const each of asked) alone.push(await evaluated(point, each))
    expect(together.map(gist)).toEqual(alone.map(gist))
    expect(together.map(({ decision }) => decision)).toContain(true)
    await expectReplay(point.on)
  })

  test('are one message and one verdict, in which each has its place', async () => {
    const point = await decisionPoint(catalog)
    const answers = await all(point, [one('read'), one('own', 'ben'), one('own'), one('read')])
    expect(answers.map(({ decision }) => decision)).toEqual([true, false, true, true])
    expect(answers.map(({ context }) => context?.item)).toEqual([0, 1, 2, 3])
    const [first] = answers
    const intent = first?.context?.intent ?? ''
    const id = nameOf(point.on.runtime.place, 'verdict', intent)
    expect(new Set(answers.map(({ context }) => context?.id))).toEqual(new Set([id]))
    expect(await factsOf(point, 'vlp')).toBe(1)
    expect((await point.send(`/v1/intents/${intent}/start`, {})).status).toBe(403)
  })

  test('that people have a part in are asked alone', async () => {
    const point = await decisionPoint(catalog)
    const answers = await all(point, [one('read'), one('send'), one('read')])
    expect(answers.map(({ decision }) => decision)).toEqual([true, false, true])
    const href = `${point.url}/v1/intents`
    expect(answers[1]?.context?.request).toEqual({ href, method: 'POST', tool: 'file.send' })
    expect(answers.map(({ context }) => context?.item)).toEqual([0, undefined, 2])
    expect(await factsOf(point, 'vlp')).toBe(2)
  })

  test('that are too long for one message are several', async () => {
    const point = await decisionPoint(catalog)
    const note = 'x'.repeat(3_000)
    const evaluations = Array.from({ length: 10 }, (_, at) =>
      one('read', 'ann', { context: { at } }),
    )
    const long = evaluations.map((each) => ({ ...each, context: { note } }))
    expect((await all(point, long)).map(({ decision }) => decision)).toEqual(
      Array.from({ length: 10 }, () => true),
    )
    const messages = await factsOf(point, 'vlp')
    expect(messages).toBeGreaterThan(1)
    expect(messages).toBeLessThan(10)
  })

  test('are asked one after the other where the first of a kind ends them', async () => {
    const point = await decisionPoint(catalog)
    const options = { options: { evaluations_semantic: 'deny_on_first_deny' } }
    const answers = await all(point, [one('read'), one('own', 'ben'), one('read')], options)
    expect(answers.map(({ decision }) => decision)).toEqual([true, false])
    expect(await factsOf(point, 'vlp')).toBe(2)
  })
})

test.each([
  ['under older rules', { ...catalog, rules: 4 }],
  [
    'where each takes a use',
    {
      ...catalog,
      principals: [
        {
          id: 'gate',
          via: ['http'],
          evaluates: { subjects: [{ type: 'user', who }], enforces: true },
        },
        { id: 'ann', roles: ['staff'] },
      ],
    },
  ],
])('share nothing %s', async (_, of) => {
  const point = await decisionPoint(of)
  const answers = await all(point, [one('read'), one('read')])
  expect(answers.map(({ decision }) => decision)).toEqual([true, true])
  expect(await factsOf(point, 'verdict')).toBe(2)
})

test('are counted one by one, of what was only observed', async () => {
  const point = await decisionPoint(catalog)
  const counts = countingObserved({})
  point.on.runtime.follower.listen((fact, folded) => counts.take(fact, folded))
  await all(point, [one('read'), one('read', 'ben'), one('own', 'ben'), one('send')])
  expect(counts.read()).toMatchObject({ calls: 4, allow: 2, ask: 1, deny: 1 })
  expect(counts.read().rows.map(({ tool, would }) => [tool, would])).toEqual([
    ['file.read', 'allow'],
    ['file.own', 'deny'],
    ['file.send', 'ask'],
  ])
})

test('who asks by a message of its own learns no more, and takes no use', async () => {
  const limits = [{ safetyClass: 'READ' as const, uses: 1, windowMs: 60_000 }]
  const point = await decisionPoint({ ...catalog, limits })
  const twice = [one('read'), one('read')]
  for (const answers of [await all(point, twice), await all(point, twice)]) {
    expect(answers.map(({ decision }) => decision)).toEqual([true, true])
  }
  const body = { tool: 'file.read', args: {}, evaluations: twice }
  expect((await point.send('/v1/intents', body)).status).toBe(400)
})
