// A snapshot of the fold of a log that servers keep: the role that follows the log can know that it
// is of that log, in the era in which it was written and after it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#adapters/jetstream/log'
import type { Log } from '#ports/log'
import { Follower } from '#runtime/engine/follower'
import { newWorld } from '#core/state/world'
import { textOf } from '../eras/parts/fold.ts'
import { believed, keptFor, written } from './fold-snapshot-scene.ts'
import { canStartNats } from '../../support/servers/nats-server.ts'
import {
  agentsSetup,
  deploy,
  startStages,
  type Deployment,
} from '../../services/client/nats-client-scene.ts'

describe.skipIf(!canStartNats).each(['no_roles', 'roles'] as const)('%s', (has) => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy(has, agentsSetup)
  }, 30_000)
  afterAll(() => on.dispose())

  async function folded(log: Log): Promise<Follower> {
    const follower = new Follower(log, newWorld({ realm: 'main', era: 1 }))
    await follower.start()
    return follower
  }

  test('anyone who follows the log begins from it, before an era is rotated and after', async () => {
    const running = await startStages(on)
    const agent = await on.client('agent', { reads: 'own' })
    await agent.ask({ tool: 'look' })
    const log = await jetStreamLog(await on.link('policy'), { realm: 'main' })
    const { of } = await keptFor(log)
    const first = await folded(log)
    const text = textOf(first.world)
    const { position } = await written(of, first.world)
    await first.stop()
    expect(textOf(await believed(of))).toBe(text)
    await on.turn()
    await agent.ask({ tool: 'look' })
    const world = await believed(of)
    expect(world.position).toBe(position)
    const whole = await folded(log)
    const rest = new Follower(log, world)
    await rest.start()
    await whole.reached(rest.world.position)
    await rest.reached(whole.world.position)
    expect(textOf(rest.world)).toBe(textOf(whole.world))
    expect(rest.world.place.era).toBe(2)
    await written(of, rest.world)
    expect((await believed(of)).place.era).toBe(2)
    for (const one of [rest, whole, ...running]) await one.stop()
  }, 30_000)
})
