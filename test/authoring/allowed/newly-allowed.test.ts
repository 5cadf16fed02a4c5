// What a change of rules newly lets through: what is shown really happens, and where it claims
// that all of it is shown, no call drawn at random is let through besides.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newlyAllowed } from '#authoring/allowed/newly'
import type { Rules } from '#authoring/allowed/guards'
import { letThrough, witnessOutcome, type LetThrough } from '#replay/what-if/let-through'
import { stages } from '#workers/stages'
import { count, seedMeant } from '../../support/vitest/counts.ts'
import { graphFromFile } from '#knowledge/graph/graph'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { emptyGraph } from '#knowledge/graph/revision'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import type { TriedRequest } from '#authoring/allowed/space'

const judging = {
  stages,
  callbacks: { run: () => Promise.reject(new Error('no callback is asked here')) },
  at: Date.UTC(2026, 0, 1, 9),
}

const seen = (before: Rules, after: Rules): Promise<LetThrough> => {
  return letThrough(before, after, newlyAllowed(before, after), judging)
}

const seed = seedMeant === undefined ? {} : { seed: seedMeant }

test('where it says that all ways are shown, no request at random takes another', async () => {
  const counts = { exact: 0, none: 0, ways: 0, newly: 0 }
  await fc.assert(
    fc.asyncProperty(
      change,
      fc.array(request, { minLength: 25, maxLength: 25 }),
      async (drawn, requests) => {
        const [before, after] = [rulesOf(drawn.before), rulesOf(drawn.after)]
        fc.pre(before !== null && after !== null)
        if (before === null || after === null) return
        const found = await seen(before, after)
        for (const { witness } of found.ways) {
          expect((await witnessOutcome(before, witness, judging)).outcome).not.toBe('allow')
          expect((await witnessOutcome(after, witness, judging)).outcome).toBe('allow')
        }
        counts.ways += found.ways.length
        if (!found.isExact) return
        counts.exact += 1
        if (found.ways.length === 0) counts.none += 1
        for (const one of requests) {
          if ((await witnessOutcome(after, one, judging)).outcome !== 'allow') continue
          if ((await witnessOutcome(before, one, judging)).outcome === 'allow') continue
          counts.newly += 1
          const like = found.ways.filter(({ agents }) => agents.includes(one.agent))
          expect({ one, like: like.length }).not.toMatchObject({ like: 0 })
        }
      },
    ),
    { numRuns: count(160, 16), endOnFailure: true, ...seed },
  )
  // Neither is so only because nothing was exact, or nothing was let through.
  expect(Math.min(counts.none, counts.ways, counts.newly)).toBeGreaterThan(0)
})

// Catalogs, graphs and requests drawn at random, near each other: the constants that conditions
// compare with are those that arguments have, and their neighbours.

const numbers = [0, 1, 10, 100, 200, 500]
const texts = ['ann', 'bob@x.example', 'bob@y.example', 'a', '', 'x-ann']
const pieces = ['a', 'ann', '@x.example', 'bob', 'x']

const atom = fc.oneof(
  fc
    .tuple(fc.constantFrom('>', '>=', '<', '<=', '==', '!='), fc.constantFrom(...numbers))
    .map(([sign, value]) => `args.amount ${sign} ${value}`),
  fc.constantFrom(...texts).map((text) => `args.to == '${text}'`),
  fc.subarray(texts, { minLength: 1 }).map((some) => {
    return `args.to in [${some.map((one) => `'${one}'`).join(', ')}]`
  }),
  fc
    .tuple(fc.constantFrom('startsWith', 'endsWith', 'contains'), fc.constantFrom(...pieces))
    .map(([name, piece]) => `args.to.${name}('${piece}')`),
  fc.constantFrom(0, 1, 3, 5).map((size) => `args.to.size() > ${size}`),
  fc.constant('has(args.urgent)'),
  fc.constant('has(args.urgent) && args.urgent'),
  fc.constant('args.urgent'),
  fc.constantFrom('writer', 'admin').map((role) => `'${role}' in principal.roles`),
  fc.constant("principal.attributes['team'] == 'red'"),
  fc.constant('args.amount <= int(principal.attributes.limit)'),
  fc.constant('intent.justification.size() > 20'),
  fc.constant("args.to == 'ann' || args.amount == 7"),
  fc.constantFrom('a', 'b').map((name) => `has(args.by) && args.by.name == '${name}'`),
  fc.constant('has(args.by.name)'),
)
// What no single place shows: it has to say that it cannot tell.
const opaque = fc.constantFrom(
  'args.to.matches("^a+$")',
  'args.to.lowerAscii() == "ann"',
  'args.amount == args.to.size()',
  'session.evidence.size() > 0',
  'now.getHours() < 12',
)

const condition = fc.oneof(
  { weight: 8, arbitrary: atom },
  { weight: 1, arbitrary: opaque },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('&&', '||'), atom, atom)
      .map(([sign, one, other]) => `(${one}) ${sign} (${other})`),
  },
  { weight: 2, arbitrary: atom.map((one) => `!(${one})`) },
)

const rule = fc.record({
  name: fc.constantFrom('one', 'two', 'three'),
  when: condition,
  effect: fc.constantFrom('deny', 'require', 'confirm'),
})

const amount = fc.constantFrom(
  { type: 'integer' },
  { type: 'integer', minimum: 0, maximum: 300 },
  { type: 'integer', exclusiveMinimum: 10 },
)
const to = fc.constantFrom(
  { type: 'string' },
  { type: 'string', minLength: 2 },
  { type: 'string', maxLength: 4 },
  { type: 'string', enum: ['ann', 'bob@x.example'] },
  { type: 'string', pattern: '^[a-z]+$' },
)

