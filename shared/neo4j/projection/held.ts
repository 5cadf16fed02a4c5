// What a projection must hold of one primitive, as a value that can be made of a graph and of what
// a database answers alike; equal values are equal texts. Numbers that only order are left out.
import { canonical, type Json, type JsonMap } from '#record/canonical'
import { digestOf } from '#record/digest'
import type { Edge, PrimitiveRecord } from '#knowledge/graph/record'
import { primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'
import type { Provenance } from '#schemas/graph'
import { wordsOf } from './words.ts'

/** How many of each there are: nodes by label, relations by type. */
export type Census = Readonly<Record<string, number>>

export interface HeldPrimitive {
  readonly key: string
  readonly name: string
  /** Canonical JSON. */
  readonly text: string
}

/** What was written of one primitive, each property by its name, without the numbers that order. */
export interface Held {
  readonly node: JsonMap
  /** Only where they are not the one that it should have. */
  readonly labels?: Json
  /** Ascending. */
  readonly levels: readonly JsonMap[]
  /** In stored order. */
  readonly edges: readonly {
    readonly type: string
    readonly target: string
    readonly edge: JsonMap
    /** Its policies as people find them. */
    readonly shown: readonly { readonly target: Json; readonly policy: JsonMap }[]
  }[]
  readonly words: readonly string[]
  /** Policies of no edge. */
  readonly stray: readonly JsonMap[]
}

export function heldText({ edges, ...held }: Held): string {
  return canonical({ ...held, edges: edges.map((each) => ({ ...each })) })
}

export function heldPrimitive(graph: Graph, record: PrimitiveRecord): HeldPrimitive {
  const { folded: key, name, strict, classic, provenance, levels, edges } = record
  const text = heldText({
    node: { key, name, strict, classic, ...stamped(provenance) },
    levels: levels.map((level) => ({
      level: level.level,
      properties: JSON.stringify(level.properties),
      ...stamped(level.provenance),
    })),
    edges: edges.map((edge) => heldEdge(graph, edge)),
    words: wordsOf(key),
    stray: [],
  })
  return { key, name, text }
}

function heldEdge(graph: Graph, edge: Edge): Held['edges'][0] {
  const { type, sourceDepth, targetDepth, metadata, policies, provenance } = edge
  const target = recordAt(graph, edge.target).name
  const shown = policies.map((policy, nth) => ({
    target,
    policy: {
      nth,
      name: policy.name,
      requiresConfirmation: policy.requiresConfirmation,
      // A database has no null: it is a property that is not there.
      triggerCardinality: policy.triggerCardinality ?? undefined,
      callback: policy.callback ?? undefined,
      confirmationMessage: policy.confirmationMessage ?? undefined,
      confirmation: policy.confirmation,
    },
  }))
  const written = {
    sourceDepth,
    targetDepth,
    metadata: JSON.stringify(metadata),
    policies: JSON.stringify(policies),
    ...stamped(provenance),
  }
  return { type, target, edge: written, shown }
}

function stamped(provenance: Provenance | null): JsonMap {
  if (provenance === null) return {}
  const { source, by, at, intent } = provenance
  return { source, by, at, intent }
}

/** How many of each a projection of this graph has. */
export function censusOf(graph: Graph): Census {
  const counts = new Map<string, number>()
  const count = (what: string, by: number) => counts.set(what, (counts.get(what) ?? 0) + by)
  const words = new Set<string>()
  for (const [, { folded, levels, edges }] of primitivesOf(graph)) {
    const own = wordsOf(folded)
    for (const word of own) words.add(word)
    const policies = edges.reduce((sum, edge) => sum + edge.policies.length, 0)
    for (const what of ['Level', 'HAS_LEVEL']) count(what, levels.length)
    for (const what of ['Policy', 'ON_SOURCE', 'ON_TARGET']) count(what, policies)
    for (const { type } of edges) count(type, 1)
    count('READS_AS', own.length)
    count('Primitive', 1)
  }
  return { ...Object.fromEntries(counts), Word: words.size }
}

/** The digest of all, piece after piece. */
export function chainedDigest(before: string, text: string): string {
  return digestOf(`${before}\n${text}`)
}
