// Which calls a change newly lets through, one rule at a time: at each boundary, for each member,
// and what it reports where nothing is decided.
import { expect, test } from 'vitest'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { newlyAllowed } from '#authoring/allowed/newly'
import { graphFromFile } from '#knowledge/graph/graph'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { letThrough } from '#replay/what-if/let-through'
import { neverProblem, type NeverRule } from '#authoring/allowed/never-rule'
import { neverChecked } from '#replay/what-if/never'
import { stages } from '#workers/stages'
import { newestRules } from '#rules/catalog/rules-version'
import { Capability } from '#schemas/catalog'
import { isFull } from '../../support/vitest/counts.ts'

const judging = {
  stages,
  callbacks: { run: () => Promise.reject(new Error('no callback is asked here')) },
  at: Date.UTC(2026, 0, 1, 9),
}

const args = {
  amount: { type: 'integer' },
  to: { type: 'string' },
  urgent: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' } },
}

interface Of {
  readonly when?: readonly string[]
  readonly effect?: string
  readonly tool?: object
  readonly agent?: object
  readonly more?: object
  readonly policies?: readonly object[]
}

function rules({ when = [], effect = 'deny', tool, agent, more, policies }: Of) {
  const conditions = when.map((one, index) => ({ name: `rule${index}`, when: one, effect }))
  const { catalog, refused } = catalogFromFile({
    principals: [
      { id: 'olga', keys: [`ed25519:${'A'.repeat(43)}`] },
      { id: 'fred', keys: [`ed25519:${'B'.repeat(42)}A`] },
      { id: 'bot', roles: ['writer'], owner: 'olga', ...agent },
    ],
    groups: [{ id: 'finance', members: ['fred'] }],
    confirmations: [{ id: 'money', tier: 'four_eyes', group: 'finance', sessionless: true }],
    capabilities: [
      {
        id: 'pay',
        safetyClass: 'READ',
        argsSchema: {
          type: 'object',
          properties: args,
          required: ['amount'],
          additionalProperties: false,
        },
        ...(policies !== undefined && { concepts: ['pay', 'money'] }),
        conditions,
        ...tool,
      },
    ],
    ...more,
  })
  if (catalog === undefined) throw new Error(JSON.stringify(refused))
  const known = { level: 1, properties: { is: 'known' } }
  const relata = [{ type: 'APPLIES_TO', target: 'money', targetDepth: 1, policies }]
  const primitives = [
    { name: 'money', depths: [{ level: 0 }, known] },
    { name: 'pay', depths: [{ level: 0 }, { ...known, relata }] },
  ]
  const file = policies === undefined ? { primitives: [] } : { primitives }
  return { catalog, graph: graphFromFile(parseGraphFile(file)) }
}

async function change(before: Of, after: Of) {
  const [was, is] = [rules(before), rules(after)]
  const found = await letThrough(was, is, newlyAllowed(was, is), judging)
  const { isExact, cannotTell, ways } = found
  const shown = ways.map(({ stoppedBy, values }) => ({ stoppedBy, values }))
  return { isExact, cannotTell: cannotTell.map(({ cause }) => cause), ways: shown, found }
}

test('a limit that is raised lets through from just above the old one up to the new one', async () => {
  const found = await change({ when: ['args.amount > 200'] }, { when: ['args.amount > 500'] })
  expect(found).toMatchObject({
    isExact: true,
    ways: [{ stoppedBy: ['rule0'], values: { 'args.amount': [201, 350, 499, 500] } }],
  })
})

test('a boundary that only includes its own number lets that one through', async () => {
  const found = await change({ when: ['args.amount >= 200'] }, { when: ['args.amount > 200'] })
  expect(found.ways).toMatchObject([{ values: { 'args.amount': [200] } }])
  expect(found.isExact).toBe(true)
})

