// The view of anyone who folds the log keeps what every view promises.
import { foldedView } from '../../support/adapters/folded-view.ts'
import { emptyGraph } from '#knowledge/graph/revision'
import { graphViewSuite, type Kept } from './graph-view-suite.ts'

graphViewSuite('of a fold', async () => {
  let held: Kept = { graph: emptyGraph, revision: 0, position: 0 }
  const view = foldedView(() => {
    const { graph, revision: graphRevision, position } = held
    return { graph, graphRevision, position }
  })
  return {
    view,
    keep: async (kept) => {
      held = kept
      // Others have their turn, as they do while a log is waited for.
      await new Promise((resolve) => setImmediate(resolve))
    },
    asked: () => 0,
    close: async () => undefined,
  }
})
