// Ways in which an argument would be known that nothing ever opens: things that no tool lists,
// texts that no tool reads, agreement to calls of tools that are none. And results that say what
// was done earlier, as if what an agent had others repeat were known by it.
import type { Capability } from '#schemas/catalog'
import type { KnownArgument } from '#schemas/values'
import type { Catalog } from '#rules/catalog/catalog'
import { quoted } from '#record/quote'
import type { Flaw } from './flaw.ts'

export function thingFlaws({ capabilities }: Pick<Catalog, 'capabilities'>): readonly Flaw[] {
  const all = [...capabilities.values()]
  const listed = new Set(all.flatMap(listsOf).map(({ thing }) => thing))
  const isRead = all.some(({ source, notes, untrusted }) => {
    return notes !== undefined || (source && untrusted) !== undefined
  })
  return all.flatMap((each) => [
    ...(each.known ?? []).flatMap((known) => [
      ...unlisted(each, known, listed),
      ...(isRead ? [] : unread(each, known)),
      ...elsewhere(each, known, capabilities),
    ]),
    ...alone(each),
    ...vouched(each),
  ])
}

function unlisted(
  { id }: Capability,
  { arg, thing }: KnownArgument,
  listed: ReadonlySet<string>,
): readonly Flaw[] {
  if (thing === undefined || listed.has(thing)) return []
  const what = `${quoted(arg)} of ${quoted(id)} is a ${quoted(thing)}, which no tool lists`
  const fix = `give the tool that reads them \`lists\` for ${quoted(thing)}, and \`untrusted\``
  return [{ code: 'thing_unlisted', where: { capability: id }, what, fix }]
}

function unread({ id }: Capability, { arg, fromNamed }: KnownArgument): readonly Flaw[] {
  if (fromNamed === undefined) return []
  const what = `${quoted(arg)} of ${quoted(id)} may stand in a text, and no tool reads texts`
  const fix = 'give the tool that reads them `source`, and `untrusted`, or `notes`'
  return [{ code: 'text_unread', where: { capability: id }, what, fix }]
}

function elsewhere(
  { id }: Capability,
  { arg, confirmed = [], madeBy = [] }: KnownArgument,
  capabilities: Catalog['capabilities'],
): readonly Flaw[] {
  const named = [...confirmed, ...madeBy.map(({ tool }) => tool)]
  const gone = named.find((tool) => !capabilities.has(tool))
  if (gone === undefined) return []
  const what = `${quoted(arg)} of ${quoted(id)} goes by calls of ${quoted(gone)}: no such tool`
  const fix = 'fix the name, or leave it out'
  return [{ code: 'confirmed_elsewhere', where: { capability: id }, what, fix }]
}

/** Where something goes is paired with what goes there, and with nothing else. */
function alone({ id, known = [] }: Capability): readonly Flaw[] {
  const to = known.find(({ part, kind }) => part === 'to' && kind !== 'time')
  if (to === undefined || known.some(({ part }) => part === 'what')) return []
  const what = `${quoted(to.arg)} of ${quoted(id)} is where something goes, and no argument is what`
  const fix = 'write `"part": "what"` at the argument that goes there, or leave `part` out'
  return [{ code: 'part_alone', where: { capability: id }, what, fix }]
}

/** What a tool that changes something answers may repeat what an earlier call had been given. */
function vouched({ id, safetyClass, untrusted, reports }: Capability): readonly Flaw[] {
  if (safetyClass === 'READ' || untrusted === undefined || reports === true) return []
  if (untrusted.some(({ pointer, when }) => pointer === '' && when === undefined)) return []
  const what = `results of ${quoted(id)} count, even where they repeat what earlier calls got`
  const fix = 'write `"reports": true`, or `untrusted` with the pointer ""'
  return [{ code: 'acts_vouched', where: { capability: id }, what, fix }]
}

/** What its results list that can count: without `untrusted` nothing of them does. */
function listsOf({ lists = [], untrusted }: Capability): NonNullable<Capability['lists']> {
  return untrusted === undefined ? [] : lists
}
