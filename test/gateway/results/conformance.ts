// What the port of kept results promises, as cases that each store is held to.
import { describe, expect, test } from 'vitest'
import type { FaultCode } from '#schemas/faults/registry'
import { Fault } from '#record/fault'
import type { Json } from '#record/canonical'
import type { Clock } from '#ports/clock'
import { resultLimits, type ResultLimits, type ResultStore } from '#ports/results'
import type { KeptResult, ResultToKeep } from '#ports/results'

/** A clock that stands until it is set. */
export function handClock(): Clock & { set(now: number): void } {
  let now = 1_000
  return {
    now: () => now,
    set: (to) => {
      now = to
    },
  }
}

export interface ResultsHarness {
  readonly store: ResultStore
  readonly clock: ReturnType<typeof handClock>
}

export function result(more: Partial<ResultToKeep> = {}): ResultToKeep {
  const value: Json = [{ id: 1, mail: 'ann@example.com' }]
  return { intent: 'i', owner: 'ann', capability: 'read', value, expiresAt: 5_000, ...more }
}

/** The same as it comes back. */
export function back(of: ResultToKeep, id: string): KeptResult {
  const { intent, owner, capability, expiresAt, value } = of
  return { intent, owner, capability, expiresAt, id, json: Buffer.from(JSON.stringify(value)) }
}

/** Rejects with that code. */
export async function refuses(work: Promise<unknown>, code: FaultCode): Promise<void> {
  const fault = await work.then(
    () => null,
    (error: unknown) => error,
  )
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ code })
}

type Limited = (limits?: Partial<ResultLimits>) => Promise<ResultsHarness>

export function resultsConformance(
  name: string,
  make: (limits: ResultLimits) => Promise<ResultsHarness>,
): void {
  const limited: Limited = (limits = {}) => make({ ...resultLimits, ...limits })
  describe(`results kept by ${name}`, () => {
    comeBack(limited)
    areNamed(limited)
    areBounded(limited)
  })
}

function comeBack(limited: Limited): void {
  test('come back as they were put', async () => {
    const { store } = await limited()
    const { id } = await store.put(result())
    expect(await store.get(id)).toEqual(back(result(), id))
    const json = Buffer.from('{"a":["\u{1F600}",1]}')
    const written = await store.put(result({ value: { json, digest: 'sha256:of', rows: 1 } }))
    const value = { a: ['\u{1F600}', 1] }
    expect(await store.get(written.id)).toEqual(back(result({ value }), written.id))
    const { id: other } = await store.put(result({ value: null, owner: 'bob / ..' }))
    expect(await store.get(other)).toEqual(back(result({ value: null, owner: 'bob / ..' }), other))
    await store.close()
  })

  test('have ids that no one can guess', async () => {
    const { store } = await limited()
    const ids = new Set<string>()
    for (let count = 0; count < 20; count += 1) ids.add((await store.put(result())).id)
    expect(ids.size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^res_[A-Za-z0-9_-]{24}$/)
    await store.close()
  })

  test.each([
    '',
    '..',
    '../results.key',
    'res_',
    'results.key',
    '__proto__',
    'a\u0000b',
    '/etc/passwd',
  ])('are none under the id %j', async (id) => {
    const { store } = await limited()
    await store.put(result())
    expect(await store.get(id)).toBeNull()
    await store.close()
  })
}

function areNamed(limited: Limited): void {
  test('are found by the name that they were put under, and the last one counts', async () => {
    const { store } = await limited({ resultsMax: 1 })
    const first = await store.put(result({ name: 'a' }))
    expect(first.id).toBe(store.idOf('a'))
    expect(await store.get(store.idOf('a'))).toEqual(back(result(), first.id))
    const second = await store.put(result({ name: 'a', value: 2, expiresAt: 6_000 }))
    expect(second.id).toBe(first.id)
    const now = back(result({ value: 2, expiresAt: 6_000 }), first.id)
    expect([await store.get(first.id), store.ids()]).toEqual([now, [first.id]])
    expect(await store.get(store.idOf('b'))).toBeNull()
    await store.close()
  })

  test('have names that no one guesses who has another store', async () => {
    const [{ store }, { store: other }] = [await limited(), await limited()]
    expect(store.idOf('a')).toMatch(/^res_[A-Za-z0-9_-]{24}$/)
    expect(store.idOf('a')).not.toBe(other.idOf('a'))
    expect(store.idOf('a')).not.toBe(store.idOf('b'))
    await Promise.all([store.close(), other.close()])
  })

  test('are gone once they are removed, and that makes room', async () => {
    const { store } = await limited({ resultsMax: 1 })
    const { id } = await store.put(result())
    await store.remove(id)
    await store.remove(id)
    await store.remove('../results.key')
    expect([await store.get(id), store.ids()]).toEqual([null, []])
    await store.put(result())
    await store.close()
  })
}

function areBounded(limited: Limited): void {
  test('are there until they expire, and not at that moment', async () => {
    const { store, clock } = await limited()
    const { id } = await store.put(result({ expiresAt: 5_000 }))
    clock.set(4_999)
    expect(await store.get(id)).not.toBeNull()
    clock.set(5_000)
    expect(await store.get(id)).toBeNull()
    clock.set(4_000)
    expect(await store.get(id)).toBeNull()
    await store.close()
  })

  test('are no more than so many, and what expires makes room', async () => {
    const { store, clock } = await limited({ resultsMax: 2 })
    await store.put(result({ expiresAt: 2_000 }))
    const { id } = await store.put(result())
    await refuses(store.put(result()), 'results_full')
    expect(await store.get(id)).not.toBeNull()
    clock.set(2_000)
    await store.put(result())
    await refuses(store.put(result()), 'results_full')
    await store.close()
  })

  test('have no more than so many bytes, each and together', async () => {
    const large = result({ value: 'x'.repeat(4_000) })
    const { store } = await limited({ resultBytesMax: 5_000, bytesMax: 9_000 })
    await refuses(store.put(result({ value: 'x'.repeat(5_001) })), 'result_too_large')
    await store.put(large)
    await store.put({ ...large, owner: 'bob' })
    await refuses(store.put({ ...large, owner: 'cid' }), 'results_full')
    await store.close()
  })

  test('of one owner push out none but its own', async () => {
    const large = result({ value: 'x'.repeat(4_000) })
    const { store } = await limited({ ownerBytesMax: 9_000 })
    const { id: others } = await store.put({ ...large, owner: 'bob' })
    const { id: first } = await store.put(large)
    const { id: second } = await store.put(large)
    const { id: third } = await store.put(large)
    expect(await store.get(first)).toBeNull()
    for (const id of [others, second, third]) expect(await store.get(id)).not.toBeNull()
    await store.close()
  })

  test('are all there where many are put at once', async () => {
    const { store } = await limited({ resultsMax: 10 })
    const puts = Array.from({ length: 15 }, () => store.put(result()))
    const settled = await Promise.allSettled(puts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    await store.close()
  })
}
