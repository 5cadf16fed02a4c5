// Counts allowed calls that change something by where the values of their arguments had stood when
// they were asked, as the facts are folded. Each is looked at by the catalog of that moment.
import { attributesOf } from '#knowledge/known/evidence/value-evidence'
import { isCoveredBy, membersOf } from '#knowledge/known/pointer'
import { openingOf } from '#messages/opening'
import { readData } from '#record/event'
import { gatherContext, readerOf, type Reader } from '#runtime/engine/gathering/gather'
import type { Fact, LogReader } from '#ports/log'
import type { LuckRow } from '#schemas/operations/counts'
import type { ValueKind } from '#schemas/values'
import { evidenceOf } from '#stages/evidence/evidence'
import { resultsBy, saidIn, withOwners } from '#stages/values/known-values'
import { capabilityOf, viewOf, type Context, type View } from '#stages/view'
import type { Folded } from '#state/folded'
import type { State } from '#state/state'
import type { MeantOptions } from '../../finding/filter.ts'
import { isOfAgents, isInTime } from '../../finding/meant-of.ts'
import { argumentValues, type ArgumentValue } from './argument-values.ts'
import { originsIn, type LuckOrigin, type ReadPlace } from './origins.ts'

/** What the calls of a tool name at one place of their arguments. */
export interface LuckPlace extends Omit<LuckRow, 'shownBy'> {
  readonly inText: boolean
  /** By which results it was shown, and how often. */
  readonly shown: readonly (ReadPlace & { readonly times: number })[]
}

type Found = Pick<LuckOrigin, 'agentAlone' | 'others' | 'unread'>

/** Of one call, at one place: of values that name a thing by their form, and of all. */
interface CallPlace {
  readonly key: string
  readonly formed: Found | null
  readonly any: Found
}

interface PlaceTally {
  readonly tool: string
  readonly arg: string
  readonly inText: boolean
  readonly kinds: Set<ValueKind>
  readonly shown: Map<string, ReadPlace & { times: number }>
}

/** Takes each fact once it is folded. */
export function countingLuck(options: MeantOptions) {
  const places = new Map<string, PlaceTally>()
  // Calls alike are counted together: a log has many more calls than ways to call.
  const alike = new Map<string, { readonly places: readonly CallPlace[]; calls: number }>()
  const pending = new Map<string, readonly CallPlace[]>()
  const tally = { calls: 0, agreed: 0 }
  const readers = new WeakMap<LogReader, Reader>()
  const looked = async (log: LogReader, fact: Fact, folded: Folded, state: State) => {
    const reader = readers.get(log) ?? readerOf(log, fact.position - 1)
    readers.set(log, reader)
    reader.sessions.receive(fact, folded, state)
    const { parts, void: why } = folded
    const address = parts?.address ?? null
    if (parts === null || address === null || why !== null) return
    if (parts.kind === 'vlp' && isInTime(options, fact.appendedAt)) {
      const opening = openingOf(fact, state.catalog)
      const view = opening === null ? null : viewOf(state, address, opening)
      if (view === null || !isChange(view) || !isMeant(options, view)) return
      pending.set(address, placesOf(places, view, await gatherContext(reader, view)))
    }
    if (parts.kind === 'verdict') count(address, fact)
  }
  const count = (address: string, fact: Fact): void => {
    const found = pending.get(address)
    const data = readData('verdict', fact)
    if (found === undefined || data === null) return
    pending.delete(address)
    if (data.outcome !== 'allow' || data.found !== undefined || data.results !== undefined) return
    tally.calls += 1
    if ((data.release?.confirmedBy ?? []).length > 0) {
      tally.agreed += 1
      return
    }
    const key = JSON.stringify(found)
    const before = alike.get(key) ?? { places: found, calls: 0 }
    alike.set(key, { ...before, calls: before.calls + 1 })
  }
  return { take: looked, read: () => ({ ...tally, ...readOf(places, [...alike.values()]) }) }
}

function isMeant(options: MeantOptions, view: View): boolean {
  const { id = '' } = capabilityOf(view) ?? {}
  return isOfAgents(options, view.ref.agent) && options.tool?.includes(id) !== false
}

function isChange(view: View): boolean {
  return (capabilityOf(view)?.safetyClass ?? 'READ') !== 'READ'
}

