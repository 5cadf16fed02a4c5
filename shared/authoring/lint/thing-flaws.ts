// Arguments that must be things which people named, where nothing ever lists such things: then only
// the identifier itself, in people's own words, would do.
import type { Capability } from '#schemas/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import { quoted } from '#record/quote'
import type { Flaw } from './flaw.ts'

export function thingFlaws({ capabilities }: Pick<Catalog, 'capabilities'>): readonly Flaw[] {
  const all = [...capabilities.values()]
  const listed = new Set(all.flatMap(listsOf).map(({ thing }) => thing))
  return all.flatMap(({ id, known = [] }) =>
    known.flatMap(({ arg, thing }) => {
      if (thing === undefined || listed.has(thing)) return []
      const what = `${quoted(arg)} of ${quoted(id)} is a ${quoted(thing)}, which no tool lists`
      const fix = `give the tool that reads them \`lists\` for ${quoted(thing)}, and \`untrusted\``
      return [{ code: 'thing_unlisted' as const, where: { capability: id }, what, fix }]
    }),
  )
}

/** What its results list that can count: without `untrusted` nothing of them does. */
function listsOf({ lists = [], untrusted }: Capability): NonNullable<Capability['lists']> {
  return untrusted === undefined ? [] : lists
}
