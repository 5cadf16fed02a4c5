// What a projector of several cells does with the database, beside what it does with one log: it
// begins the cells, and brings each further on its own.
import type { IntentWrites } from '../../projection/intent-writes.ts'
import type { FoldMark } from '../../projection/pending.ts'
import { beginMark, type ProjectionMark } from '../mark.ts'
import { prepared, type ProjectionLink } from '../writes.ts'
import { writeIntents } from '../writes-intents.ts'
import { beginCells, claimCell, type CellMark } from './mark.ts'

/** Makes constraints and indexes, and the nodes of the projection and its cells where none are. */
export async function prepareCells(
  link: ProjectionLink,
  realm: string,
  realms: readonly string[],
): Promise<ProjectionMark> {
  const cells = realms.map((each, cell) => ({ cell, realm: each, from: 0, rebuild: null }))
  return prepared(link, realm, {
    layout: 'cells',
    begin: async (run) => {
      const mark = await beginMark(run, realm)
      if (mark.reached === 0 && mark.rebuild === null) await beginCells(run, cells)
      return mark
    },
  })
}

/** Where the graph is, and the cell; and what comes next of the cell. */
export interface CellAdvance {
  readonly control: ProjectionMark
  readonly was: CellMark
  /** Tied to the graph as it is there. */
  readonly intents: IntentWrites
  readonly mark: FoldMark
  /** Readers see the position: no rebuild is under way, or it ends here. */
  readonly reported: boolean
}

/** Brings a cell further, whole or not at all. Throws `projection_moved` where it is elsewhere. */
export async function advanceCell(
  link: Pick<ProjectionLink, 'write'>,
  { control, was, intents, mark: { position, fact, digest }, reported }: CellAdvance,
): Promise<CellMark> {
  const rebuild = reported ? null : was.rebuild
  const mark = { ...was, reached: position, fact, digest, rebuild }
  await link.write(async (run) => {
    await claimCell(run, { control, was }, { mark, reported: reported ? { position } : null })
    await writeIntents(run, intents)
  })
  return mark
}
