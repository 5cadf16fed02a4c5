// Drills: logs under rules before version 7 have them, and fold as they did; from 7 on none counts.
// The facts are those of a golden log, and what anyone could have bound in their place.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { signData } from '#record/crypto/private-key'
import { readEvent, writeEvent } from '#record/event'
import { readSnapshot } from '#state/eras/restore'
import { writeSnapshot } from '#state/eras/genesis'
import { evolve } from '#state/fold/evolve'
import type { LoggedFact } from '#state/folded'
import { newState, type State } from '#state/state'
import type { ContentOf } from '#schemas/contents'
import type { EventKind } from '#schemas/kinds'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { readGolden } from '../golden/golden-log.ts'
import { keys, newKey } from '../support/runtime.ts'
import { place } from '../support/scene.ts'

const folder = fileURLToPath(new URL('../golden/0.2.0-attention', import.meta.url))
const facts = await readGolden(folder)
const [planted, declined, agreed] = facts.slice(-3)
const drill = contentOf('drill', planted)
const answer = contentOf('drillanswer', declined)
const id = drill.asks.intent.address.split('.').at(-1) ?? ''
const minuteMs = 60_000

function contentOf<K extends EventKind>(kind: K, fact: LoggedFact | undefined): ContentOf<K> {
  const reading = fact === undefined ? null : readEvent(kind, fact)
  if (reading?.ok !== true) throw new Error(`the golden log has no such ${kind}`)
  return reading.event.data
}

function folded(upTo: number): State {
  const state = newState(place)
  for (const fact of facts.slice(0, upTo)) evolve(state, fact)
  return state
}

interface Binding {
  readonly key?: string
  /** The name that is signed, where it is not its own. */
  readonly signedAs?: string
  readonly afterMs?: number
}

/** Folds that fact as the next one, signed by that key. */
function bound(
  state: State,
  { kind, name, data }: { readonly kind: EventKind; readonly name: string; readonly data: object },
  { key = keys.root, signedAs = name, afterMs = 0 }: Binding = {},
) {
  const { signature: _, ...signed }: Readonly<Record<string, unknown>> = { ...data }
  const signature = signData({ log: state.log, name: signedAs }, jsonOf(signed), key)
  const time = new Date(state.appendedAt).toISOString()
  const stamp = { source: 'confirmer/x', time, basis: state.position }
  const bytes = writeEvent(kind, name, jsonOf({ ...signed, signature }), stamp)
  const [position, appendedAt] = [state.position + 1, state.appendedAt + afterMs]
  return evolve(state, { name, bytes, position, appendedAt })
}

function planting(changed: object = {}, binding?: Binding, name = `main.1.drill.${id}`) {
  const state = folded(22)
  const data = { ...drill, ...changed }
  return { state, ...bound(state, { kind: 'drill', name, data }, binding) }
}

function answering(changed: object = {}, binding: Binding = {}, by = 'piet') {
  const state = folded(23)
  const data = { ...answer, ...changed }
  const of = { kind: 'drillanswer', name: `main.1.drillanswer.${id}.${by}`, data } as const
  return { state, ...bound(state, of, { key: keys.piet, ...binding }) }
}

test('one counts as it did, and so does each answer to it, and a snapshot has them', () => {
  const { state, void: why } = planting()
  expect(why).toBeNull()
  expect(state.drills.get(id)).toMatchObject({ shownTo: ['piet', 'quin'], answered: [] })
  const all = folded(facts.length)
  expect(all.drills.get(id)?.answered).toEqual(['piet', 'quin'])
  expect([...all.intents.keys()]).toEqual([])
  expect(readSnapshot(writeSnapshot(all), { realm: 'main' }).drills).toEqual(all.drills)
})

const { asks } = drill
const expired = new Date(Date.parse(asks.decideBy) - 16 * minuteMs).toISOString()
const lasting = new Date(Date.parse(asks.decideBy) + 31 * 24 * 60 * minuteMs).toISOString()

test.each([
  ['a question of their own', { shownTo: ['root'] }, {}],
  ['has not agreed', { shownTo: ['olga'] }, {}],
  ['might not answer', { asks: { ...asks, confirmers: ['quin'] } }, {}],
  ['not a policy admin', { by: 'piet', shownTo: ['quin'] }, { key: keys.piet }],
  ['no key of this person', {}, { key: newKey() }],
  ['no key of this person', {}, { signedAs: 'main.1.catalog.2' }],
  ['from another log', { asks: { ...asks, log: `sha256:${'0'.repeat(64)}` } }, {}],
  ['open for no time', { asks: { ...asks, decideBy: expired } }, {}],
  ['more than 30 days', { asks: { ...asks, decideBy: lasting } }, {}],
])('one that says what it may not counts for nothing: %s', (why, changed, binding) => {
  const { state, void: found } = planting(changed, binding)
  expect(found).toContain(why)
  expect(state.drills.size).toBe(0)
})

