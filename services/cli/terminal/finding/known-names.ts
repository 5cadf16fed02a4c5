// Refuses an agent or a tool that neither the catalog nor any message has, of the logs that the
// options mean.
import {
  refuseUnknownNames,
  type NamedInFilter,
  type ReadLog,
} from '#operations/finding/known-names'
import { logsMeant } from '../opening/cells/logs.ts'
import { looking } from '../opening/known-at.ts'
import { withLogs } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'

type Meant = GlobalOptions & NamedInFilter

/** Where no log is open yet. */
export async function refuseUnknown(options: Meant): Promise<void> {
  if (!namesAny(options)) return
  const all = await logsMeant(options)
  await withLogs(
    all.map((each) => each.options),
    (opened) => refuseUnknownIn(options, opened),
  )
}

export async function refuseUnknownIn(options: Meant, logs: readonly ReadLog[]): Promise<void> {
  if (!namesAny(options)) return
  const { catalog } = await looking(options, 'catalog', ({ knownAt }) => knownAt(undefined))
  await refuseUnknownNames(options, catalog, logs)
}

function namesAny({ agent, tool }: NamedInFilter): boolean {
  return agent !== undefined || tool !== undefined
}
