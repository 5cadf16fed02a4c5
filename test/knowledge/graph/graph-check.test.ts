// What in a graph is unreachable or never asked about: found, reported where, and nothing
// else with it.
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogFile } from '#schemas/catalog'
import type { GraphFile, Policy } from '#schemas/graph'
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { checkGraph as checkedWith } from '#authoring/lint/lint'
import type { Flaw } from '#authoring/lint/flaw'
import { fixesOf } from '#present/fixes'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { emptyGraph } from '#knowledge/graph/revision'
import { ground } from '#knowledge/grounding/ground'
import { trigger } from '#rules/chain/violation'
import { graphFile, graphNames } from '../../support/samples/graph-arbitraries.ts'

type Capability = Pick<CatalogFile['capabilities'][0], 'concepts'> &
  Partial<Pick<CatalogFile['capabilities'][0], 'cardinality' | 'minDepth'>>

function catalogOf(...capabilities: readonly Capability[]): Catalog {
  const { catalog, refused } = catalogFromFile({
    capabilities: capabilities.map((each, nth) => ({
      id: `use-${nth}`,
      safetyClass: 'READ',
      ...each,
    })),
  })
  return catalog ?? expect.fail(refused?.message)
}

function graphOf(...primitives: readonly unknown[]): Graph {
  return graphFromFile(parseGraphFile({ primitives }))
}

const known = { level: 1, properties: { what: 'it is known' } }
const plain = (name: string, ...relata: readonly unknown[]) => ({
  name,
  depths: [{ level: 0 }, { ...known, relata }],
})

function checkGraph(graph: Graph, catalog: Catalog): readonly Flaw[] {
  return checkedWith(graph, catalog, fixesOf)
}

/** The code of each, and where. */
function found(flaws: readonly Flaw[]): readonly string[] {
  return flaws.map(({ code, where }) => {
    const { capability, primitive, level, edge, policy } = where
    const path = edge === undefined ? '' : ` ${edge.type} ${edge.target}`
    const at = `${capability ?? primitive ?? ''}${level === undefined ? '' : ` D${level}`}${path}`
    return `${code} ${at}${policy === undefined ? '' : ` ${policy}`}`.trimEnd()
  })
}

function flawsOf(graph: Graph, ...capabilities: readonly Capability[]): readonly string[] {
  return found(checkGraph(graph, catalogOf(...capabilities)))
}

test('nothing is found where nothing is wrong, and nothing of an empty graph', () => {
  expect(checkGraph(emptyGraph, emptyCatalog)).toEqual([])
  expect(flawsOf(graphOf(plain('sun')), { concepts: ['sun'] })).toEqual([])
})

test('the core graph has no flaw for a capability that deletes files', async () => {
  const file = await readFile(new URL('../../../seeds/core/graph.json', import.meta.url), 'utf8')
  const graph = graphFromFile(parseGraphFile(JSON.parse(file)))
  expect(flawsOf(graph, { concepts: ['delete', 'file'] })).toEqual([])
  expect(flawsOf(graph, { concepts: ['read', 'file'] })).toEqual([
    'policy_unreached delete D3 APPLIES_TO file BulkFileDeletePolicy',
  ])
  expect(flawsOf(graph, { concepts: ['delete', 'file'], cardinality: 'single' })).toEqual([
    'policy_cardinality delete D3 APPLIES_TO file BulkFileDeletePolicy',
  ])
})

describe('levels', () => {
  const concepts = ['sun']

  test('that are empty are hollow, and what stands above one does not count', () => {
    const levels = [{ level: 0 }, { level: 1 }, { level: 2, properties: { what: 'hot' } }]
    expect(flawsOf(graphOf({ name: 'sun', depths: levels }), { concepts })).toEqual([
      'level_hollow sun D1',
      'level_dormant sun D2',
    ])
    expect(flawsOf(graphOf({ name: 'sun', depths: levels.slice(0, 1) }), { concepts })).toEqual([])
  })

  test('above a missing one do not count, and name the missing one', () => {
    const depths = [{ level: 0 }, { level: 2, properties: { what: 'hot' } }]
    const [flaw] = checkGraph(graphOf({ name: 'sun', depths }), catalogOf({ concepts }))
    expect(flaw).toMatchObject({ code: 'level_dormant', where: { primitive: 'sun', level: 2 } })
    expect(flaw?.fix).toBe('describe level 1')
  })

  test('that are not even begun leave nothing known', () => {
    expect(flawsOf(graphOf({ name: 'sun' }), { concepts: ['sun'] })).toEqual([
      'existence_missing sun',
    ])
    expect(flawsOf(graphOf({ name: 'sun', depths: [known] }), { concepts })).toEqual([
      'existence_missing sun',
    ])
  })
})

