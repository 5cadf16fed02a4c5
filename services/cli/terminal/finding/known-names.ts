// Refuses an agent or a tool that neither the catalog nor any message has, of the logs that the
// options mean.
import {
  refuseUnknownNames,
  type NamedInFilter,
  type ReadLog,
} from '#operations/finding/known-names'
import { looking } from '../opening/known-at.ts'
import type { GlobalOptions } from '../opening/options.ts'

type Meant = GlobalOptions & NamedInFilter

export async function refuseUnknownIn(options: Meant, logs: readonly ReadLog[]): Promise<void> {
  if (options.agent === undefined && options.tool === undefined) return
  const { catalog } = await looking(options, 'catalog', ({ knownAt }) => knownAt(undefined))
  await refuseUnknownNames(options, catalog, logs)
}
