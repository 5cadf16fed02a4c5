// Derives one intent again from the facts that decide it, wherever that is done: a page in a
// browser has only these bytes, and need not believe the server that they came from. It is the
// replay of everyone else. No callback runs: of each the answer is taken that was recorded.
import { canCompile } from '#platform/packages'
import { textOfUtf8 } from '#platform/bytes'
import type { Stage } from '#stages/stage'
import type { Fact } from '#ports/log'
import { lastPlace } from '../eras/last-era.ts'
import type { ComparedFact } from '../differences.ts'
import { replay, type ReplayReport } from '../replay.ts'
import { withPackages } from '../with-packages.ts'
import { partLog } from './part-log.ts'
import type { Omitted } from './write.ts'

export interface ToDerive {
  /** In the order of the log; whole, or with gaps where others stood. */
  readonly facts: Iterable<Fact | Omitted>
  readonly realm: string
  /** The address of the intent. */
  readonly intent: string
  readonly stages: readonly Stage[]
  /** The key that is to have begun the log; null where anyone may have. */
  readonly rootKey: string | null
}

export interface DerivedAgain {
  readonly name: string
  readonly position: number
  /**
   * `cannot_tell` where an answer, a callback module or an era is not here, or the page may not
   * compile schemas.
   */
  readonly is: ComparedFact['is']
  /** JSON texts; null where nothing was derived. */
  readonly recorded: string
  readonly derived: string | null
}

export interface IntentAgain {
  /** Of each fact about the intent that a stage derived, in the order of the log. */
  readonly facts: readonly DerivedAgain[]
  readonly report: Pick<ReplayReport, 'log' | 'root' | 'voids' | 'findings' | 'readBack'>
}

export function deriveAgain(of: ToDerive): Promise<IntentAgain> {
  const parts = [...of.facts]
  return withPackages(() => derivedOnce(of, parts))
}

async function derivedOnce(
  { realm, intent, stages, rootKey }: ToDerive,
  parts: readonly (Fact | Omitted)[],
): Promise<IntentAgain> {
  const found: DerivedAgain[] = []
  const mayCompile = canCompile()
  const log = await partLog(inTurn(parts))
  const place = await lastPlace(log, realm)
  const report = await replay({
    log,
    isPart: true,
    place,
    rootKey,
    stages,
    callbacks: null,
    address: intent,
    compared: (one) => found.push(mayCompile ? shown(one) : shown({ ...one, is: 'cannot_tell' })),
  })
  return { facts: found.toSorted((a, b) => a.position - b.position), report }
}

function shown(one: ComparedFact): DerivedAgain {
  const { name, position, bytes } = one.fact
  const recorded = textOfUtf8(bytes)
  const about = { name, position, recorded }
  switch (one.is) {
    case 'equal':
      return { ...about, is: 'equal', derived: recorded }
    case 'differs':
      return { ...about, is: 'differs', derived: one.derived }
    case 'cannot_tell':
      return { ...about, is: 'cannot_tell', derived: null }
  }
}

async function* inTurn<T>(items: Iterable<T>): AsyncGenerator<T, void, void> {
  for (const item of items) yield await Promise.resolve(item)
}