describe('edges', () => {
  const edge = (targetDepth: number) => ({ type: 'APPLIES_TO', target: 'day', targetDepth })

  test('never count where their level does not', () => {
    const sun = { name: 'sun', depths: [{ level: 0 }, { level: 3, relata: [edge(0)] }] }
    expect(flawsOf(graphOf(sun, plain('day')), { concepts: ['sun', 'day'] })).toEqual([
      'capability_ungrounded use-0',
      'capability_ungrounded use-0',
      'level_dormant sun D3',
      'edge_gated sun D3 APPLIES_TO day',
    ])
  })

  test('ask for no more than is known of their target', () => {
    const asking = (depth: number) => graphOf(plain('sun', edge(depth)), plain('day'))
    expect(flawsOf(asking(1), { concepts: ['sun'] })).toEqual([])
    expect(flawsOf(asking(2), { concepts: ['sun'] })).toEqual(['edge_unmet sun D1 APPLIES_TO day'])
    expect(flawsOf(asking(2), { concepts: ['sun', 'day'] })).toEqual([
      'capability_ungrounded use-0',
      'edge_unmet sun D1 APPLIES_TO day',
    ])
  })
})

describe('policies', () => {
  const rule = { name: 'ask' }
  const governed = (type: string, triggerCardinality: string | null = null) =>
    graphOf(
      plain('sun', {
        type,
        target: 'day',
        targetDepth: 0,
        policies: [{ ...rule, triggerCardinality }],
      }),
      plain('day'),
    )
  const both = { concepts: ['sun', 'day'] }

  test('apply nowhere but on APPLIES_TO', () => {
    expect(flawsOf(governed('APPLIES_TO'), both)).toEqual([])
    for (const type of ['REQUIRES', 'CONSTRAINED_BY', 'DEPENDS_ON', 'INCLUDES']) {
      expect(flawsOf(governed(type), both)).toEqual([`policy_misplaced sun D1 ${type} day ask`])
    }
  })

  test('need a capability that brings in both ends, by whatever form of their names', () => {
    const one = ['policy_unreached sun D1 APPLIES_TO day ask']
    expect(flawsOf(governed('APPLIES_TO'), { concepts: ['sun'] })).toEqual(one)
    expect(flawsOf(governed('APPLIES_TO'), { concepts: ['sun'] }, { concepts: ['day'] })).toEqual(
      one,
    )
    expect(flawsOf(governed('APPLIES_TO'), { concepts: ['SUNS', 'days'] })).toEqual([])
  })

  test('for one cardinality need a capability that may have it', () => {
    const multiple = governed('APPLIES_TO', 'multiple')
    expect(flawsOf(multiple, { ...both, cardinality: 'single' })).toEqual([
      'policy_cardinality sun D1 APPLIES_TO day ask',
    ])
    expect(flawsOf(multiple, { ...both, cardinality: 'multiple' })).toEqual([])
    expect(flawsOf(multiple, both)).toEqual([])
  })
})

describe('capabilities', () => {
  test('name no concept that is not known, and learn which may be meant', () => {
    const graph = graphOf(plain('mail'), plain('send mail'), plain('sends mail'))
    const relations = checkGraph(graph, catalogOf({ concepts: ['mail', 'moon', 'sent mail'] }))
    const unknown = relations.filter(({ code }) => code === 'concept_unknown')
    expect(unknown.map(({ what }) => what)).toEqual([
      '`use-0` names the concept `moon`, which is not in the graph',
      '`use-0` names the concept `sent mail`, which may mean `send mail` or `sends mail`',
    ])
  })

  test('are grounded together, as deeply as they ask', () => {
    const graph = graphOf(plain('sun'), plain('day'))
    expect(flawsOf(graph, { concepts: ['sun'] }, { concepts: ['day'] })).toEqual([])
    expect(flawsOf(graph, { concepts: ['sun', 'day'] })).toEqual(['capability_ungrounded use-0'])
    expect(flawsOf(graph, { concepts: ['sun'], minDepth: 1 }, { concepts: ['day'] })).toEqual([])
    expect(flawsOf(graph, { concepts: ['sun'], minDepth: 2 }, { concepts: ['day'] })).toEqual([
      'capability_ungrounded use-0',
    ])
  })

  test('that name no concept at all are reported once, and not for each part and policy', () => {
    const graph = graphOf(plain('sun'), plain('day'))
    expect(flawsOf(graph, { concepts: [] })).toEqual(['concepts_missing'])
  })
})

