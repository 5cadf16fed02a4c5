// What a view of the graph promises, as cases that every adapter passes as they stand.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GraphOperation } from '#schemas/graph'
import { graphFromFile } from '#knowledge/graph/graph'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import { ground } from '#knowledge/grounding/ground'
import type { GraphView } from '#ports/graph-view'
import { count } from '../../support/vitest/counts.ts'
import { graphOf } from '../../support/samples/graph-builder.ts'
import { asked, hardNames } from './graph-view-graphs.ts'
import { graphOfOperations, namesOf, textOf, wholeOnes, written } from './graph-view-written.ts'

/** What a keeper is given to hold. */
export interface Kept {
  readonly graph: Graph
  readonly revision: number
  readonly position: number
}

export interface ViewHarness {
  readonly view: GraphView
  /** Holds this instead of what it held. */
  keep(kept: Kept): Promise<void>
  /** How often the keeper was asked so far. */
  asked(): number
  close(): Promise<void>
}

const askedMax = 4
const graphsTried = count(1_000, 100)

/** Where no keeper can be had, the cases are skipped. */
export function graphViewSuite(label: string, open: (() => Promise<ViewHarness>) | null): void {
  describe.runIf(open !== null)(`the view ${label}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = new Stage((await open?.()) ?? expect.fail('there is a keeper'))
    })
    afterAll(() => stage.harness.close())
    for (const [sentence, prove] of Object.entries(cases)) {
      test(sentence, () => prove(stage))
    }
  })
}

class Stage {
  readonly harness: ViewHarness
  revision = 0

  constructor(harness: ViewHarness) {
    this.harness = harness
  }

  /** The next revision, whatever the one before was. */
  async keep(graph: Graph): Promise<void> {
    this.revision += 1
    await this.harness.keep({ graph, revision: this.revision, position: 10 * this.revision })
  }

  async gathered(...concepts: readonly string[]): Promise<Graph> {
    return (await this.harness.view.gather(concepts)).graph
  }

  /** How often the keeper is asked for these. */
  async used(...concepts: readonly string[]): Promise<number> {
    const before = this.harness.asked()
    await this.gathered(...concepts)
    return this.harness.asked() - before
  }

  /** What the concept means there. */
  async resolved(concept: string): Promise<string | undefined> {
    const graph = await this.gathered(concept)
    return ground(graph, { concepts: [concept], profile: 'strict' }).resolved[0]
  }
}

const cases: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'knows nothing of an empty graph, and says which revision that is': async (stage) => {
    await stage.keep(emptyGraph)
    const { graph, revision, position } = await stage.harness.view.gather(['file', ''])
    expect(namesOf(graph)).toEqual([])
    expect([revision, position]).toEqual([stage.revision, 10 * stage.revision])
  },

  'holds nothing under an invalid name, and takes no name for a query': async (stage) => {
    await stage.keep(graphOf('read 0', 'file 0'))
    const others = hardNames.filter((name) => name !== 'file')
    const concepts = [...others, 'x'.repeat(5_000), '-_ ']
    const { gaps } = ground(await stage.gathered(...concepts), { concepts, profile: 'strict' })
    expect(gaps.map(({ kind }) => kind)).toEqual(concepts.map(() => 'EXISTENCE'))
    expect(namesOf(await stage.gathered('read', 'file'))).toEqual(['read', 'file'])
  },

  'holds every primitive that a concept names, however it is cased or composed': async (stage) => {
    await stage.keep(
      graphOfOperations(hardNames.map((name): GraphOperation => ({ op: 'add', name }))),
    )
    for (const name of hardNames) {
      expect(await stage.resolved(name)).toBe(name)
      // The upper case of a dotless letter is that of another.
      if (name.includes('ı')) continue
      expect(await stage.resolved(name.toUpperCase().normalize('NFD'))).toBe(name)
    }
    expect(await stage.resolved('ILIK')).toBe('ILIK')
    expect(await stage.resolved('straẞe')).toBe('Straße')
  },

  'holds every primitive that has the words in another form, and none besides': async (stage) => {
    await stage.keep(
      graphOf('delete_file 0', 'deleted-files 0', 'file_delete 0', 'delete_old_file 0'),
    )
    const concepts = ['deletes files']
    const { gaps } = ground(await stage.gathered(...concepts), { concepts, profile: 'strict' })
    const candidates = ['delete_file', 'deleted-files']
    expect(gaps).toEqual([{ kind: 'EXISTENCE', primitive: 'deletes files', candidates }])
    expect(await stage.resolved('filing deletes')).toBe('file_delete')
  },

  'holds all that those pull in, each whole, with who wrote what': async (stage) => {
    const graph = graphOfOperations(written)
    await stage.keep(graph)
    const part = wholeOnes(await stage.gathered('READ'))
    const whole = wholeOnes(graph)
    for (const name of ['read', 'file', 'disk', 'owner']) {
      expect(JSON.stringify(part.get(name))).toBe(JSON.stringify(whole.get(name)))
    }
  },

  'holds them in stored order': async (stage) => {
    await stage.keep(graphOf('d 0', 'b 0', 'c 0', 'a 0', 'c@0 REQUIRES b@0', 'a@0 REQUIRES d@0'))
    expect(namesOf(await stage.gathered('a', 'c'))).toEqual(['d', 'b', 'c', 'a'])
  },

  'asks no more often for more, and not for each path': async (stage) => {
    await stage.keep(layered)
    const many = wide.map((at) => `node_7_${at}`)
    expect(await stage.used('node_0_0')).toBe(await stage.used('node_29_0', ...many))
    const formed = await stage.used('nodes 0 0')
    expect(await stage.used('node_29_0', ...wide.map((at) => `nodes ${at} 0`))).toBe(formed)
    expect(formed).toBeLessThanOrEqual(askedMax)
    const graph = await stage.gathered('node_29_0')
    expect(wholeOnes(graph).get('node_29_0')?.levels[0]?.relata).toHaveLength(wide.length)
    expect(graph.size).toBeGreaterThanOrEqual(wide.length * 29 + 1)
  },

  'never mixes two revisions, however often the graph changes': async (stage) => {
    const turns = [chained(0), chained(1)] as const
    const texts = turns.map((graph) => textOf(graph))
    const next = (): Promise<void> => stage.keep(stage.revision % 2 === 0 ? turns[1] : turns[0])
    await next()
    const ending = new AbortController()
    const moving = (async () => {
      while (!ending.signal.aborted) await next()
    })()
    try {
      for (let nth = 0; nth < count(60, 15); nth += 1) {
        const { graph, revision, position } = await stage.harness.view.gather(['n39', 'n20'])
        expect(textOf(graph)).toBe(texts[revision % 2])
        expect(position).toBe(10 * revision)
      }
    } finally {
      ending.abort()
      await moving
    }
  },

  'is grounded in to the byte as the whole graph is': async (stage) => {
    const seen = { tried: 0, ungrounded: 0, candidates: 0, pulled: 0 }
    const property = fc.asyncProperty(asked, async ({ file, query }) => {
      const whole = graphFromFile(file)
      await stage.keep(whole)
      const before = stage.harness.asked()
      const found = await stage.harness.view.gather(query.concepts)
      expect(stage.harness.asked() - before).toBeLessThanOrEqual(askedMax)
      expect(found.revision).toBe(stage.revision)
      const answer = ground(whole, query)
      expect(JSON.stringify(ground(found.graph, query))).toBe(JSON.stringify(answer))
      seen.tried += 1
      seen.ungrounded += Number(!answer.grounded)
      seen.candidates += Number(answer.gaps.some((gap) => 'candidates' in gap))
      seen.pulled += Number(answer.visible.length > query.concepts.length)
    })
    await fc.assert(property, { numRuns: graphsTried, endOnFailure: true })
    // What is not in the trials is not proved by them.
    expect(seen.ungrounded).toBeGreaterThanOrEqual(seen.tried / 2)
    expect(seen.tried - seen.ungrounded).toBeGreaterThan(seen.tried / 20)
    expect(seen.candidates).toBeGreaterThan(seen.tried / 100)
    expect(seen.pulled).toBeGreaterThan(seen.tried / 10)
  },
}

const wide = [0, 1, 2, 3, 4, 5] as const

/** From the last layer to the first there are more paths than could ever be walked. */
const layered = graphOf(
  ...Array.from({ length: 30 }, (_, layer) => wide.map((at) => `node_${layer}_${at} 0`)).flat(),
  ...Array.from({ length: 29 }, (_, layer) =>
    wide.flatMap((at) =>
      wide.map((to) => `node_${layer + 1}_${at}@0 REQUIRES node_${layer}_${to}@0`),
    ),
  ).flat(),
)

/** Forty in a row, on edges that all hang at that level. */
function chained(level: 0 | 1): Graph {
  const nodes = Array.from({ length: 40 }, (_, at) => `n${at} 0,1~`)
  const edges = Array.from({ length: 39 }, (_, at) => `n${at + 1}@${level} REQUIRES n${at}@0`)
  return graphOf(...nodes, ...edges)
}
