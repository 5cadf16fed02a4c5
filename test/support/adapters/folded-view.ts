// The view of anyone who folds the log: the graph is in memory already, and is the whole of it.
import type { World } from '#core/state/world'
import type { GraphView } from '#ports/graph-view'

type Folded = Pick<World, 'graph' | 'graphRevision' | 'position'>

/** Asks for the world at each gathering: the fold goes on meanwhile. */
export function foldedView(world: () => Folded): GraphView {
  return {
    gather: async () => {
      const { graph, graphRevision: revision, position } = world()
      return { graph, revision, position }
    },
  }
}
