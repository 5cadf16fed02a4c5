import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftMapOf, keysApart } from '#rules/catalog/layered-map'
import { packing } from '#rules/catalog/packed-map'

const key = fc.integer({ min: 0, max: 40 }).map((number) => `k${number * 97}`)
const step = fc.oneof(
  fc.record({ op: fc.constant('set' as const), key, value: fc.nat() }),
  fc.record({ op: fc.constant('delete' as const), key }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const manySteps = fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 8 })
/** Few are a Map, and many a map in layers. */
const sizes = fc.constantFrom(0, 30, 1_100)

function begun(size: number): ReadonlyMap<string, number> {
  return new Map(Array.from({ length: size }, (_, number) => [`k${number}`, -number - 1]))
}

function read(map: ReadonlyMap<string, number>): string {
  return JSON.stringify([[...map], [...map.keys()], [...map.values()]])
}

function changed(
  map: Pick<Map<string, number>, 'delete'> & { set(key: string, value: number): unknown },
  steps: readonly Step[],
): void {
  for (const one of steps) {
    if (one.op === 'set') map.set(one.key, one.value)
    else map.delete(one.key)
  }
}

interface Sample {
  readonly id: string
  readonly value: number
  readonly parts: readonly string[]
}

/** Ids of several lengths, some of them in characters of two bytes. */
function sample(name: string, value: number): Sample {
  const id = value % 5 === 0 ? `\u{1f600}\u0101${name}` : name
  return { id, value: value % 3, parts: [`part ${value % 2}`] }
}

function readSamples(map: ReadonlyMap<string, Sample>): string {
  return JSON.stringify([[...map], [...map.keys()], [...map.values()], map.size])
}

test('entries that are packed read as a Map of them does, whatever is put and removed', () => {
  const join = packing<Sample>((entry) => entry)
  const ids = fc.nat(3_000)
  const change = fc.record({ at: ids, many: fc.nat(1_400), isGone: fc.boolean(), value: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 7 }), (changes) => {
      const few = Array.from({ length: 1_100 }, (_, at) => sample(`first-${at}`, at))
      let plain: ReadonlyMap<string, Sample> = new Map(few.map((one) => [one.id, one]))
      let map = plain
      for (const { at, many, isGone, value } of changes) {
        const [draft, next] = [draftMapOf(map, join), new Map(plain)]
        for (let number = at; number < at + many; number += 1) {
          const one = sample(`n${number}`, number + value)
          for (const each of [draft, next]) {
            if (isGone && number % 3 > 0) each.delete(one.id)
            else each.set(one.id, one)
          }
        }
        for (const id of ['', 'n', 'n0', 'n1', sample('n5', 5).id, 'first-1', 'first-10000']) {
          expect([draft.get(id), draft.has(id)]).toEqual([next.get(id), next.has(id)])
        }
        const apart = new Set(keysApart(map, draft))
        const differing = [...new Set([...plain.keys(), ...next.keys()])].filter((id) => {
          return plain.get(id) !== next.get(id)
        })
        expect(differing.filter((id) => !apart.has(id))).toEqual([])
        expect(readSamples(map)).toBe(readSamples(plain))
        ;[map, plain] = [draft, next]
      }
      expect(readSamples(map)).toBe(readSamples(plain))
    }),
    { numRuns: 25 },
  )
})

test('drafts of drafts read as Maps do, and none changes what it was made of', () => {
  fc.assert(
    fc.property(sizes, manySteps, (size, rounds) => {
      let [map, plain] = [begun(size), begun(size)]
      for (const steps of rounds) {
        const [draft, next] = [draftMapOf(map), new Map(plain)]
        changed(draft, steps)
        changed(next, steps)
        expect(read(map)).toBe(read(plain))
        const apart = new Set(keysApart(map, draft))
        for (let number = 0; number < 41; number += 1) {
          const name = `k${number * 97}`
          const was = plain.get(name)
          const is = next.get(name)
          expect([draft.get(name), draft.has(name)]).toEqual([is, next.has(name)])
          if (was !== is) expect(apart.has(name)).toBe(true)
        }
        ;[map, plain] = [draft, next]
        expect(map.size).toBe(plain.size)
        expect(read(map)).toBe(read(plain))
      }
    }),
    { numRuns: 60 },
  )
})

test('so many changes that they become one layer change nothing of what is read', () => {
  let [map, plain] = [begun(5_000), begun(5_000)]
  for (let round = 0; round < 6; round += 1) {
    const [draft, next] = [draftMapOf(map), new Map(plain)]
    for (let number = round; number < 6_000; number += 7) {
      for (const one of [draft, next]) {
        if (number % 3 === 0) one.delete(`k${number}`)
        if (number % 2 === 0) one.set(`k${number}`, round)
      }
    }
    expect(read(draft)).toBe(read(next))
    expect(read(map)).toBe(read(plain))
    ;[map, plain] = [draft, next]
  }
})

test('one change of many leaves few keys to compare', () => {
  const map = begun(5_000)
  const draft = draftMapOf(map)
  draft.set('k7', 7)
  draft.delete('k8')
  expect([...keysApart(map, draft)].toSorted()).toEqual(['k7', 'k8'])
})
