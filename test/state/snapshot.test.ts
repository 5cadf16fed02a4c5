// A state out of its snapshot is the state: whatever was folded before, and wherever the cut is,
// the same facts make the same of it.
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test, describe } from 'vitest'
import { memoryLog } from '#log/memory/log'
import { applyChange } from '#knowledge/graph/graph-change'
import { graphFromFile, graphToFile } from '#knowledge/graph/graph'
import { graphOfPrimitives, plainPrimitives } from '#knowledge/graph/copy'
import { readSnapshot } from '#state/eras/restore'
import { chained, chainOf, chainStart, writeSnapshot } from '#state/eras/genesis'
import { newAgent } from '#state/agent-state'
import { withAgent } from '#state/agents'
import { openIntent } from '#state/intent'
import { newState, type State } from '#state/state'
import { entryBytesMax, type Fact } from '#ports/log'
import { count } from '../support/vitest/counts.ts'
import { answer, place, reviewed, say, scene, type Scene } from '../support/scene.ts'
import { filling, ruled } from '../support/learning-scene.ts'
import { factsOf, foldAll, restored, textOf, turn } from '../replay/eras/parts/fold.ts'
import { twoOfDesk } from '../replay/eras/parts/live.ts'
import { readGolden } from '../golden/golden-log.ts'
import { graphFile } from '../support/samples/graph-arbitraries.ts'
import { changeCatalog, changeGraph } from '../support/runtime.ts'
import { CatalogFile, type Arrival } from '#schemas/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { cellOf } from '#rules/catalog/cells'
import { arrivalFault, countedFor, takeArrivals } from '#state/arrivals'
import { evolve } from '#state/fold/evolve'
import { noUses } from '#state/slices/uses/uses'

const step = count(5, 75)

function expectSame(facts: readonly Fact[], at: number, whole = textOf(foldAll(facts))): void {
  const before = foldAll(facts.slice(0, at))
  // Between two eras the state is more than its text.
  if (before.sealed !== null) return
  const text = textOf(before)
  const copy = restored(before)
  expect(textOf(copy)).toBe(text)
  expect(textOf(foldAll(facts.slice(at), copy))).toBe(whole)
}

test(`wherever the golden log is cut, looked at in steps of ${step}, the rest of it makes the same state`, async () => {
  const facts = await readGolden(fileURLToPath(new URL('../golden/0.2.0', import.meta.url)))
  const whole = textOf(foldAll(facts))
  for (let at = 0; at <= facts.length; at += step) expectSame(facts, at, whole)
})

test('of agents that were blocked the text is the same, with an intent open or none', () => {
  const state = newState(place)
  const block = { name: 'main.1.vlp.olga.-.b', sender: 'olga', position: 1 }
  const fact = { name: 'main.1.vlp.bot.-.a', position: 2, appendedAt: 0 }
  withAgent(state, 'two', { ...newAgent, block })
  state.intents.set('bot.-.a', openIntent('bot.-.a', fact, { id: null, beyond: false }))
  withAgent(state, 'bot', { ...newAgent, open: 1, block })
  expect(textOf(restored(state))).toBe(textOf(state))
})

const setup = {
  ...twoOfDesk,
  catalog: {
    ...twoOfDesk.catalog,
    // Not of `erase`: how often people are asked is limited by the same.
    limits: [{ capability: 'look', uses: 2, windowMs: 60_000 }],
    trustedEvidence: [{ sender: 'olga', for: ['*'] }],
    learning: true,
  },
}

const junk = fc.constantFrom(
  'main.1.graph.9',
  'main.1.catalog.7',
  'main.1.rate.bot.look.5',
  'main.2.graph.3',
  'main.2.rate.bot.look.3',
  'main.2.snapshot.1',
  'main.3.snapshot.2',
  'main.2.vlp.bot.-.early',
  'main.1.verdict.bot.-.junk',
  `main.1.proposal.${'Z'.repeat(26)}`,
)
const moments = fc.oneof(
  { weight: 2, arbitrary: junk.map((name) => ({ do: 'junk' as const, name })) },
  { weight: 3, arbitrary: fc.constant({ do: 'look' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'erase' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'learn' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'answer' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'teach' as const }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        'modified' as const,
        'modified' as const,
        'skipped' as const,
        'rejected' as const,
      )
      .map((ruling) => ({ do: 'rule' as const, ruling })),
  },
)

