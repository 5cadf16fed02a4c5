// The view of anyone who folds the log: the graph is in memory already, and is the whole of it.
import type { State } from '#state/state'
import type { GraphView } from '#ports/graph-view'

type Folded = Pick<State, 'graph' | 'graphRevision' | 'position'>

/** Asks for the state at each gathering: the fold goes on meanwhile. */
export function foldedView(state: () => Folded): GraphView {
  return {
    gather: async () => {
      const { graph, graphRevision: revision, position } = state()
      return { graph, revision, position }
    },
  }
}
