// Logs with very many contracts and claims, with junk among them, and of clocks that differ.
import { expect, onTestFinished, test, vi } from 'vitest'
import { claimBy } from '#work/contracts/contracts'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { nameOf } from '#record/names'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import { nothingLooked, verificationDraft, workDueAt } from '#state/slices/work/drafts'
import { count } from '../support/vitest/counts.ts'
import { place } from '../support/scene.ts'
import { contracted, folded, workScene } from '../support/work/work-scene.ts'

const openMax = 256
/** How many each of the others has. */
const each = count(openMax, 32)
const issuers = Array.from({ length: 40 }, (_, index) => `issuer-${index}`)

/** Whose task it is, of each issuer's so many. */
const workerOf = (index: number, number: number): string => `worker-${(index + number) % 40}`

interface Said {
  readonly as: string
  readonly id: string
  readonly message: object
  readonly era?: number
}

/** Why it counts for nothing. */
function folds(state: State, { as, id, message, era = 1 }: Said): string | null {
  const whole = {
    id: `M-${id}`,
    protocol: 'VLP/1.1',
    timestamp: '2026-01-01T00:00:00Z',
    confidence: 0.5,
    sender: as,
    content: 'please',
    ...message,
  }
  const name = nameOf({ ...place, era }, 'vlp', as, '-', id)
  const { position, appendedAt } = state
  const at = { position: position + 1, appendedAt: appendedAt + 1 }
  return evolve(state, { name, bytes: Buffer.from(JSON.stringify(whole)), ...at }).void
}

/** Without stages: what happens in it is folded by the test. */
async function crowd(): Promise<State> {
  const on = await workScene({}, { stages: [] })
  const { state } = on.runtime.follower
  const principals = new Map(state.catalog.principals)
  const [grader] = [...principals.values()].filter(({ id }) => id === 'grader')
  if (grader === undefined) throw new Error('the scene has no grader')
  const workers = issuers.map((_, index) => workerOf(index, 0))
  for (const id of [...issuers, ...workers]) principals.set(id, { ...grader, id })
  const work = { ...state.catalog.work, issuers: [...issuers, 'grader'] }
  state.catalog = { ...state.catalog, principals, work }
  return state
}

const task = (taskId: string) => ({ contract: { taskId, objective: 'o', workspace: 'site' } })

function gives(index: number, number: number): Said {
  const payload = task(`T-${number}`)
  const message = { type: 'query', receiver: workerOf(index, number), payload }
  return { as: `issuer-${index}`, id: `c${number}`, message }
}

function claimsIt(index: number, number: number): Said {
  const message = {
    type: 'claim',
    refers_to: [nameOf(place, 'vlp', `issuer-${index}`, '-', `c${number}`)],
    payload: { completion: { status: 'success' } },
  }
  return { as: workerOf(index, number), id: `k${index}-${number}`, message }
}

/** Counts the entries that are copied from one map into another, until the test ends. */
function countCopies(): { copied: number } {
  const counted = { copied: 0 }
  const { Map: Plain } = globalThis
  class Counting<K, V> extends Plain<K, V> {
    constructor(entries?: Iterable<readonly [K, V]> | null) {
      super(entries)
      counted.copied += entries instanceof Plain ? entries.size : 0
    }
  }
  vi.stubGlobal('Map', Counting)
  onTestFinished(() => void vi.unstubAllGlobals())
  return counted
}

test('facts of very many open contracts are folded, and none copies all that is open', async () => {
  const state = await crowd()
  const counted = countCopies()
  let facts = 0
  for (const say of [gives, claimsIt]) {
    for (let number = 0; number < openMax; number += 1) {
      for (const index of issuers.keys()) {
        if (index > 0 && number >= each) continue
        expect(folds(state, say(index, number))).toBeNull()
        facts += 1
      }
    }
  }
  expect(state.contracts.size).toBe(39 * each + openMax)
  expect(counted.copied / facts).toBeLessThan(state.contracts.size / 10)
  // Of one who has as many as there may be, no more opens.
  expect(folds(state, gives(0, openMax))).toContain('has 256 contracts open')
  const refers = Array.from({ length: 8_000 }, (_, index) => String(index))
  const junk = { type: 'claim', refers_to: refers, payload: { completion: 1 } }
  for (let number = 0; number < 20; number += 1) {
    const why = folds(state, { as: 'bot', id: `j${number}`, message: junk })
    expect(why).toContain('it names no contract that is open')
  }
  expect(workDueAt(state, 60_000)).not.toBeNull()
})

test('an issuer opens no other contract in the place of one of an earlier era', async () => {
  const state = await crowd()
  expect(folds(state, gives(0, 1))).toBeNull()
  const [open] = state.contracts.values()
  state.place = { ...state.place, era: 2 }
  expect(folds(state, { ...gives(0, 1), era: 2 })).toBe('a contract of this address is open')
  expect(state.contracts.values()).toEqual([open])
  expect(state.contracts.countOf('issuer', 'issuer-0')).toBe(1)
})

test.each([
  ['where the clock of its verifier is a little ahead', 2_000, null],
  ['well before', 60_000, 'a claim may still come'],
])('the time for a claim has passed %s', async (_title, earlyMs, why) => {
  const on = await workScene({}, { stages: [] })
  await contracted(on)
  await folded(on)
  const { state } = on.runtime.follower
  const [open] = state.contracts.values()
  if (open === undefined) throw new Error('no contract is open')
  const looked = { completion: null, sources: [], found: nothingLooked }
  const draft = verificationDraft(state, open.address, { looked, now: claimBy(open) })
  if (draft === null) throw new Error('its time has not passed')
  const { kind, name, data } = draft
  const stamp = { source: 'warrant/verification/me', time: '2026-01-01T00:00:00.000Z', basis: 1 }
  const bytes = writeEvent(kind, name, jsonOf(data), stamp)
  const at = { position: state.position + 1, appendedAt: claimBy(open) - earlyMs }
  expect(evolve(state, { name, bytes, ...at }).void).toBe(why)
})