/** What the call names at each place, less what its catalog demands to be known as it is. */
function placesOf(
  places: Map<string, PlaceTally>,
  view: View,
  context: Context,
): readonly CallPlace[] {
  const capability = capabilityOf(view)
  if (capability === null) return []
  const { id: tool, argsSchema, known = [] } = capability
  const values = argumentValues(argsSchema, view.opening.request?.args ?? {})
  const origin = originsIn(beforeCall(view, context))
  const found = new Map<string, CallPlace>()
  for (const value of values) {
    if (known.some(({ arg }) => isCoveredBy(arg, value.arg))) continue
    const key = JSON.stringify([tool, value.arg, value.inText])
    const of = origin(value)
    const { arg, inText } = value
    const place = places.get(key) ?? { tool, arg, inText, kinds: new Set(), shown: new Map() }
    places.set(key, place)
    notePlace(place, value, of)
    const before = found.get(key)
    found.set(key, {
      key,
      formed: value.isFormed ? either(before?.formed, of) : (before?.formed ?? null),
      any: either(before?.any, of),
    })
  }
  return [...found.values()]
}

function notePlace({ kinds, shown }: PlaceTally, value: ArgumentValue, origin: LuckOrigin): void {
  if (value.isFormed || origin.shown.length > 0) kinds.add(value.kind)
  for (const one of origin.shown) {
    const key = JSON.stringify([one.tool, one.sender, one.at])
    shown.set(key, { ...one, times: (shown.get(key)?.times ?? 0) + 1 })
  }
}

function either(
  before: Found | null | undefined,
  { agentAlone, others, unread }: LuckOrigin,
): Found {
  return {
    agentAlone: agentAlone || before?.agentAlone === true,
    others: others || before?.others === true,
    unread: unread || before?.unread === true,
  }
}

/** All whom the catalog trusts for anything, and whatever the agent itself said before. */
function beforeCall(view: View, context: Context) {
  const { catalog, opening, judged, ref } = view
  const agent = catalog.principals.get(judged)
  const owners = agent === undefined ? [] : withOwners(catalog.principals, agent)
  const evidence = evidenceOf(view, context).filter(({ position }) => position < opening.position)
  const { untrusted, isDriven } = resultsBy(catalog.capabilities)
  const isReading = (tool: string) => catalog.capabilities.get(tool)?.safetyClass === 'READ'
  const everyone = new Set(evidence.map(({ sender }) => sender))
  return {
    messages: evidence.map((one) => ({ ...saidIn(one, everyone), position: one.position })),
    sayings: context.session.flatMap(({ sender, position, check: { message } }) => {
      if (sender !== ref.agent || position >= opening.position || message === null) return []
      const asked = new Map(membersOf(message.payload?.['intent'])).get('tool')
      const changes = typeof asked === 'string' && !isReading(asked)
      return [{ position, said: [message.content, message.payload], changes }]
    }),
    own: attributesOf(owners).map(({ value }) => value),
    isReading,
    isDriven,
    untrusted,
  }
}

interface Read {
  readonly lucky: number
  readonly places: readonly LuckPlace[]
}

/** What was checked least comes first. */
function readOf(
  places: ReadonlyMap<string, PlaceTally>,
  alike: readonly { readonly places: readonly CallPlace[]; readonly calls: number }[],
): Read {
  const rows = new Map<string, Counts>()
  let lucky = 0
  for (const { places: named, calls } of alike) {
    let isLucky = false
    for (const { key, formed, any } of named) {
      const isThing = (places.get(key)?.shown.size ?? 0) > 0
      const found = isThing ? any : formed
      if (found === null) continue
      const row = rows.get(key) ?? { calls: 0, agentAlone: 0, others: 0, unread: 0 }
      rows.set(key, row)
      row.calls += calls
      for (const what of ['agentAlone', 'others', 'unread'] as const) {
        if (!found[what]) continue
        row[what] += calls
        isLucky = true
      }
    }
    if (isLucky) lucky += calls
  }
  const all = [...rows].flatMap(([key, row]) => {
    const place = places.get(key)
    if (place === undefined || uncheckedIn(row) === 0) return []
    const { tool, arg, inText, kinds, shown } = place
    return [{ tool, arg, kind: widest(kinds), ...row, inText, shown: [...shown.values()] }]
  })
  return { lucky, places: all.toSorted((one, other) => uncheckedIn(other) - uncheckedIn(one)) }
}

type Counts = Record<'calls' | keyof Found, number>

function uncheckedIn({ agentAlone, others, unread }: Counts): number {
  return agentAlone + others + unread
}

/** The kind of which all of them are values. */
function widest(kinds: ReadonlySet<ValueKind>): ValueKind {
  const [only = 'id'] = kinds
  if (kinds.size <= 1) return only
  return kinds.has('name') ? 'name' : 'id'
}
