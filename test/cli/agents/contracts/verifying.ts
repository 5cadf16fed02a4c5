// A verifier in this process, for tests of commands that do not run one.
import { join } from 'node:path'
import { expect } from 'vitest'
import { findLog } from '#runtime/logs/log-url'
import { openRuntime } from '#wiring/open'
import { allStages } from '#workers/all-stages'

/** Verifies all that is claimed in the log of that folder. */
export async function verified(cwd: string): Promise<void> {
  const log = findLog(join(cwd, '.warrant/log.db'), {})
  const runtime = await openRuntime({ log, stages: allStages })
  const { contracts } = runtime.follower.state
  const { state } = runtime.follower
  expect(contracts.size).toBeGreaterThan(0)
  const isDone = (): boolean => {
    return [...state.contracts.values()].every(({ pending }) => pending.length === 0)
  }
  await expect.poll(isDone).toBe(true)
  await runtime.stop()
}
