// Refuses an agent or a tool that neither the catalog nor any message has, of the logs that the
// options mean.
import {
  refuseUnknownNames,
  type NamedInFilter,
  type ReadLog,
} from '#operations/finding/known-names'
import type { Catalog } from '#rules/catalog/catalog'
import type { WholeLogs } from '../opening/cells/logs.ts'
import { looking } from '../opening/known-at.ts'
import type { GlobalOptions } from '../opening/options.ts'

type Meant = GlobalOptions & NamedInFilter

export async function refuseUnknownIn(
  options: Meant,
  opened: readonly ReadLog[],
  { known }: WholeLogs,
): Promise<void> {
  if (options.agent === undefined && options.tool === undefined) return
  const catalog = known?.catalog ?? (await catalogOfOne(options))
  await refuseUnknownNames(options, catalog, opened)
}

function catalogOfOne(options: GlobalOptions): Promise<Catalog> {
  return looking(options, 'catalog', async ({ knownAt }) => (await knownAt(undefined)).catalog)
}
