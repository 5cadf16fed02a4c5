// The picture of a part of the graph as an answer has it: the concepts that are there, and the
// relations between them.
import type { Primitive } from '#schemas/graph'
import type { Picture, PictureEdge } from '../picture/picture.ts'

export function pictureOfPrimitives(primitives: readonly Primitive[]): Picture {
  const places = new Map(primitives.map(({ name }, place) => [name, place]))
  const nodes = primitives.map((primitive) => {
    return { name: primitive.name, level: depthOf(primitive), notes: [], state: 'plain' as const }
  })
  const edges = primitives.flatMap(({ depths }, source) => {
    return depths.flatMap(({ level, relata }) => {
      return relata.flatMap(({ type, target, targetDepth, policies }): PictureEdge[] => {
        const to = places.get(target)
        if (to === undefined) return []
        const relation = { type, sourceDepth: level, targetDepth }
        const names = policies.map(({ name }) => name)
        return [{ source, target: to, relation, policies: names, state: 'plain' }]
      })
    })
  })
  return { nodes, edges, omitted: 0 }
}

/** How deeply it is known: levels count up to the first that is missing. */
function depthOf({ depths }: Primitive): number | null {
  const levels = new Set(depths.map(({ level }) => level))
  let deepest: number | null = null
  for (let level = 0; levels.has(level); level += 1) deepest = level
  return deepest
}