async function ruleOn(on: Scene, ruling: 'modified' | 'skipped' | 'rejected'): Promise<void> {
  await on.watch.settled(on.log)
  await on.runtime.follower.reached((await on.log.head()).position)
  const [open] = [...on.runtime.follower.state.learning.open.values()]
  if (open === undefined) return
  const candidate = filling(open.data.template)
  const given = ruling === 'modified' ? { ruling, candidate } : { ruling }
  // What ties two primitives is left to others.
  if (ruling !== 'modified' || candidate.levels.length > 0) await ruled(on, open.id, given)
}

test('whatever happened, a state out of its snapshot goes on like the one that was folded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moments, { maxLength: 16 }), fc.nat(100), async (what, cut) => {
      const on = await scene(setup)
      let asked = ''
      for (const moment of what) {
        const { catalog } = on.runtime.follower.state
        switch (moment.do) {
          case 'junk':
            await on.log.append({ name: moment.name, bytes: Buffer.from('junk') })
            break
          case 'look':
            await say(on.log, {
              intent: { tool: 'look', concepts: ['moon', 'sun'].slice(cut % 2), onGap: 'learn' },
            })
            break
          case 'erase':
            asked = await reviewed(on, { intent: { tool: 'erase', args: { b: 1, a: [2] } } })
            break
          case 'learn':
            await changeGraph(on.runtime, {
              op: 'describe',
              name: 'file',
              level: 1,
              properties: { z: 1, a: { y: [catalog.principals.size], b: null } },
            })
            break
          case 'teach':
            await changeCatalog(on.runtime, { op: 'suspend', id: 'honest' })
            break
          case 'rule':
            await ruleOn(on, moment.ruling)
            break
          case 'answer':
            if (asked !== '') await answer(on, asked, { by: 'piet' })
            asked = ''
        }
      }
      await on.watch.settled(on.log)
      const facts = await factsOf(on.log)
      expectSame(facts, Math.floor((cut * facts.length) / 100))
      const [folded, copy] = [foldAll(facts), restored(foldAll(facts))]
      turn(folded)
      turn(copy)
      expect(textOf(copy)).toBe(textOf(folded))
      expect(folded.place.era).toBe(2)
      await on.runtime.stop()
    }),
    { numRuns: 25 },
  )
})

