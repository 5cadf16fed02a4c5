// What an operator makes for a realm: its one log, or the control log of several cells and the log
// of each, which sources that.
import { Fault } from '#record/fault'
import { controlPlace, realmOfCell, type Place } from '#record/names'
import { streamInfo } from '../nats/api.ts'
import { cellsOf } from '../nats/cells.ts'
import { erasOf } from '../nats/eras.ts'
import type { Requests } from '../nats/requests.ts'
import { streamNames } from '../nats/stream.ts'
import type { Made } from './making.ts'
import { makeLog, makeMirrors, removeMirrors } from './operator.ts'
import { releaseStalled } from './stalled.ts'
import type { LogToMake, Operator, Queue } from './operator.ts'

export interface RealmToMake extends Omit<LogToMake, 'queues'> {
  /** Over how many cells its agents are spread; as it is there, or one log, if not stated. */
  readonly cells?: number
  readonly queuesIn: (place: Place) => readonly Queue[]
  /** Whether mirrors are removed first. */
  readonly remakeMirrors?: boolean
}

/** Makes each stream, mirror and queue of the realm where it is not there yet. */
export async function makeRealm(
  operator: Operator,
  realm: string,
  { cells, ...wanted }: RealmToMake,
): Promise<{ readonly made: readonly Made[]; readonly cells: number | null }> {
  const count = await cellsToMake(operator.atLog, realm, cells)
  if (count === null) return { made: await logMade(operator, realm, wanted), cells: null }
  const made = [...(await logMade(operator, realm, { ...wanted, isControl: true }))]
  for (let index = 0; index < count; index += 1) {
    const cell = realmOfCell({ of: realm, index })
    made.push(...(await logMade(operator, cell, { ...wanted, controlFrom: 1 })))
  }
  return { made, cells: count }
}

/** The newest era of that log, and the mirrors of all: nothing else of an earlier era changes. */
async function logMade(
  operator: Operator,
  realm: string,
  { queuesIn, remakeMirrors, ...wanted }: Omit<RealmToMake, 'cells'>,
): Promise<readonly Made[]> {
  const { atLog, mirrors } = operator
  const eras = await erasOf(atLog, realm)
  const newest = { realm, era: eras.at(-1) ?? 1 }
  if (remakeMirrors === true) for (const era of eras) await removeMirrors(mirrors, { realm, era })
  const made: Made[] = []
  for (const era of eras.slice(0, -1)) {
    const place = { realm, era }
    const info = await streamInfo(atLog, streamNames(place).log)
    const replicas = Number(info?.config['num_replicas'] ?? 1)
    made.push(...(await makeMirrors(mirrors, place, { replicas })))
  }
  const queues = wanted.isControl === true ? [] : queuesIn(newest)
  made.push(...(await makeLog(atLog, newest, { ...wanted, queues }, mirrors)))
  const released = await releaseStalled(atLog, newest)
  return [...made, ...released.map((name) => ({ name, isNew: false, isReleased: true as const }))]
}

/**
 * The number of cells that are to be made, if any: as many as there are where it is not stated.
 * Throws a Fault `cells_fixed` where the realm was begun otherwise.
 */
async function cellsToMake(
  requests: Requests,
  realm: string,
  wanted: number | undefined,
): Promise<number | null> {
  const { log } = streamNames(controlPlace(realm))
  const control = await streamInfo(requests, log)
  if (control === null) {
    // What all cells share is never made again beside them.
    await erasOf(requests, realm)
    return wanted ?? null
  }
  const there = await cellsOf(requests, realm)
  if (wanted === undefined) return there
  // More may come at any time: agents are in them once the catalog spreads them over all.
  if (there !== null && there <= wanted) return wanted
  const has = there === null ? 'one log' : `${there} cells, and keeps them`
  throw new Fault('cells_fixed', `the realm \`${realm}\` has ${has}: give another --realm`)
}
