// Lists what counts for nothing, and why. Only a fold of the whole log shows.
import { covers } from '#core/kernel/pattern'
import { voidsIn, type VoidFact } from '#core/state/folded'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { note, print, printJson } from '../terminal/terminal.ts'
import { tableLines } from '../terminal/table.ts'
import { withRuntime } from '../opening/opened.ts'

/** Which facts are meant. */
export interface MeantFacts extends GlobalOptions {
  readonly name?: string
  /** Below 0: that many from the end. */
  readonly from?: number
  readonly to?: number
  readonly limit?: number
}

/** So many are listed unless more are asked for. */
const listedMax = 10_000

export async function listVoid(options: MeantFacts): Promise<number> {
  const { realm, name, limit = listedMax, from = 1, to = Number.POSITIVE_INFINITY } = options
  if (from < 0) throw usage('--void takes --from a position, and no number from the end')
  // Of other realms nothing counts here, and they are no concern of this one.
  const pattern = `${realm}.*.${name ?? '>'}`
  const listed: VoidFact[] = []
  let left = 0
  const isMeant = (found: VoidFact): boolean =>
    covers(pattern, found.name) && found.position >= from && found.position <= to
  await withRuntime(
    options,
    {
      reads: true,
      foldsAll: true,
      ofAgents: true,
      onFolded: (fact, folded) => {
        for (const found of voidsIn(fact, folded)) {
          if (!isMeant(found)) continue
          if (listed.length < limit) listed.push(found)
          else left += 1
        }
      },
    },
    () => Promise.resolve(),
  )
  if (options.json === true) for (const found of listed) await printJson(found)
  else await print(linesFor(listed))
  if (left > 0) note(`and ${left} more: give another --limit, or --from, --to, --name`)
  return exitCodes.yes
}

function linesFor(listed: readonly VoidFact[]) {
  if (listed.length === 0) return ['every fact counts']
  const rows = listed.map(({ position, name, why }) => [String(position), name, why])
  return tableLines(['position', 'name', 'counts for nothing, since'], rows)
}
