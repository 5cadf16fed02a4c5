// Keeps the eras of a log for as long as its catalog allows that: what a sealed era is archived by,
// and who signs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule } from '#authoring/callback-store'
import type { KeyAuthor } from '#authoring/change'
import { archiveEra } from '#replay/backup/era-archive'
import type { EraKeeping } from '#replay/eras/era-keeper'
import { keeperKeyFile, readKey } from '#runtime/keys/key-files'
import { holderOf, opened } from '#runtime/keys/keys'
import { findLog } from '#runtime/logs/log-url'
import { openRotation } from '#runtime/logs/rotation'
import type { Runtime } from '#runtime/engine/runtime'
import { configuration } from '#wiring/config'
import { stages } from '#workers/stages'
import { headerOf } from '../backup/backup.ts'
import { replayOnCores as replayed } from '../replay/on-cores.ts'
import { rootKeyFor } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { keyAccess } from '#cli/terminal/signing'

export interface KeepingOptions extends GlobalOptions {
  /** The key of the keeper; if not given, that beside the log. */
  readonly key?: string | undefined
  /** Where archives go; if not given, beside the log. */
  readonly archive?: string
}

/** For the log that this runtime has. */
export function eraKeeping(runtime: Runtime, options: KeepingOptions): EraKeeping {
  const { log, folder, place } = runtime
  const home = folder ?? '.'
  const source = (digest: string) => loadModule(home, digest)
  const rootKey = rootKeyFor(options)
  return {
    author: () => keeperAuthor(runtime, options),
    rotation: () => openRotation(findLog(options.log, configuration())),
    archive: (state, era) =>
      archiveEra(
        log,
        { state, era },
        {
          folder: options.archive ?? join(home, 'archive'),
          header: headerOf({ holds: 'era', realm: place.realm, cells: null, era }),
          module: source,
          rootKey,
          stages,
          replayed,
        },
      ),
  }
}

/** The key that is given, or lies beside the log, of a keeper of the catalog. */
export async function keeperAuthor(
  { follower, folder }: Runtime,
  options: KeepingOptions,
): Promise<KeyAuthor | null> {
  const file = options.key ?? keeperKeyFile(folder)
  if (file === null || !existsSync(file)) return null
  const key = await readKey(file)
  const id = holderOf(follower.state.catalog, key.publicKey)?.id
  return id === undefined ? null : { id, privateKey: await opened(key, keyAccess(folder)) }
}
