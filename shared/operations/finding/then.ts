// Graph and catalog of a realm, as they are or as they were at a moment.
import { Fault } from '#record/fault'
import { stateAt, type KnownAt, type Moment, type Revised } from '#replay/eras/state-at'
import type { LogPositions } from '#schemas/console/positions'
import { firstLogOf, positionsAcross, type Realm } from '../realm.ts'
import { momentMeant, momentSpelling } from './moment.ts'

/** What was known then, and where that is in the logs. */
export interface KnowledgeThen extends Omit<KnownAt, 'position'> {
  readonly position: LogPositions
}

/**
 * As it is now, if no moment is given. All cells know the same, each as soon as it has come to its
 * log: a moment is one of the first, unless it names another cell.
 */
export async function knownThen(
  realm: Realm,
  given: string | undefined,
  of: Revised,
): Promise<KnowledgeThen> {
  const { cell, moment } = given === undefined ? { moment: null } : momentIn(realm, given)
  const at = realm.logs.find((log) => log.cell === cell) ?? firstLogOf(realm)
  const { log, state } = at
  const history = { log, realm: state.place.realm, rootKey: state.rootKey }
  const known = moment === null ? state : await stateAt(history, moment, of)
  const { appendedAt, catalog, catalogRevision, graph, graphRevision } = known
  const position = positionsAcross({ ...realm, logs: [at] }, () => known.position)
  return { position, appendedAt, catalog, catalogRevision, graph, graphRevision }
}

interface MomentIn {
  readonly cell?: number
  readonly moment: Exclude<Moment, { readonly at: 'end' }>
}

function momentIn({ logs }: Realm, text: string): MomentIn {
  const [, index, rest = text] = /^c([0-9]{1,3})\.([0-9]+)$/.exec(text) ?? []
  const moment = momentMeant(rest)
  const cell = index === undefined ? {} : { cell: Number(index) }
  const isThere = index === undefined || logs.some((at) => at.cell === cell.cell)
  if (moment === null || !isThere) throw new Fault('usage', `a moment is ${momentSpelling}`)
  if (logs.length === 1 || index !== undefined || moment.at !== 'position') {
    return { ...cell, moment }
  }
  throw new Fault('usage', 'a position is of one cell: `c1.40` is position 40 of cell 1')
}