test.each([
  ['stricter', ['args.amount > 500'], ['args.amount > 200']],
  ['the same in other words', ['args.amount > 200'], ['!(args.amount <= 200)']],
  ['one more rule', ['args.amount > 200'], ['args.amount > 200', "args.to == 'x'"]],
  ['beside what it cannot decide', ['now.getHours() > 3'], ['now.getHours() > 3', 'args.urgent']],
])('nothing is newly allowed where a rule is %s', async (_, before, after) => {
  expect(await change({ when: before }, { when: after })).toMatchObject({
    isExact: true,
    ways: [],
  })
})

test('each member that is taken out of a set is let through, and what is absent is named', async () => {
  const found = await change(
    { when: ["!has(args.to) || args.to in ['a', 'b', 'c']"] },
    { when: ["has(args.to) && args.to in ['b']"] },
  )
  expect(found).toMatchObject({
    isExact: true,
    ways: [{ values: { 'args.to': [null, 'a', 'c'] } }],
  })
})

test('an ending that is no longer refused is shown with a text that has it', async () => {
  const found = await change({ when: ["args.to.endsWith('@x.com')"] }, { when: ['!has(args.to)'] })
  expect(found.isExact).toBe(true)
  expect(JSON.stringify(found.ways)).toContain('@x.com')
})

test('a role, a list, a class and a suspension are looked into', async () => {
  const asked = { tool: { safetyClass: 'WRITE' } }
  const freed = await change({ agent: { suspended: true } }, {})
  expect(freed.ways).toMatchObject([{ stoppedBy: ['agent_suspended'] }])
  const promoted = await change({ ...asked, agent: { roles: [] } }, asked)
  expect(promoted.ways).toMatchObject([{ stoppedBy: ['missing_role'] }])
  const listed = await change({ tool: { allow: [{ principal: 'olga' }] } }, {})
  expect(listed.ways.map(({ stoppedBy }) => stoppedBy)).toContainEqual(['not_permitted'])
  expect([freed, promoted, listed].every(({ isExact }) => isExact)).toBe(true)
})

test('a limit of uses that is raised is shown by one use more, and a lower one by nothing', async () => {
  const limited = (uses: number) => {
    return { more: { limits: [{ capability: 'pay', uses, windowMs: 60_000 }] } }
  }
  const raised = await change(limited(2), limited(5))
  expect(raised.found.ways.map(({ witness }) => witness.uses)).toContain(2)
  expect(await change(limited(5), limited(2))).toMatchObject({ isExact: true, ways: [] })
})

test('what is no longer asked of people by a policy is shown, by its cardinality too', async () => {
  const asks = [{ name: 'ask', triggerCardinality: 'multiple' }]
  const found = await change({ policies: asks }, { policies: [] })
  expect(found).toMatchObject({ isExact: true, ways: [{ stoppedBy: ['ask on pay → money'] }] })
  expect(found.found.ways[0]?.before.outcome).toBe('ask')
})

test('an argument that the schema newly takes is let through', async () => {
  const schema = {
    type: 'object',
    properties: { ...args, note: { type: 'string' } },
    required: ['amount'],
    additionalProperties: false,
  }
  const found = await change({}, { tool: { argsSchema: schema } })
  expect(found.ways).toMatchObject([{ stoppedBy: ['invalid_arguments'] }])
})

test('where no value decides it cannot tell, and never claims nothing', async () => {
  const loop = await change(
    { when: ["args.tags.exists(t, t == 'secret')"] },
    { when: ["args.tags.exists(t, t == 'top')"] },
  )
  expect(loop.isExact).toBe(false)
  expect(loop.cannotTell).toContain('condition')
  const set = await change({}, { more: { knownConstraints: ['max_rows'] } })
  expect(set.cannotTell).toEqual(['setting'])
})

