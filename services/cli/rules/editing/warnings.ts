// What a change would bring into the graph or the catalog that is sound and yet of no use: it stops
// nothing, so it is reported beside the change.
import { flawsBrought } from '#authoring/lint/catalog-flaws'
import type { Flaw } from '#authoring/lint/flaw'
import type { State } from '#state/state'
import { checkedCatalog, checkedGraph, type Operations } from '#authoring/change-check'
import { counted } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'

type Held = Pick<State, 'graph' | 'catalog'>

/** Of change sets that can be applied. */
export function warningsOf(before: Held, sets: readonly Operations[]): readonly Flaw[] {
  let { catalog, graph } = before
  for (const set of sets) {
    if (set.kind === 'catalog') catalog = checkedCatalog(catalog, set.operations)
    else graph = checkedGraph(graph, set.operations)
  }
  return flawsBrought(before, { graph, catalog })
}

const shownMax = 5

export function warningLines(warnings: readonly Flaw[]): readonly Line[] {
  const more = warnings.length - shownMax
  return [
    ...warnings.slice(0, shownMax).map(({ what, fix }) => {
      return toned('warn', `warning: ${what}; ${fix}`)
    }),
    ...(more > 0 ? [toned('warn', `${counted(more, 'more warning')}: warrant graph check`)] : []),
  ]
}
