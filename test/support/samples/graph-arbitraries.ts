// Random graphs for properties: small, dense, with holes, empty levels, parallel edges, loops,
// policies and names that only careless programs trip over. Pulling edges lead to earlier
// primitives only.
import fc from 'fast-check'
import { relationTypes, type GraphFile, type Primitive, type Relatum } from '#schemas/graph'
import { isPulling } from '#knowledge/graph/record'

/** Of different first letters but for the inherited ones, so that no word form joins any two. */
export const graphNames = [
  'alpha',
  'Bravo',
  '__proto__',
  'constructor',
  'delta',
  'ÉCHO',
  'toString',
  'golf',
  'sierra',
  'kilo',
] as const

interface Drawn {
  readonly type: number
  readonly target: number
  readonly targetDepth: number
  readonly policies: number
}

const drawnEdge: fc.Arbitrary<Drawn> = fc.record({
  type: fc.nat(4),
  target: fc.nat(9),
  targetDepth: fc.nat(4),
  policies: fc.constantFrom(0, 0, 0, 1, 2),
})

const drawnEdges: fc.Arbitrary<readonly Drawn[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(drawnEdge, { maxLength: 3 }) },
)
const drawnDepth = fc.record({ says: fc.boolean(), edges: drawnEdges })

/** Most levels are there, so that most ladders are long enough to be interesting. */
const drawnDepths = fc.tuple(
  ...[0, 1, 2, 3, 4].map((level) => fc.option(drawnDepth, { freq: 12 - 2 * level })),
)

export const graphFile: fc.Arbitrary<GraphFile> = fc
  .array(drawnDepths, { minLength: 1, maxLength: graphNames.length })
  .map((drawn) => ({
    primitives: drawn.map((depths, index): Primitive => ({
      name: graphNames[index] ?? '',
      depths: depths.flatMap((depth, level) => {
        if (depth === null) return []
        const properties = depth.says ? { description: `level ${level}` } : {}
        const relata = depth.edges.map((edge) => relatumOf(edge, index, drawn.length))
        return [{ level, properties, relata }]
      }),
    })),
  }))

function relatumOf(edge: Drawn, source: number, count: number): Relatum {
  const type = relationTypes[edge.type] ?? 'INCLUDES'
  const pulls = isPulling(type) && source > 0
  const target = pulls ? edge.target % source : edge.target % count
  return {
    type: isPulling(type) && !pulls ? 'APPLIES_TO' : type,
    target: graphNames[target] ?? '',
    targetDepth: edge.targetDepth,
    metadata: {},
    policies: Array.from({ length: edge.policies }, (_, nth) => ({
      name: `policy ${source} ${nth}`,
      requiresConfirmation: true,
      triggerCardinality: null,
      callback: null,
      confirmationMessage: 'go on?',
      metadata: {},
    })),
  }
}

/** Known ones in any case, repeats, and unknown ones. */
export const concepts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...graphNames) },
    { weight: 1, arbitrary: fc.constantFrom(...graphNames).map((name) => name.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom('zulu', 'Zulu', 'valueOf', 'hasOwnProperty') },
  ),
  { maxLength: 5 },
)

export const minDepth = fc.option(fc.nat(4), { nil: undefined })
export const profile = fc.constantFrom('strict' as const, 'classic' as const)