test('of what was done before it cannot tell, whichever rule or tool changed', async () => {
  const done = "acts.exists(a, a.tool == 'give' && a.args.to == args.to)"
  const more = { rules: newestRules }
  const looser = ['acts.size() > 5', `${done} && args.to != 'ann'`, `false && ${done}`]
  for (const when of looser) {
    const found = await change({ when: [done], more }, { when: [when], more })
    expect(found).toMatchObject({ isExact: false, ways: [] })
    expect(found.cannotTell).toContain('condition')
  }
  const give = { id: 'give', safetyClass: 'WRITE', argsSchema: { type: 'object' } }
  const giving = (safetyClass: string) => {
    const { catalog, graph } = rules({ when: [done], more })
    const entry = Capability.parse({ ...give, safetyClass })
    const capabilities = new Map([...catalog.capabilities, ['give', entry] as const])
    return { catalog: { ...catalog, capabilities }, graph }
  }
  const { cannotTell } = newlyAllowed(giving('WRITE'), giving('READ'))
  const { candidates } = newlyAllowed(giving('WRITE'), giving('READ'))
  const named = [...cannotTell, ...candidates.flatMap(({ unclear }) => unclear)]
  expect(named).toContainEqual({ tool: 'pay', cause: 'condition', of: 'rule0' })
  expect(newlyAllowed(giving('WRITE'), giving('DESTRUCTIVE')).candidates).toEqual([])
})

test('a time that is no longer refused is found, though no value of the call decides it', async () => {
  const found = await change({ when: ['now.getHours() < 12'] }, { when: ['now.getHours() < 6'] })
  expect(found.ways[0]?.stoppedBy).toEqual(['rule0'])
})

test.runIf(isFull)('more calls than are tried are named', async () => {
  const places = ['a', 'b', 'c', 'd', 'e', 'f'].map((piece) => `args.to.contains('${piece}')`)
  const asked = ['session.evidence.size() > 1', 'now.getHours() > 1', ...places.slice(0, 5)]
  const amounts = Array.from({ length: 20 }, (_, index) => `args.amount == ${index * 10}`)
  const found = await change({ when: [[...asked, ...amounts].join(' || ')] }, {})
  expect(found.cannotTell).toContain('too_many_calls')
})

async function never(of: Of, rule: Omit<NeverRule, 'tool'>) {
  return neverChecked(rules(of), { tool: 'pay', ...rule }, judging)
}

test('a property that holds has been tried for all, and one that does not has a call', async () => {
  const kept = await never({ when: ['args.amount > 500'] }, { when: 'args.amount > 500' })
  expect(kept).toMatchObject({ broken: null, cannotTell: [] })
  expect(kept.calls).toBeGreaterThan(0)
  const broken = await never({ when: ['args.amount > 501'] }, { when: 'args.amount > 500' })
  expect(broken.broken?.witness.request.args).toMatchObject({ amount: 501 })
})

test('what only a group can agree to is kept, and what others can agree to is not', async () => {
  const rule = { when: 'args.amount > 200', approvedBy: 'finance' }
  const asking = (confirmation: object): Of => ({
    tool: {
      conditions: [
        { name: 'large', when: 'args.amount > 200', effect: 'confirm', ...confirmation },
      ],
    },
  })
  expect(await never(asking({ confirmation: 'money' }), rule)).toMatchObject({
    broken: null,
    cannotTell: [],
  })
  expect((await never(asking({}), rule)).broken?.came.outcome).toBe('ask')
})

test('a property that no value decides is not taken for one that holds', async () => {
  const found = await never({ when: ["args.to.matches('^a')"] }, { when: "args.to == 'a'" })
  expect(found.broken).toBeNull()
  expect(found.cannotTell).not.toEqual([])
})

test('nor one of what was done before', async () => {
  const done = 'acts.exists(a, a.args.to == args.to)'
  const more = { rules: newestRules }
  expect(await never({ when: [done], more }, { when: done })).toMatchObject({ cannotTell: [] })
  const found = await never({ when: ['acts.size() > 1'], more }, { when: done })
  expect(found.broken).toBeNull()
  expect(found.cannotTell).not.toEqual([])
})

test('a property that names what is not there is refused', () => {
  const problem = (rule: NeverRule) => neverProblem(rules({}), rule)
  expect(problem({ tool: 'refund' })).toContain('refund')
  expect(problem({ tool: 'pay', approvedBy: 'sales' })).toContain('sales')
  expect(problem({ tool: 'pay', when: 'args.amuont > 1' })).toContain('amuont')
  expect(problem({ tool: 'pay', when: 'args.amount > 1', approvedBy: 'finance' })).toBeNull()
})
