// Keeps the eras of logs on servers, in a process of its own with an operator's credential, until
// it is asked to stop. It runs no stage, and its key signs for nothing else.
import { Fault } from '#record/fault'
import { findLog } from '#runtime/logs/log-url'
import { openRotation } from '#runtime/logs/rotation'
import type { Runtime } from '#runtime/engine/runtime'
import { allowsKeepers } from '#state/eras/due'
import { configuration } from '#wiring/config'
import { keepEras } from '#replay/eras/era-keeper'
import { eraKeeping, keeperAuthor, type KeepingOptions } from './era-keeping.ts'
import { upUntilStopped, type UpServerOptions } from './serving.ts'

type ErasUpOptions = UpServerOptions & KeepingOptions

export async function upEras(options: ErasUpOptions): Promise<number> {
  return upUntilStopped(options, {
    // Who signs for a state folds all of it.
    opening: { foldsAll: true },
    keepsEras: false,
    async begin(runtimes, { logger }) {
      // Without an operator's credential it would try for ever.
      await openRotation(findLog(options.log, configuration()))
      for (const runtime of runtimes) await demandKeeper(runtime, options)
      const keepers = runtimes.map((runtime) =>
        keepEras(runtime, () => Promise.resolve(eraKeeping(runtime, options))),
      )
      logger.info({ realms: runtimes.map(({ place }) => place.realm).join(', ') }, 'eras are kept')
      return {
        left: 'an era left half rotated',
        close: async () => void (await Promise.all(keepers.map((keeper) => keeper.stop()))),
      }
    },
  })
}

async function demandKeeper(runtime: Runtime, options: ErasUpOptions): Promise<void> {
  if (allowsKeepers(runtime.follower.state.catalog)) {
    if ((await keeperAuthor(runtime, options)) !== null) return
    const what = 'no key of an era keeper of this log is here'
    throw new Fault('key_missing', `${what}: give --key FILE, which \`log auto-rotate\` made`)
  }
  const fix = 'a policy admin allows it by `warrant log auto-rotate`'
  throw new Fault('rotation_early', `the catalog lets no era keeper rotate eras: ${fix}`)
}
