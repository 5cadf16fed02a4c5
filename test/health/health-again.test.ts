// What a process answers that does more with a log than to follow it, such as one that projects it:
// why it stopped, until it begins again.
import { expect, test } from 'vitest'
import { newState } from '#state/state'
import { Follower } from '#runtime/engine/follower'
import { listenHealth } from '#health/health'
import { newMetrics } from '#health/metrics'
import type { FaultCode } from '#schemas/faults/registry'
import { look, place, scene } from '../support/scene.ts'

test('one that does nothing more with its log neither lives nor is ready', async () => {
  const on = await scene({ catalog: { capabilities: [look] } })
  const health = await listenHealth({ host: '127.0.0.1', port: 0 }, newMetrics())
  const status = async (path: string) => (await fetch(`${health.url}${path}`)).status
  const answers = async () => [await status('/healthz'), await status('/readyz')]
  const { log, timer, follower, clock } = on.runtime
  let failure: FaultCode | null = 'projection_strayed'
  health.serve({ log, timer, follower, clock, failure: () => failure })
  expect(await answers()).toEqual([503, 503])
  expect(await (await fetch(`${health.url}/readyz`)).json()).toMatchObject({
    problems: [{ check: 'follower', detail: 'projection_strayed' }],
  })
  failure = null
  expect(await answers()).toEqual([200, 200])
  await follower.stop()
  expect(await answers()).toEqual([503, 503])
  const again = new Follower(log, newState(place, null))
  await again.start()
  health.serve({ log, timer, follower: again, clock })
  expect(await answers()).toEqual([200, 200])
  await again.stop()
  await health.close()
})