test('parts that no concept means are reported as one, and a single edge makes them a part of the rest', () => {
  const includes = (target: string) => ({ type: 'INCLUDES', target, targetDepth: 0 })
  const apart = [plain('moon', includes('tide')), plain('tide')]
  const graph = graphOf(plain('sun'), ...apart)
  expect(flawsOf(graph, { concepts: ['sun'] })).toEqual(['part_unreached moon'])
  const joined = graphOf(plain('sun', includes('tide')), ...apart)
  expect(flawsOf(joined, { concepts: ['sun'] })).toEqual([])
})

const wanted = fc.array(
  fc.record(
    {
      concepts: fc.array(fc.constantFrom(...graphNames), { minLength: 1, maxLength: 4 }),
      cardinality: fc.constantFrom('single' as const, 'multiple' as const),
      minDepth: fc.nat(4),
    },
    { requiredKeys: ['concepts'] },
  ),
  { minLength: 1, maxLength: 3 },
)

test('on random graphs a policy is flawless just where a grounding would trigger it', () => {
  const seen = { flawed: 0, triggered: 0 }
  fc.assert(
    fc.property(graphFile, wanted, fc.infiniteStream(fc.nat(2)), (file, asked, draws) => {
      const { graph, policies } = numbered(file, () => draws.next().value)
      const catalog = catalogOf(...asked)
      const flaws = checkGraph(graph, catalog)
      const triggered = new Set<string>()
      for (const { concepts, cardinality, minDepth } of asked) {
        const answer = ground(graph, { concepts, minDepth, profile: 'strict' })
        const placed = trigger(answer.policies, cardinality ?? null)
        for (const { policy } of placed) triggered.add(policy.name)
      }
      const flawed = new Set(flaws.flatMap(({ where }) => where.policy ?? []))
      seen.flawed += flawed.size
      seen.triggered += triggered.size
      expect([...policies].filter((name) => flawed.has(name) === triggered.has(name))).toEqual([])
    }),
    { numRuns: 500 },
  )
  expect(seen.flawed).toBeGreaterThan(100)
  expect(seen.triggered).toBeGreaterThan(30)
})

test('on random graphs a capability is flawless just where its concepts are grounded', () => {
  fc.assert(
    fc.property(graphFile, wanted, (file, asked) => {
      const graph = graphFromFile(file)
      const flaws = checkGraph(graph, catalogOf(...asked))
      const flawed = new Set(flaws.flatMap(({ where }) => where.capability ?? []))
      for (const [nth, { concepts, minDepth }] of asked.entries()) {
        const { grounded } = ground(graph, { concepts, minDepth, profile: 'strict' })
        expect(flawed.has(`use-${nth}`)).toBe(!grounded)
      }
    }),
    { numRuns: 300 },
  )
})

/** The same file with a name of its own for each policy, and drawn cardinalities. */
function numbered(
  file: GraphFile,
  draw: () => number,
): { readonly graph: Graph; readonly policies: ReadonlySet<string> } {
  const policies = new Set<string>()
  const named = (policy: Policy): Policy => {
    const name = `policy ${policies.size}`
    policies.add(name)
    const cardinality = ([null, 'single', 'multiple'] as const)[draw()]
    return { ...policy, name, triggerCardinality: cardinality ?? null }
  }
  const primitives = file.primitives.map((primitive) => ({
    ...primitive,
    depths: primitive.depths.map((depth) => ({
      ...depth,
      relata: depth.relata.map((edge) => ({ ...edge, policies: edge.policies.map(named) })),
    })),
  }))
  return { graph: graphFromFile({ primitives }), policies }
}
