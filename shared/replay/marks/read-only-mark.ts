// The high-water mark for who reads a log without folding it: the log's identity and what it says
// of rollbacks are in the few facts of its catalog.
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { patternOf, type Place } from '#record/names'
import { evolve } from '#state/fold/evolve'
import type { Fact, Head, LogReader } from '#ports/log'
import type { RolledBack } from '#runtime/engine/runtime'
import { factAtPosition } from '#runtime/logs/seek'
import { beginningOf } from '../eras/beginning.ts'
import { stateAt } from '../eras/state-at.ts'
import { writeMark, type HighWaterMark, type MarkOf } from './mark-files.ts'
import { markAt, markSeen, type MarkSeen } from './rolled-back.ts'

export interface LogRead {
  readonly log: LogReader
  /** With its last era. */
  readonly place: Place
  readonly rootKey: string | null
  /** The folder of the user's marks. */
  readonly folder: string
  readonly settleMs: number
}

/**
 * How the log is not what this user saw of it before; null where it goes on from there, and then
 * its mark is set to where it ends now.
 */
export async function rolledBackOf(read: LogRead): Promise<RolledBack | null> {
  const { head, of, seen } = await compared(read)
  if (seen === null || of === null) return null
  if (seen.rolledBack === null) await raised(read, of, { head, mark: seen.mark })
  return seen.rolledBack
}

/** The same of a copy, by which no one's mark is moved. */
export async function copyRolledBack(read: LogRead): Promise<RolledBack | null> {
  return (await compared(read)).seen?.rolledBack ?? null
}

interface Compared {
  readonly head: Head
  /** Null where the log has no identity yet. */
  readonly of: MarkOf | null
  readonly seen: MarkSeen | null
}

async function compared(read: LogRead): Promise<Compared> {
  const { log, place, folder, rootKey } = read
  const { realm } = place
  const [head, id] = [await log.head(), await logIdentity(read)]
  if (id === null) return { head, of: null, seen: null }
  const of = { folder, realm, log: id }
  const accepted = async (): Promise<number> => {
    const { catalog } = await stateAt({ log, realm, rootKey }, { at: 'end' }, 'catalog')
    return catalog.rollbacks.get(realm) ?? 0
  }
  return { head, of, seen: await markSeen(of, { log, head: head.position, accepted }) }
}

/** The log's identity; null where its first catalog is not there. */
export async function logIdentity({
  log,
  place: { realm },
  rootKey,
}: Pick<LogRead, 'log' | 'place' | 'rootKey'>): Promise<string | null> {
  const { state, cutAt } = await beginningOf(log, { realm }, rootKey)
  const known = state.log
  if (known !== null || cutAt !== null) return known
  try {
    for await (const fact of log.read({}, [catalogsOf({ realm, era: 1 })])) {
      evolve(state, fact)
      if (state.log !== null) break
    }
  } catch (error) {
    // Whose rules are unknown here is known all the same.
    if (!(error instanceof Fault) || error.code !== 'rules_unknown') throw error
  }
  return state.log
}

function catalogsOf(place: Place): string {
  return patternOf(place, 'catalog', '*')
}

// A place that cannot be written to keeps no one from reading: `warrant doctor` reports it.
async function raised(
  { log, place, settleMs }: LogRead,
  of: MarkOf,
  { head, mark }: { readonly head: Head; readonly mark: HighWaterMark | null },
): Promise<void> {
  const { position, appendedAt, now = Date.now() } = head
  const before = mark?.position ?? 0
  if (position <= before || (settleMs > 0 && now - appendedAt < settleMs)) return
  const fact = await factAtPosition(log, position)
  if (fact === undefined) return
  const rollbacks = Math.max(mark?.rollbacks ?? 0, await saidSince(log, place, before + 1))
  await writeMark(of, markAt(of, fact, rollbacks)).catch(() => undefined)
}

/**
 * The highest number of a rollback that facts say was accepted, whether they count or not: a mark
 * that knows too many is only stricter.
 */
async function saidSince(log: LogReader, { realm, era: last }: Place, from: number) {
  const eras = Array.from({ length: last }, (_, index) => index + 1)
  // Those of a cell are in the control log, which has one era.
  const names = [...new Set(eras.map((era) => catalogsOf({ realm, era })))]
  let highest = 0
  for await (const fact of log.read({ from }, names)) {
    highest = Math.max(highest, ...numbersIn(fact, realm))
  }
  return highest
}

function numbersIn(fact: Fact, realm: string): readonly number[] {
  const operations = readData('catalog', fact)?.operations ?? []
  return operations.flatMap((one) => {
    return one.op === 'accept_rollback' && one.id === realm ? [one.number] : []
  })
}