test('a graph out of its primitives answers and changes like the one they were taken from', () => {
  fc.assert(
    fc.property(graphFile, (file) => {
      const whole = graphFromFile(file)
      const [first] = file.primitives
      const removed = applyChange(whole, [{ op: 'remove', name: first?.name ?? '' }])
      const graph = 'graph' in removed ? removed.graph : whole
      const copy = graphOfPrimitives([...plainPrimitives(graph)])
      if (copy === null) throw new Error('an edge leads nowhere')
      expect(graphToFile(copy)).toEqual(graphToFile(graph))
      for (const { name } of file.primitives) {
        const change = [{ op: 'remove' as const, name }]
        const [one, other] = [applyChange(graph, change), applyChange(copy, change)]
        expect('refused' in other).toBe('refused' in one)
        if ('graph' in one && 'graph' in other) {
          expect(graphToFile(other.graph)).toEqual(graphToFile(one.graph))
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('a chunk fits into a fact, whatever it contains', async () => {
  const log = memoryLog()
  const state = newState(place)
  const text = '\u20ac"\\😀'.repeat(40_000)
  state.catalog = { ...state.catalog, knownConstraints: [text, `x${text}`] }
  const chunks = [...writeSnapshot(state)]
  expect(chunks.length).toBeGreaterThan(4)
  for (const chunk of chunks) {
    expect(chunk.isWellFormed()).toBe(true)
    const bytes = Buffer.from(JSON.stringify({ text: chunk }))
    expect(bytes.length).toBeLessThan(entryBytesMax - 1_024)
  }
  expect(textOf(readSnapshot(chunks, { realm: 'main' }))).toBe(chunks.join(''))
  await log.close()
})

test('a chunk that is left out, doubled or moved is seen in the chain of digests', () => {
  const whole = [...chainOf(['a', 'b', 'c'])].at(-1)
  for (const chunks of [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'c', 'b'],
    ['a', 'b', 'b', 'c'],
    ['ab', 'c'],
  ]) {
    expect([...chainOf(chunks)].at(-1)).not.toBe(whole)
  }
  expect(chained(chainStart, 'a')).toBe([...chainOf(['a'])][0])
})

test.each([
  ['nothing', []],
  ['half a line', ['{"line":"settings"']],
  ['no JSON', ['nonsense\n']],
  ['a line that no state writes', ['{"line":"secret"}\n']],
  ['a key that readers obey', ['{"line":"head","__proto__":{}}\n']],
  ['nesting without end', [`${'['.repeat(100_000)}\n`]],
])('a snapshot of %s is refused', (_, chunks) => {
  expect(() => readSnapshot(chunks, { realm: 'main' })).toThrow('snapshot cannot be read')
})

test('an edge that leads nowhere, and a state without its head, are refused', () => {
  const lines = textOf(foldAll([])).split('\n')
  const edge = { type: 'REQUIRES', target: 7, targetDepth: 0, sourceDepth: 0 }
  const relata = [{ ...edge, metadata: {}, policies: [], provenance: null }]
  const levels = [{ level: 0, properties: {}, relata, provenance: null }]
  const primitive = JSON.stringify({ line: 'primitive', name: 'a', provenance: null, levels })
  const read = (all: readonly string[]) => () =>
    readSnapshot([all.map((line) => `${line}\n`).join('')], { realm: 'main' })
  expect(read(lines.filter((line) => line !== ''))).not.toThrow()
  expect(read(lines.slice(1, -1))).toThrow('not whole')
  expect(read([...lines.slice(0, -1), primitive])).toThrow('not whole')
})

// What an agent brings along from its old cell as the fold has it, and as it is restored.

const hourMs = 3_600_000
const now = Date.parse('2026-01-01T00:00:00Z')
const { catalog } = catalogFromFile(
  CatalogFile.parse({
    cells: 2,
    principals: [{ id: 'bot' }],
    capabilities: [
      { id: 'look', safetyClass: 'READ' },
      { id: 'free', safetyClass: 'READ' },
    ],
    limits: [
      { capability: 'look', uses: 2, windowMs: hourMs },
      { capability: 'free', uses: 'unlimited', windowMs: 1 },
    ],
  }),
)
if (catalog === undefined) throw new Error('it is a catalog')
const here = cellOf(catalog, 'bot') ?? 0

function stateIn(cell: number, used: Readonly<Record<string, readonly number[]>> = {}): State {
  const state = newState({ realm: `main-c${cell}`, era: 1 })
  if (catalog !== undefined) state.catalog = catalog
  for (const [key, times] of Object.entries(used)) state.uses.set(key, { ...noUses, times })
  return state
}

function arrival(more: Partial<Arrival> = {}): Arrival {
  const at = new Date(now).toISOString()
  const from = 1 - here
  return { op: 'arrive', id: 'bot', from, at, uses: [], asks: [], block: null, ...more }
}

describe('what an agent has used', () => {
  test.each([
    ['as long as its window counts it', 'bot.look', now - hourMs + 1, 1],
    ['and no longer', 'bot.look', now - hourMs, 0],
    ['for the longest window where the catalog has no limit', 'bot.free', now - 2 * hourMs, 1],
    ['and where it has no such capability', 'bot.gone', now - 2 * hourMs, 1],
    ['and no longer than that', 'bot.gone', now - 30 * 24 * hourMs, 0],
    ['and not what another one has', 'bots.look', now, 0],
  ])('goes along %s', (_when, key, time, count) => {
    expect(countedFor(stateIn(here, { [key]: [time] }), 'bot', now).uses).toHaveLength(count)
  })

  test('is listed by capability, in one order', () => {
    const times = { 'bot.look': [now - 2, now - 1], 'bot.free': [now] }
    expect(countedFor(stateIn(here, times), 'bot', now)).toEqual({
      uses: [
        { capability: 'free', times: [now] },
        { capability: 'look', times: [now - 2, now - 1] },
      ],
      asks: [],
    })
  })

  test('comes behind what the new cell counted before, under names of its own', () => {
    const state = stateIn(here, { 'bot.look': [now - 9, now - 4] })
    const uses = [{ capability: 'look', times: [now - 1, now - 4] }]
    takeArrivals(state, [arrival({ uses })], 7)
    expect(state.uses.get('bot.look')).toEqual({
      ...noUses,
      times: [now - 9, now - 4, now - 1],
    })
  })
})

describe('what an agent has earned', () => {
  const suspendedBy = { name: 'main-c0.1.verification.ci.-.x.1', appendedAt: now - 5 }
  const standing = { value: 0.1, scored: 3, suspendedBy }

  test('goes along, so that a suspended agent stays suspended', () => {
    const old = stateIn(1 - here)
    const own = { agent: 'bot', ...standing, suspendedBy: { ...suspendedBy, position: 3 } }
    old.standings = new Map([['bot', { ...own, steps: [] }]])
    expect(countedFor(old, 'bot', now).standing).toEqual(standing)
    const state = stateIn(here)
    takeArrivals(state, [arrival({ standing })], 7)
    expect(state.standings.get('bot')).toEqual({
      ...own,
      suspendedBy: { ...suspendedBy, position: 7 },
      steps: [],
    })
    const at = { appendedAt: now, block: null }
    expect(arrivalFault(old, arrival({ standing }), at)).toBeNull()
    expect(arrivalFault(old, arrival(), at)).toBe('standing')
    const better = { ...standing, suspendedBy: null }
    expect(arrivalFault(old, arrival({ standing: better }), at)).toBe('standing')
  })
})

describe('an arrival', () => {
  const block = { name: 'main-c0.1.vlp.guard.-.x', sender: 'guard' }
  const uses = [{ capability: 'look', times: [now] }]

  test('is taken over where the agent is then, and nowhere else', () => {
    const state = stateIn(here)
    takeArrivals(state, [arrival({ uses, block })], 7)
    expect(state.agents.get('bot')?.block).toEqual({ ...block, position: 7 })
    for (const realm of ['main', 'main-c9']) {
      const other = { ...stateIn(here), place: { realm, era: 1 } }
      takeArrivals(other, [arrival({ uses, block })], 7)
      expect([other.uses.size, other.agents.size]).toEqual([0, 0])
    }
  })

  test('takes the block out of the old cell, and keeps what was lifted there', () => {
    const state = stateIn(1 - here)
    withAgent(state, 'bot', { ...newAgent, liftedThrough: 3, block: { ...block, position: 5 } })
    takeArrivals(state, [arrival({ block })], 7)
    expect(state.agents.get('bot')).toEqual({ ...newAgent, liftedThrough: 3 })
  })

  test('without a block leaves one that stands in the new cell', () => {
    const state = stateIn(here)
    withAgent(state, 'bot', { ...newAgent, block: { ...block, position: 5 } })
    takeArrivals(state, [arrival()], 7)
    expect(state.agents.get('bot')?.block?.position).toBe(5)
  })

  test('is false while something is open that was asked before it left', () => {
    const state = stateIn(here)
    const found = { appendedAt: now, block: null }
    const fact = { name: 'main-c0.1.vlp.bot.-.x', position: 1, appendedAt: now }
    const open = { id: null, beyond: false }
    expect(arrivalFault(state, arrival(), found)).toBeNull()
    state.intents.set('bot.-.x', openIntent('bot.-.x', fact, { ...open, moving: true }))
    expect(arrivalFault(state, arrival(), found)).toBeNull()
    state.intents.set('bot.-.x', openIntent('bot.-.x', fact, open))
    expect(arrivalFault(state, arrival(), found)).toBe('still_open')
  })

  test('is false as of a later time, at which fewer uses would count', () => {
    const state = stateIn(here)
    const found = { appendedAt: now - 1, block: null }
    expect(arrivalFault(state, arrival(), found)).toBe('at')
    expect(arrivalFault(state, arrival(), { ...found, appendedAt: now })).toBeNull()
  })
})

test('wherever a log with moves is cut, what is restored goes on to the same', async () => {
  const folder = fileURLToPath(new URL('../golden/0.2.0-move', import.meta.url))
  const facts = await readGolden(folder)
  const realm = 'main-c0'
  const whole = newState({ realm, era: 1 })
  const seen = new Set<boolean>()
  const rests: string[] = []
  for (const [at, fact] of facts.entries()) {
    evolve(whole, fact)
    for (const { moving } of whole.intents.values()) seen.add(moving === true)
    const copy = readSnapshot(writeSnapshot(whole), { realm })
    expect(textOf(copy)).toBe(textOf(whole))
    for (const next of facts.slice(at + 1)) evolve(copy, next)
    rests.push(textOf(copy))
  }
  for (const rest of rests) expect(rest).toBe(textOf(whole))
  expect(seen).toEqual(new Set([true, false]))
})
