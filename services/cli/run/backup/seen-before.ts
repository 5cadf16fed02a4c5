// Whether what a backup holds goes on from all that this user saw of its logs. An older backup does
// not, and there is nothing wrong with it until it takes the place of its log.
import { readOnlySqliteLog } from '#log/sqlite/read-only'
import { lastPlace } from '#replay/eras/last-era'
import { marksFor } from '#replay/marks/mark-files'
import { copyRolledBack } from '#replay/marks/read-only-mark'
import type { Restored } from '#replay/backup/restore'
import type { RolledBack } from '#runtime/engine/runtime'
import { configuration } from '#wiring/config'

/** How each of its logs does not, that does not. */
export async function rolledBackIn(
  { logs, folder }: Restored,
  rootKey: string | null,
): Promise<readonly RolledBack[]> {
  const found: RolledBack[] = []
  for (const { file, realm } of logs) {
    const at = { url: file, folder }
    const marks = marksFor(at, configuration())
    if (marks === null) return []
    const log = readOnlySqliteLog(file)
    try {
      const place = await lastPlace(log, realm)
      const seen = await copyRolledBack({ log, place, rootKey, ...marks })
      if (seen !== null) found.push(seen)
    } finally {
      await log.close()
    }
  }
  return found
}
