// Lists what counts for nothing, and why. Only a fold of the whole log shows.
import { isShared } from '#record/names'
import { voidsIn, type VoidFact } from '#state/folded'
import type { Fact } from '#ports/log'
import type { FoldListener } from '#runtime/engine/follower'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { note, print, printJson } from '#cli/terminal/terminal'
import { tableLines } from '#cli/terminal/table'
import {
  atOnce,
  byTime,
  isOne,
  refuseSeveral,
  type LogMeant,
  type WholeLogs,
} from '#cli/terminal/opening/cells/logs'
import { withRuntime } from '#cli/terminal/opening/opened'
import { isMeantBy, patternsMeant, refusePattern } from '#operations/finding/names-meant'
import { weighingOn, type Deciders } from '#replay/verdicts/forged'
import { withDeciders } from '#cli/terminal/opening/deciders'

/** Which facts are meant. */
export interface MeantFacts extends GlobalOptions {
  readonly name?: string | undefined
  /** Below 0: that many from the end. */
  readonly from?: number
  readonly to?: number
  readonly limit?: number
}

/** So many are listed unless more are asked for. */
const listedMax = 10_000

interface Listed {
  readonly found: VoidFact
  readonly appendedAt: number
  readonly cell: number | null
}

export async function listVoid(
  options: MeantFacts,
  { cells, all }: WholeLogs<MeantFacts>,
): Promise<number> {
  const { limit = listedMax, from = 1, to, name, realm } = options
  if (name !== undefined) refusePattern(name, realm)
  if (from < 0) throw usage('--void takes --from a position, and no number from the end')
  if (options.from !== undefined || to !== undefined) refuseSeveral(cells, '--from or --to')
  const each = await withDeciders(options, (deciders) =>
    atOnce(all, (meant) => voidIn(meant, limit, deciders)),
  )
  const found = byTime(each.map(({ listed }) => listed))
  const listed = found.slice(0, limit)
  const left = found.length - listed.length + each.reduce((sum, one) => sum + one.left, 0)
  const hasCells = !isOne(all)
  if (options.json === true) {
    for (const one of listed) {
      await printJson(hasCells ? { cell: one.cell, ...one.found } : one.found)
    }
  } else await print(linesFor(listed, hasCells))
  if (left > 0) note(`and ${left} more: give another --limit, or --from, --to, --name`)
  return exitCodes.yes
}

/** At most so many, and how many more there are. */
async function voidIn({ options, cell }: LogMeant<MeantFacts>, limit: number, deciders: Deciders) {
  const { realm, name = '>', from = 1, to = Number.POSITIVE_INFINITY } = options
  // Of other realms nothing counts here, and they are no concern of this one.
  const isNamed = isMeantBy(realm, [name])
  const listed: Listed[] = []
  let left = 0
  const isMeant = (found: VoidFact): boolean =>
    isNamed(found.name) &&
    found.position >= from &&
    found.position <= to &&
    // Where all cells are looked at, the control log says it.
    (cell === null || !isShared(found.name, realm))
  const list = (found: VoidFact, { appendedAt }: Fact): void => {
    if (!isMeant(found)) return
    if (listed.length < limit) listed.push({ found, appendedAt, cell })
    else left += 1
  }
  const onFolded: FoldListener = (fact, folded) => {
    for (const found of voidsIn(fact, folded)) list(found, fact)
  }
  await withRuntime(
    options,
    { reads: true, shows: true, foldsAll: true, onFolded },
    async ({ log, place }) => {
      const weighing = weighingOn(log, place, deciders)
      for await (const fact of log.read({}, patternsMeant(place, ['verdict.>']))) {
        if (!isNamed(fact.name) || fact.position < from || fact.position > to) continue
        const why = await weighing.forged(fact)
        if (why !== null) list({ name: fact.name, position: fact.position, why }, fact)
      }
    },
  )
  return {
    listed: listed.toSorted((one, other) => one.found.position - other.found.position),
    left,
  }
}

function linesFor(listed: readonly Listed[], hasCells: boolean) {
  if (listed.length === 0) return ['every fact counts']
  const head = ['position', 'name', 'counts for nothing, since']
  const rows = listed.map(({ found: { position, name, why }, cell }) => {
    const row = [String(position), name, why]
    return hasCells ? [cell === null ? 'all' : String(cell), ...row] : row
  })
  return tableLines(hasCells ? ['cell', ...head] : head, rows)
}
