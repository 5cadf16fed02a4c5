// Waiting for what the fold shows: until it is so, until the time has passed, or until following
// fails, and nothing is left behind.
import { expect, test } from 'vitest'
import { systemTimer } from '#system/clock'
import { Principal } from '#schemas/catalog'
import { changeCatalog } from '../../support/runtime.ts'
import { scene } from '../../support/scene.ts'

const entry = Principal.parse({ id: 'newcomer', owner: 'olga' })

test('resolves when it is so, at once where it is so already', async () => {
  const { runtime } = await scene()
  const { follower } = runtime
  const { catalogRevision } = follower.state
  const has = (revision: number) => () => follower.state.catalogRevision >= revision
  expect(await follower.until(has(catalogRevision), systemTimer, 0)).toBe(true)
  const next = follower.until(has(catalogRevision + 1), systemTimer, 20_000)
  await changeCatalog(runtime, { op: 'put', collection: 'principals', entry })
  expect(await next).toBe(true)
})

test('resolves with false when the time has passed', async () => {
  const { runtime } = await scene()
  expect(await runtime.follower.until(() => false, systemTimer, 5)).toBe(false)
})

test('rejects when following ends', async () => {
  const { runtime } = await scene()
  const waiting = runtime.follower.until(() => false, systemTimer, 20_000)
  const [ended] = await Promise.allSettled([waiting, runtime.stop()])
  expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'follower_stopped' } })
})
