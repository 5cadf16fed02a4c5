// Which callbacks a policy may name: what the pinned module exports. It reads the module's text and
// never runs it.
import { loadModule } from '#runtime/callback-store'
import type { Runtime } from '#runtime/open'

/** None where no module is pinned, or where it is not here. */
export async function pinnedCallbacks({
  folder,
  follower,
}: Pick<Runtime, 'folder' | 'follower'>): Promise<readonly string[]> {
  const { callbacks } = follower.world.catalog
  const source = folder === null || callbacks === null ? null : await loadModule(folder, callbacks)
  if (source === null) return []
  const { exportedNames } = await import('#adapters/callbacks/module')
  return exportedNames(source)
}
