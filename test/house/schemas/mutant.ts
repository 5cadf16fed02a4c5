// Near misses of a JSON document: one value somewhere in it taken away, replaced, or joined by a
// stranger.
import fc from 'fast-check'
import { jsonOf, type Json } from '#record/canonical'

/** The document with up to two changes, which may leave it as sound as it was. */
export function mutant(document: Json): fc.Arbitrary<Json> {
  const changes = fc.array(fc.record({ at: fc.nat(), change: fc.nat(2), value }), {
    minLength: 1,
    maxLength: 2,
  })
  return changes.map((all) => all.reduce<Json>((changed, one) => mutate(changed, one), document))
}

interface Change {
  readonly at: number
  readonly change: number
  readonly value: Json
}

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('', 'x', 'READ', '2026-02-29T00:00:00Z', '2024-02-29T00:00:00+01:00'),
  fc.constantFrom<Json>(null, true, false, 0, -1, 1, 5, 1.5, 2 ** 53),
  fc.string({ maxLength: 4 }),
)
const value: fc.Arbitrary<Json> = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('name', 'kind', 'x'), leaf, { maxKeys: 2 }),
)

function mutate(document: Json, change: Change): Json {
  const places = countPlaces(document)
  return replaced(document, { ...change, left: change.at % places }) ?? change.value
}

function countPlaces(document: Json): number {
  if (typeof document !== 'object' || document === null) return 1
  return 1 + membersOf(document).reduce((sum, [, one]) => sum + countPlaces(one), 0)
}

function membersOf(document: object): [key: string, member: Json][] {
  return Object.entries(document).map(([key, member]) => [key, jsonOf(member)])
}

/** `undefined` where the value itself is taken away. */
function replaced(document: Json, walk: Change & { left: number }): Json | undefined {
  walk.left -= 1
  if (walk.left === -1) return changed(document, walk)
  if (typeof document !== 'object' || document === null || walk.left < 0) return document
  if (isList(document)) {
    return document.flatMap((item) => {
      const next = replaced(item, walk)
      return next === undefined ? [] : [next]
    })
  }
  const members: [string, Json | undefined][] = []
  for (const [key, member] of membersOf(document)) members.push([key, replaced(member, walk)])
  return jsonOf(Object.fromEntries(members))
}

function changed(document: Json, { change, value: other }: Change): Json | undefined {
  if (change === 0) return undefined
  if (change === 2 || typeof document !== 'object' || document === null) return other
  return isList(document) ? [...document, other] : { ...document, stranger: other }
}

function isList(document: Json): document is readonly Json[] {
  return Array.isArray(document)
}
