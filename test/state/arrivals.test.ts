// What an agent brings along from its old cell as the fold has it, and as it is restored.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CatalogFile, type Arrival } from '#schemas/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { cellOf } from '#rules/catalog/cells'
import { arrivalFault, countedFor, takeArrivals } from '#state/arrivals'
import { newAgent } from '#state/agent-state'
import { withAgent } from '#state/agents'
import { readSnapshot } from '#state/eras/restore'
import { writeSnapshot } from '#state/eras/genesis'
import { evolve } from '#state/fold/evolve'
import { openIntent } from '#state/intent'
import { newState, type State } from '#state/state'
import { noUses } from '#state/slices/uses/uses'
import { readGolden } from '../golden/golden-log.ts'
import { textOf } from '../replay/eras/parts/fold.ts'

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
