// A view of the knowledge graph that grounding can be asked of. Whatever keeps the graph, the
// judgement is the one in core: a view only gathers what it is about. Each sentence below is a
// case of the suite.
import type { Graph } from '#knowledge/graph/revision'

export interface GraphView {
  /**
   * A graph in which these concepts are grounded as in the whole one. Must hold, in stored order,
   * every primitive that a concept names or that has its words in another form
   * (`#knowledge/grounding/resolve`), and all that those pull in, each whole. What else they relate
   * to may be there by its bare name. May never mix two revisions. Takes a number of round trips
   * that depends neither on the concepts nor on what they pull in.
   */
  gather(concepts: readonly string[]): Promise<Gathered>
}

export interface Gathered {
  readonly graph: Graph
  /** The one revision that all of it is of. */
  readonly revision: number
  /** A position of the log at which that revision was the current one. */
  readonly position: number
}
