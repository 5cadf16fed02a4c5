// The rules that would have demanded what lucky calls lacked, as operations of a catalog: a value
// must be known, or a reading call must have shown it. A proposal: nothing here signs or applies.
import { tokensOf } from '#knowledge/known/pointer'
import { jsonOf } from '#record/canonical'
import type { Catalog } from '#rules/catalog/catalog'
import { JsonObject, type Capability, type CatalogOperation } from '#schemas/catalog'
import type { Condition } from '#schemas/rules/condition'
import type { LuckPlace } from './lucky-calls.ts'

type Demanding = Pick<Catalog, 'capabilities' | 'trustedEvidence'>

/** One for each tool, and one for whose word counts for it. */
export function demandsFor(catalog: Demanding, places: readonly LuckPlace[]): JsonObject[] {
  const tools = [...new Set(places.map(({ tool }) => tool))]
  const operations = tools.flatMap((tool): CatalogOperation[] => {
    const entry = catalog.capabilities.get(tool)
    if (entry === undefined) return []
    const of = places.filter((place) => place.tool === tool)
    return [{ op: 'put', collection: 'capabilities', entry: demanded(entry, of) }]
  })
  return [...operations, ...trustFor(catalog, places)].map((one) => JsonObject.parse(jsonOf(one)))
}

function demanded(entry: Capability, places: readonly LuckPlace[]): Capability {
  const { known = [], conditions = [] } = entry
  const values = places
    .filter((one) => one.agentAlone + one.others > 0 || readFirst(one) === null)
    .map(({ arg, kind, inText }) => ({ arg, kind, ...(inText && { inText: true as const }) }))
  const taken = new Set(conditions.map(({ name }) => name))
  const reads = places
    .flatMap((place) => (place.unread > 0 ? (readFirst(place) ?? []) : []))
    .filter(({ name }) => !taken.has(name))
  return {
    ...entry,
    ...(values.length > 0 && { known: [...known, ...values] }),
    ...(reads.length > 0 && { conditions: [...conditions, ...reads] }),
  }
}

/** So many places of results are looked at by one condition. */
const placesMax = 4

/**
 * Null where no reading call has shown such a thing, or only in lists of objects: a loop in a loop
 * over a session costs more than a condition may.
 */
function readFirst({ tool, arg, inText, shown }: LuckPlace): Condition | null {
  const asked = memberInCel('args', tokensOf(arg))
  if (inText || asked === null) return null
  const often = shown.toSorted((one, other) => other.times - one.times)
  const ways = often.flatMap(({ tool: by, at }) => {
    const found = shownInCel(tokensOf(at), asked.at)
    return found === null ? [] : [`(e.payload.tool == ${JSON.stringify(by)} && ${found})`]
  })
  const some = [...new Set(ways)].slice(0, placesMax)
  if (some.length === 0) return null
  const isSound = 'e.payload != null && has(e.payload.tool) && e.payload.error == false'
  const isRead = `session.evidence.exists(e, ${isSound} && (${some.join(' || ')}))`
  const name = ['read', ...(arg.match(/[A-Za-z0-9]+/g) ?? [])].join('-')
  const question = `No reading call of this session has shown what \`${arg}\` of \`${tool}\` names.`
  return { name, when: [...asked.guards, `!${isRead}`].join(' && '), effect: 'confirm', question }
}

/** The value is that of the member there, or among the texts of a list. */
function shownInCel(tokens: readonly string[], value: string): string | null {
  const isList = tokens.at(-1) === '*'
  const place = memberInCel('e.payload.value', isList ? tokens.slice(0, -1) : tokens)
  if (place === null) return null
  const test = isList ? `${value} in ${place.at}` : `${place.at} == ${value}`
  return [...place.guards, test].join(' && ')
}

/** Null where CEL has no such name on the way, or it looks like data. */
function memberInCel(base: string, tokens: readonly string[]) {
  if (!tokens.every((token) => /^[A-Za-z_]+$/.test(token))) return null
  const places = tokens.map((_, index) => [base, ...tokens.slice(0, index + 1)].join('.'))
  return { at: places.at(-1) ?? base, guards: places.map((place) => `has(${place})`) }
}

/** Whose results have shown such things, and count for none of these tools yet. */
function trustFor(
  { trustedEvidence }: Demanding,
  places: readonly LuckPlace[],
): readonly CatalogOperation[] {
  const wanted = new Map<string, Set<string>>()
  for (const { tool, shown } of places) {
    for (const { sender } of shown) {
      const has = trustedEvidence.some((one) => {
        return one.sender === sender && one.for.some((what) => what === '*' || what === tool)
      })
      if (!has) wanted.set(sender, (wanted.get(sender) ?? new Set()).add(tool))
    }
  }
  if (wanted.size === 0) return []
  const value = trustedEvidence.map((one) => {
    const more = wanted.get(one.sender)
    wanted.delete(one.sender)
    return more === undefined ? one : { ...one, for: [...one.for, ...more] }
  })
  return [{ op: 'set', key: 'trustedEvidence', value }]
}
