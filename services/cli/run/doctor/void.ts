// Counts the facts that count for nothing, by kind, as the log is folded: an attack, a tampered
// fact and a program that says what it may not all show here first.
import { voidsIn, type VoidFact } from '#state/folded'
import { counted } from '#present/wording'
import type { FoldListener } from '#runtime/engine/follower'
import { ok, warning, type DoctorFinding } from '#health/doctor/finding'

/** So many of the latest are named. */
const namedMax = 3

export interface VoidFacts {
  readonly byKind: ReadonlyMap<string, number>
  /** The latest first. */
  readonly latest: readonly VoidFact[]
}

export interface VoidCount {
  /** To be called for each fact, in order. */
  readonly count: FoldListener
  read(): VoidFacts
}

/** Those of that realm: a log may hold others, which are no concern of its stages. */
export function voidCount(realm: string): VoidCount {
  const byKind = new Map<string, number>()
  let latest: readonly VoidFact[] = []
  return {
    count: (fact, folded) => {
      for (const found of voidsIn(fact, folded)) {
        if (!found.name.startsWith(`${realm}.`)) continue
        const kind = found.name.split('.', 3)[2] ?? ''
        byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
        latest = [found, ...latest].slice(0, namedMax)
      }
    },
    read: () => ({ byKind, latest }),
  }
}

export function voidFinding({ byKind, latest }: VoidFacts): DoctorFinding {
  const [about] = latest
  if (about === undefined) return ok('void', 'every fact counts')
  const total = [...byKind.values()].reduce((sum, count) => sum + count, 0)
  const kinds = [...byKind]
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${kind}`)
  const named = latest.map(({ name, position, why }) => `${name} at ${position}: ${why}`)
  const verb = total === 1 ? 'counts' : 'count'
  const found = `${counted(total, 'fact')} ${verb} for nothing: ${kinds.join(', ')}`
  return warning('void', `${found}; the latest: ${named.join('; ')}`, {
    about: about.name,
    fix: 'find out who bound them: `warrant log --void` lists all, and why they count for nothing',
  })
}
