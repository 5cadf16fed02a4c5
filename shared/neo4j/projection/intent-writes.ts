// What a projection keeps of an intent once it has its verdict: what it touched in the graph, what
// was lacking, and which policies stopped it. For people who ask; nothing decides by it.
import { readEvent } from '#record/event'
import { caseFold } from '#record/case-fold'
import { findId, type Graph, recordAt } from '#knowledge/graph/revision'
import { pageAt } from '#knowledge/graph/pages'
import type { LoggedFact } from '#state/folded'
import type { OpenIntent } from '#state/intent'
import type { Ground, GroundingData } from '#schemas/facts'
import type { Gap, RelationType } from '#schemas/graph'
import type { Edge } from '#knowledge/graph/record'
import type { Reason, ReasonCode } from '#schemas/reasons'

/** A gap as it is found at one primitive, or at a name that none has. */
interface Lack {
  /** The primitive's id when the verdict was given; null where there was none. */
  readonly id: number | null
  readonly name: string
  readonly kind: Gap['kind']
  readonly required: number | null
  readonly current: number | null
  readonly source: string | null
}

/** An intent with its verdict; ids are those of the graph that it was given at. */
export interface Judged {
  readonly row: IntentRow
  readonly touched: readonly { readonly id: number; readonly level: number | null }[]
  readonly lacked: readonly Lack[]
  readonly stopped: readonly Stop[]
}

/** What no two intents have alike. */
export interface IntentKey {
  /** In which cell, where the realm has cells: each counts positions of its own. */
  readonly cell?: number
  /** Where the verdict stands. */
  readonly position: number
}

