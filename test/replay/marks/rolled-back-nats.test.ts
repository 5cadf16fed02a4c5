// The stream of a log that was restored to an older state, as `nats stream restore` does it: who
// saw more of it refuses it, until a policy admin accepts it in the log.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import type { Runtime } from '#runtime/engine/runtime'
import { startRuntime } from '#wiring/open'
import { backUp, remove, restore } from '../../cells/servers/backup.ts'
import { agentsSetup, deploy, type Deployment } from '../../client/nats-client-scene.ts'
import { changeCatalog, testParts } from '../../support/runtime.ts'
import { canStartNats } from '../../support/servers/nats-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const stream = 'LOG-main-1'

describe.skipIf(!canStartNats)('a log on servers', () => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy('no_roles', agentsSetup)
  })
  afterAll(() => on.dispose())

  /** By a follower of its own, which reads the stream itself. */
  async function seenBy(folder: string, settleMs: number, showsRolledBack = false) {
    const link = await NatsLink.open({ servers: on.url })
    const log = await jetStreamLog(link, { realm: 'main' })
    const marks = { folder, settleMs, showsRolledBack }
    try {
      return await startRuntime({ ...testParts(log, agentsSetup), marks }, [])
    } catch (error) {
      await log.close()
      throw error
    }
  }
  const suspended = async (runtime: Runtime, op: 'suspend' | 'unsuspend'): Promise<void> => {
    await changeCatalog(runtime, { op, id: 'agent' })
  }

  test('that was restored to an older state is refused by who saw more, until accepted', async () => {
    const [folder, slow] = [await temporaryFolder(), await temporaryFolder()]
    const link = await on.link('operator')
    const backup = await backUp(link, stream)
    const before = await seenBy(folder, 0)
    await suspended(before, 'suspend')
    await before.stop()
    // What could be lost with a machine is in no mark.
    await (await seenBy(slow, 3_600_000)).stop()
    await remove(link, stream)
    await restore(link, backup)
    await expect(seenBy(folder, 0)).rejects.toMatchObject({ code: 'log_rolled_back' })
    await (await seenBy(slow, 3_600_000)).stop()
    const shown = await seenBy(folder, 0, true)
    const { position } = shown.follower.state
    expect(shown.rolledBack?.isShorter).toBe(true)
    const seen = { position: shown.rolledBack?.seen.position ?? 0 }
    await changeCatalog(shown, { op: 'accept_rollback', id: 'main', number: 1, position, seen })
    await shown.stop()
    const after = await seenBy(folder, 0)
    expect(after.rolledBack).toBeNull()
    await after.stop()
  })
})