const capability = fc.record({
  id: fc.constant('pay'),
  safetyClass: fc.constantFrom('READ', 'WRITE'),
  concepts: fc.constantFrom([], ['pay', 'money']),
  cardinality: fc.constantFrom(undefined, 'single'),
  argsSchema: fc
    .record({
      amount,
      to,
      needed: fc.subarray(['amount', 'to', 'urgent']),
      open: fc.constantFrom(false, false, true),
    })
    .map(({ needed, open, ...named }) => ({
      type: 'object',
      properties: {
        ...named,
        urgent: { type: 'boolean' },
        by: {
          type: 'object',
          properties: { name: { type: 'string' }, at: { type: 'string' } },
          additionalProperties: false,
        },
      },
      required: needed,
      additionalProperties: open,
    })),
  conditions: fc.uniqueArray(rule, { maxLength: 3, selector: ({ name }) => name }),
  allow: fc.constantFrom(undefined, undefined, [{ role: 'writer' }], [{ principal: 'bot' }]),
})

const agent = (id: string) =>
  fc.record({
    id: fc.constant(id),
    roles: fc.subarray(['writer', 'admin']),
    owner: fc.constant('olga'),
    attributes: fc.constantFrom({}, { team: 'red' }, { team: 'blue', limit: '100' }),
    suspended: fc.constantFrom(false, false, false, true),
  })

const policies = fc.constantFrom(
  [],
  [{ name: 'large', when: 'args.amount > 100', requiresConfirmation: false }],
  [{ name: 'large', when: 'args.amount > 200', requiresConfirmation: false }],
  [{ name: 'ask' }],
  [{ name: 'many', triggerCardinality: 'multiple' }],
)
const graph = fc.record({ policies, isKnown: fc.constantFrom(true, true, false) })

export interface Drawn {
  readonly catalog: object
  readonly graph: { readonly policies: readonly object[]; readonly isKnown: boolean }
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  catalog: fc.record({
    principals: fc.tuple(fc.constant({ id: 'olga' }), agent('bot'), agent('bat')),
    capabilities: capability.map((one) => [JSON.parse(JSON.stringify(one))]),
    conditions: fc.uniqueArray(rule, { maxLength: 1, selector: ({ name }) => name }),
    limits: fc.constantFrom([], [{ capability: 'pay', uses: 2, windowMs: 60_000 }]),
    defaults: fc.constantFrom(
      {},
      { justificationCharacters: 30 },
      { rolesFor: { WRITE: [] } },
      { justificationFor: [] },
    ),
  }),
  graph,
})

/** Two that have most in common, as where a person changed something. */
const change = fc
  .tuple(drawn, drawn, fc.subarray(['principals', 'conditions', 'limits', 'defaults', 'graph']))
  .chain(([one, other, parts]) => {
    return fc
      .subarray(['safetyClass', 'conditions', 'argsSchema', 'allow', 'concepts'])
      .map((own) => {
        return { before: one, after: changed(one, other, new Set([...parts, ...own])) }
      })
  })

function changed(one: Drawn, other: Drawn, parts: ReadonlySet<string>): Drawn {
  const pick = (from: object, to: object): object => {
    const kept = Object.entries(from).filter(([name]) => !parts.has(name))
    const taken = Object.entries(to).filter(([name]) => parts.has(name))
    return Object.fromEntries([...kept, ...taken])
  }
  const tool = ({ catalog }: Drawn): object => {
    const [first] = Object.getOwnPropertyDescriptor(catalog, 'capabilities')?.value ?? []
    return first
  }
  return {
    catalog: { ...pick(one.catalog, other.catalog), capabilities: [pick(tool(one), tool(other))] },
    graph: parts.has('graph') ? other.graph : one.graph,
  }
}

/** Null where it cannot be a catalog. */
function rulesOf({ catalog: file, graph: { policies: some, isKnown } }: Drawn): Rules | null {
  const { catalog } = catalogFromFile(file)
  if (catalog === undefined) return null
  if (!isKnown) return { catalog, graph: emptyGraph }
  const known = { level: 1, properties: { is: 'known' } }
  const relata = [{ type: 'APPLIES_TO', target: 'money', targetDepth: 1, policies: [...some] }]
  const primitives = [
    { name: 'money', depths: [{ level: 0 }, known] },
    { name: 'pay', depths: [{ level: 0 }, { ...known, relata }] },
  ]
  return { catalog, graph: graphFromFile(parseGraphFile({ primitives })) }
}

const near = numbers.flatMap((one) => [one - 1, one, one + 1, one + 40])
const text = fc.oneof(
  fc.constantFrom(...texts),
  fc.array(fc.constantFrom(...pieces, 'q', '-'), { maxLength: 3 }).map((some) => some.join('')),
)

const request: fc.Arbitrary<{ agent: string; request: TriedRequest }> = fc.record({
  agent: fc.constantFrom('bot', 'bat'),
  request: fc.record(
    {
      tool: fc.constant('pay'),
      args: fc.record(
        {
          amount: fc.constantFrom(...near, 7),
          to: text,
          urgent: fc.boolean(),
          by: fc.record(
            { name: fc.constantFrom('a', 'b', 'c'), at: fc.constant('x') },
            { requiredKeys: [] },
          ),
          more: fc.constantFrom(1, 'x'),
        },
        { requiredKeys: [] },
      ),
      justification: fc.constantFrom(0, 5, 14, 15, 20, 21, 29, 30).map((size) => 'j'.repeat(size)),
      cardinality: fc.constantFrom<'single' | 'multiple'>('single', 'multiple'),
    },
    { requiredKeys: ['tool', 'args'] },
  ),
})