export interface IntentRow extends IntentKey {
  readonly address: string
  readonly agent: string
  readonly session: string | null
  readonly tool: string | null
  readonly outcome: 'allow' | 'deny'
  /** Codes, in their order of precedence. */
  readonly reasons: readonly string[]
  /** The policies that refused it, for people: they may have been changed or removed since. */
  readonly stoppedBy: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface TouchedRow extends IntentKey {
  readonly key: string
  readonly level: number | null
}

export interface LackedRow extends Omit<Lack, 'id'>, IntentKey {
  readonly key: string
}

export interface StoppedRow extends StopRow, IntentKey {}

export interface IntentWrites {
  readonly intents: readonly IntentRow[]
  readonly touched: readonly TouchedRow[]
  /** Of a primitive that was not known as it must be. */
  readonly lacked: readonly LackedRow[]
  /** Of a name that no primitive has. */
  readonly unknown: readonly LackedRow[]
  readonly stopped: readonly StoppedRow[]
}

/** An intent right before its verdict. */
interface Ended {
  readonly intent: OpenIntent
  readonly grounding: GroundingData | null
}

/** What to keep of the intent that this verdict ends; null where it cannot be read. */
export function judged(
  graph: Graph,
  { intent, grounding }: Ended,
  fact: LoggedFact,
): Judged | null {
  const reading = readEvent('verdict', fact)
  if (!reading.ok) return null
  const { data } = reading.event
  // What was derived again at release is what the verdict stands on.
  const ground = data.release === null ? (grounding?.ground ?? null) : data.release.ground
  const { agent, session } = data.intent
  const row = {
    address: intent.address,
    agent,
    session,
    tool: grounding?.capability ?? null,
    outcome: data.outcome,
    reasons: data.reasons.map(({ code }) => code),
    stoppedBy: stoppedText(data.reasons),
    position: fact.position,
    at: fact.appendedAt,
  }
  const lacked = (ground?.gaps ?? []).map((gap) => lackOf(graph, gap))
  const stopped = stopsIn(graph, data.reasons)
  return { row, touched: touchedIn(graph, ground), lacked, stopped }
}

function touchedIn(graph: Graph, ground: Ground | null): Judged['touched'] {
  return (ground?.visible ?? []).flatMap(({ name, level }) => {
    const id = findId(graph, name)
    return id === undefined ? [] : [{ id, level }]
  })
}

function lackOf(graph: Graph, gap: Gap): Lack {
  const { kind } = gap
  const isRelational = kind === 'RELATIONAL'
  const name = isRelational ? gap.target : gap.primitive
  const measured = isRelational || kind === 'DEPTH'
  return {
    id: findId(graph, name) ?? null,
    name,
    kind,
    required: measured ? gap.required : null,
    current: measured ? gap.current : null,
    source: isRelational ? gap.source : null,
  }
}

/**
 * The rows for a projection that holds this graph, of the same line as those of the verdicts. What
 * has gone since is neither touched nor lacked, and stops nothing.
 */
export function intentWrites(graph: Graph, all: readonly Judged[]): IntentWrites {
  const touched: TouchedRow[] = []
  const lacked: LackedRow[] = []
  const unknown: LackedRow[] = []
  const stopped: StoppedRow[] = []
  for (const intent of all) {
    const of = keyOf(intent.row)
    for (const { id, level } of intent.touched) {
      const key = pageAt(graph.records, id)?.folded
      if (key !== undefined) touched.push({ ...of, key, level })
    }
    for (const { id, ...lack } of intent.lacked) {
      const key = id === null ? null : pageAt(graph.records, id)?.folded
      if (key === null) unknown.push({ ...lack, ...of, key: caseFold(lack.name) })
      else if (key !== undefined) lacked.push({ ...lack, ...of, key })
    }
    for (const stop of intent.stopped) {
      const row = stopRow(graph, stop)
      if (row !== null) stopped.push({ ...row, ...of })
    }
  }
  return { intents: all.map(({ row }) => row), touched, lacked, unknown, stopped }
}

// One log has no cell, and no property for it.
function keyOf({ cell, position }: IntentRow): IntentKey {
  return cell === undefined ? { position } : { cell, position }
}

// The policies that a verdict's reasons name, found in the graph that it was given at, so that a
// projection can tie the intent to them.

/** A policy that refused, as it stood then. */
interface Stop {
  /** The id of the primitive whose edge it is. */
  readonly source: number
  /** An edge is one object in all graphs of a line. */
  readonly edge: Edge
  readonly nth: number
  readonly code: ReasonCode
}

interface StopRow {
  readonly key: string
  readonly target: string
  readonly type: RelationType
  readonly level: number
  /** Which of the edges of this source, level, type and target, in stored order. */
  readonly alike: number
  /** Which of the edge's policies. */
  readonly nth: number
  readonly code: ReasonCode
}

interface Named {
  readonly policy: string
  readonly source: string
  readonly target: string
}

/** The policy that a reason is about; null where it is about none. */
function namedIn({ params }: Reason): Named | null {
  const { policy, source, target } = params
  if (policy === undefined || source === undefined || target === undefined) return null
  return { policy, source, target }
}

/** Each policy once, in the order of the reasons. */
function stoppedText(reasons: readonly Reason[]): readonly string[] {
  const texts = reasons.flatMap((reason) => {
    const named = namedIn(reason)
    return named === null ? [] : [`${named.policy} on ${named.source} → ${named.target}`]
  })
  return [...new Set(texts)]
}

/** Where edges are parallel, each that has a policy of that name. */
function stopsIn(graph: Graph, reasons: readonly Reason[]): readonly Stop[] {
  const stops = new Map<string, Stop>()
  for (const reason of reasons) {
    const named = namedIn(reason)
    const source = named === null ? undefined : findId(graph, named.source)
    if (named === null || source === undefined) continue
    const target = findId(graph, named.target)
    const { code } = reason
    for (const [place, edge] of recordAt(graph, source).edges.entries()) {
      if (edge.target !== target) continue
      for (const [nth, { name }] of edge.policies.entries()) {
        if (name !== named.policy) continue
        stops.set(`${source} ${place} ${nth} ${code}`, { source, edge, nth, code })
      }
    }
  }
  return [...stops.values()]
}

/** Null where the edge has gone since, or was written again with other policies. */
function stopRow(graph: Graph, { source, edge, nth, code }: Stop): StopRow | null {
  const record = pageAt(graph.records, source)
  if (record === undefined || !record.edges.includes(edge)) return null
  const { type, sourceDepth: level, target } = edge
  const siblings = record.edges.filter((each) => {
    return each.type === type && each.sourceDepth === level && each.target === target
  })
  const alike = siblings.indexOf(edge)
  const to = recordAt(graph, target).folded
  return { key: record.folded, target: to, type, level, alike, nth, code }
}
