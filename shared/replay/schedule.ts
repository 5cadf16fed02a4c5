// Which facts are derived again, and when: each as soon as the fold has reached its basis.
import { cellIn, controlPlace, isControl, partsInRealm } from '#record/names'
import { kinds } from '#schemas/kinds'
import type { Fact } from '#ports/log'
import { difference } from './differences.ts'
import { addressOfRate, stampOf } from './recorded-stamp.ts'
import type { Due } from './derive.ts'
import { aheadIn, type ReplayOptions, type ReplayRun } from './pass.ts'

/**
 * To be called for each fact as it is read, before it is folded. Of what is beyond the span of the
 * run only that is derived here which rests on its positions.
 */
export function schedule(run: ReplayRun, fact: Fact): void {
  const { place, address } = run.options
  const { through } = run.span
  const isBeyond = through !== null && fact.position > through
  const parts = partsInRealm(fact.name, place.realm)
  if (parts === null || kinds[parts.kind].derived !== true) return
  if (address !== undefined && parts.address !== address) return
  const stamp = stampOf(fact)
  const isGiven =
    stamp !== null && isControl(parts.kind) && isOfOtherCell(stamp.source, run.options)
  if (isGiven) {
    // It follows from the log of that cell, where it is derived again.
    if (!isBeyond) run.given += 1
    return
  }
  if (stamp === null || stamp.basis >= fact.position) {
    if (!isBeyond) run.unreadable.set(fact.position, stamp?.basis ?? null)
    return
  }
  const { start } = run
  // What came too late for an era that is gone is void, and only that era could derive it.
  if (start !== null && parts.place.era < start.era) return
  if (stamp.basis <= (start?.position ?? 0)) {
    // No stage binds a name of an era from a basis before it, nor any from before the first fact.
    if (!isBeyond)
      difference(run.found, { kind: 'not_derived', fact, basis: stamp.basis, derived: null })
    return
  }
  const { kind } = parts
  const due = { kind, fact, stamp, address: parts.address ?? addressOfRate(fact) }
  if (isBeyond) {
    if (stamp.basis > run.state.position && stamp.basis <= through) dueAt(run, due)
    return
  }
  if (stamp.basis > run.state.position) dueAt(run, due)
  else if (!wasReadAhead(run, due)) run.passed.push(due)
}

/** Whether the run before this one has read it, where what it rests on was still to come. */
function wasReadAhead({ span, options }: ReplayRun, { fact, stamp: { basis } }: Due): boolean {
  const { after } = span
  const ahead = aheadIn(options)
  return basis <= after && basis > after - ahead && fact.position <= after + ahead
}

/** Whether a worker of another cell wrote it: `warrant/<stage>/<cell>/<worker>`. */
function isOfOtherCell(source: string, { place: { realm }, cells }: ReplayOptions): boolean {
  const [, , writer = '', worker] = source.split('/')
  const cell = worker === undefined ? null : cellIn(writer)
  if (cell === null || writer === realm || cell.of !== controlPlace(realm).realm) return false
  return cell.index < (cells ?? Infinity)
}

export function dueAt(run: ReplayRun, due: Due): void {
  const { basis } = due.stamp
  const others = run.due.get(basis)
  if (others === undefined) run.due.set(basis, [due])
  else others.push(due)
}
