// What is really asked of the graph. The catalog says what a capability stands for; the agent's own
// words may only add concepts, raise the depth and trigger more policies, never fewer.
import type { Capability } from '#schemas/catalog'
import type { Cardinality, Level } from '#schemas/graph'

export interface Effective {
  /** The catalog's first, then what the agent adds, each once. */
  readonly concepts: readonly string[]
  /** What the agent adds to those of the catalog. */
  readonly added: readonly string[]
  readonly minDepth?: Level
  /** Null is unknown, and an unknown cardinality triggers every policy. */
  readonly cardinality: Cardinality | null
}

export function effective(
  capability: Pick<Capability, 'concepts' | 'cardinality' | 'minDepth'>,
  request: {
    readonly concepts?: readonly string[] | undefined
    readonly cardinality?: Cardinality | undefined
    readonly minDepth?: Level | undefined
  },
): Effective {
  const concepts = distinct(capability.concepts, request.concepts ?? [])
  const added =
    request.concepts === undefined
      ? none
      : concepts.filter((concept) => !capability.concepts.includes(concept))
  const cardinality = cardinalityOf(capability.cardinality, request.cardinality)
  if (capability.minDepth === undefined && request.minDepth === undefined) {
    return { concepts, added, cardinality }
  }
  return {
    concepts,
    added,
    minDepth: Math.max(capability.minDepth ?? 0, request.minDepth ?? 0),
    cardinality,
  }
}

const none: readonly string[] = []

function distinct(own: readonly string[], added: readonly string[]): readonly string[] {
  const isOne = own.length <= 1 && added.length === 0
  return isOne ? own : [...new Set([...own, ...added])]
}

// Where the catalog leaves it open, only the call shows, and the agent's word counts. Where the two
// differ, neither is believed: taking either one alone would switch off the policies of the other.
function cardinalityOf(
  catalogs: Cardinality | undefined,
  agents: Cardinality | undefined,
): Cardinality | null {
  if (catalogs === undefined) return agents ?? null
  return agents === undefined || agents === catalogs ? catalogs : null
}