test('one counts once, under its own id', () => {
  const { state } = planting()
  const name = `main.1.drill.${id}`
  expect(bound(state, { kind: 'drill', name, data: drill }).void).toContain('another drill')
  const other = `main.1.drill.${id.slice(0, -1)}0`
  expect(planting({}, {}, other).void).toContain('its intent has another id')
})

test.each([
  ['another name', { confirmer: 'quin' }, {}, 'piet'],
  ['no such drill', { drill: `main.1.drill.${id.slice(0, -1)}0` }, {}, 'piet'],
  ['was not asked', { confirmer: 'olga' }, {}, 'olga'],
  ['something else than was shown', { digest: `sha256:${'0'.repeat(64)}` }, {}, 'piet'],
  ['does not answer each question', { answers: [true, true] }, {}, 'piet'],
  ['came too late', {}, { afterMs: 16 * minuteMs }, 'piet'],
  ['no key of this person', {}, { key: keys.quin }, 'piet'],
  ['no key of this person', {}, { signedAs: 'main.1.decision.bot.-.G0003.1.piet' }, 'piet'],
])('an answer that is not one counts for nothing: %s', (why, changed, binding, by) => {
  const { state, void: found } = answering(changed, binding, by)
  expect(found).toContain(why)
  expect(state.drills.get(id)?.answered).toEqual([])
})

test('each answers once, and at the last moment still', () => {
  const { state, void: why } = answering({}, { afterMs: 15 * minuteMs })
  expect(why).toBeNull()
  const again = { kind: 'drillanswer' as const, name: `main.1.drillanswer.${id}.piet` }
  const second = bound(state, { ...again, data: answer }, { key: keys.piet })
  expect(second.void).toContain('has answered it already')
})

test('what is signed as an answer to one decides nothing', () => {
  const state = folded(19)
  const decided = facts[19]
  const name = decided?.name ?? ''
  const data = contentOf('decision', decided)
  const signedAs = `main.1.drillanswer.${id}.piet`
  const { uncounted } = bound(state, { kind: 'decision', name, data }, { key: keys.piet, signedAs })
  expect(uncounted).toContain('no key of this person')
})

/** Moves the log to rules 7, with that in the place of what it says of attention. */
function moved(state: State, attention: object) {
  const data = {
    revision: 2,
    by: 'root',
    operations: [
      { op: 'set' as const, key: 'rules' as const, value: 7 },
      { op: 'set' as const, key: 'attention' as const, value: attention },
    ],
  }
  return bound(state, { kind: 'catalog', name: 'main.1.catalog.2', data })
}

test('from rules 7 on none can be bound, nor an answer to one that was', () => {
  const state = folded(22)
  expect(moved(state, {}).void).toBeNull()
  const name = `main.1.drill.${id}`
  const why = 'there are no drills under rules 7'
  expect(bound(state, { kind: 'drill', name, data: drill }).void).toBe(why)
  expect(state.drills.size).toBe(0)
  const before = folded(23)
  expect(moved(before, {}).void).toBeNull()
  const late = { kind: 'drillanswer' as const, name: agreed?.name ?? '', data: answer }
  expect(bound(before, late, { key: keys.piet }).void).toBe(why)
  expect(before.drills.get(id)?.answered).toEqual([])
})

test('from rules 7 on no catalog says who may be shown one, and older ones are read', () => {
  const drills = [{ person: 'piet' }]
  const why = 'there are no drills under rules 7: leave `drills` out'
  expect(moved(folded(22), { drills }).void).toContain(why)
  const file = { principals: [{ id: 'piet' }], attention: { drills } }
  expect(catalogFromFile({ ...file, rules: 7 }).refused).toMatchObject({
    code: 'catalog_invalid',
    message: expect.stringContaining(why),
    at: expect.stringContaining('attention/drills'),
  })
  expect(catalogFromFile({ ...file, rules: 6 }).refused).toBeUndefined()
  expect(folded(1).catalog.attention.drills).toEqual([{ person: 'piet' }, { person: 'quin' }])
})
