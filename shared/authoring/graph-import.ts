// Brings one graph file into a log: what is new is added, what differs is replaced, and if it is to
// be exact, what the file lacks is taken away. All of it is tried before any of it is bound.
import { Fault } from '#record/fault'
import type { Graph } from '#knowledge/graph/revision'
import { caseFold } from '#record/case-fold'
import { addMistake, mistakesText, noMistakes } from './changes/mistakes.ts'
import { placeInLines, type ReadGraph } from './changes/ndjson-file.ts'
import { find } from '#knowledge/graph/revision'
import type { SeedStep } from '#knowledge/graph/seed-steps'
import { bytesOf, type Piece } from '#record/change-sets'
import { graphDifference, type PieceOrder } from './changes/seed-operations.ts'
import { graphExcess } from './changes/graph-excess.ts'
import { importPieces } from './changes/import-pieces.ts'
import type { Operations } from './change-check.ts'
import type { ChangeOptions } from './change.ts'
import { graphPlan, setBytesMax, type GraphPlan } from './graph-plan.ts'
import type { Runtime } from '#runtime/engine/runtime'
import { refuseUnknownCallbacks } from './seed-callbacks.ts'

export interface GraphImportOptions extends ChangeOptions {
  /** Whether what the file lacks is taken away. */
  readonly exact: boolean
}

export interface PlannedImport {
  readonly sets: readonly Extract<Operations, { readonly kind: 'graph' }>[]
  /** What the graph has, the file lacks, and stays. */
  readonly leftAlone: {
    readonly primitives: number
    readonly levels: number
    readonly edges: number
  }
}

/** `by` is who will sign. Throws a Fault with the place in the file of what is wrong. */
export async function plannedImport(
  runtime: Pick<Runtime, 'follower' | 'folder'>,
  read: ReadGraph,
  { by, exact, note = '' }: GraphImportOptions & { readonly by: string },
): Promise<PlannedImport> {
  const { graph } = runtime.follower.state
  const bytesMax = setBytesMax - bytesOf(note)
  return inLines(read, async () => {
    refuseDangling(graph, read)
    const before = graphDifference(graph, read.file).leftAlone
    const plan = exact
      ? exactGraphPlan(graph, read, { by, bytesMax })
      : graphPlan(graph, { by, bytesMax, pieces: (order) => importPieces(graph, read, order) })
    await refuseUnknownCallbacks(runtime, { graph: read.file, callbacks: null }, plan.after)
    const leftAlone = exact ? nothing : { ...before, primitives: only(graph, read) }
    const sets = plan.sets.map((operations) => ({ kind: 'graph' as const, operations }))
    return { sets, leftAlone }
  })
}

/** Names all of them: a change set is refused at its first. */
function refuseDangling(graph: Graph, { file }: ReadGraph): void {
  const names = new Set(file.primitives.map(({ name }) => caseFold(name)))
  const isThere = (name: string) => names.has(caseFold(name)) || find(graph, name) !== undefined
  const mistakes = noMistakes()
  for (const [index, { name, depths }] of file.primitives.entries()) {
    for (const [at, { relata }] of depths.entries()) {
      for (const [nth, { target }] of relata.entries()) {
        if (isThere(target)) continue
        const where = `primitives[${index}].depths[${at}].relata[${nth}]`
        const relates = `\`${name}\` relates to \`${target}\`, which is not in the graph`
        addMistake(mistakes, `${where}: ${relates}: add it, or relate to one that is`)
      }
    }
  }
  if (mistakes.count > 0) throw new Fault('target_dangling', mistakesText(mistakes))
}

const nothing = { primitives: 0, levels: 0, edges: 0 }

/**
 * What comes before what goes, so that where the sets are parted more is asked for and not less;
 * the other way about only where both together would run in a circle.
 */
export function exactGraphPlan(
  graph: Graph,
  read: ReadGraph,
  { by, bytesMax }: { readonly by: string; readonly bytesMax: number },
): GraphPlan {
  const excess = (order: PieceOrder): readonly Piece<SeedStep>[] =>
    graphExcess(graph, read.file, { parted: order === 'needed_first' })
  try {
    return graphPlan(graph, {
      by,
      bytesMax,
      pieces: (order) => [...importPieces(graph, read, order), ...excess(order)],
    })
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'cycle_transitive') throw error
  }
  return graphPlan(graph, {
    by,
    bytesMax,
    pieces: (order) => [...excess(order), ...importPieces(graph, read, order)],
  })
}

function only(graph: Graph, { file }: ReadGraph): number {
  const shared = file.primitives.filter(({ name }) => find(graph, name) !== undefined)
  return graph.size - shared.length
}

/** A place in the file is a line where it has lines. */
async function inLines<T>({ lines }: ReadGraph, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (lines === null || !(error instanceof Fault)) throw error
    const message = placeInLines(error.message, lines)
    throw new Fault(error.code, message, { cause: error, retry: error.retry })
  }
}
