// A snapshot of the fold of a log that servers keep: the role that follows the log can know that it
// is of that log, in the era in which it was written and after it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import type { Log } from '#ports/log'
import { Follower } from '#runtime/engine/follower'
import { newState } from '#state/state'
import { textOf } from '../eras/parts/fold.ts'
import { believed, keptFor, written } from './fold-snapshot-scene.ts'
import { canStartNats } from '../../support/servers/nats-server.ts'
import {
  agentsSetup,
  deploy,
  startStages,
  type Deployment,
} from '../../client/nats-client-scene.ts'

describe.skipIf(!canStartNats).each(['no_roles', 'roles'] as const)('%s', (has) => {
  let on: Deployment
  beforeAll(async () => {
    on = await deploy(has, agentsSetup)
  })
  afterAll(() => on.dispose())

  async function folded(log: Log): Promise<Follower> {
    const follower = new Follower(log, newState({ realm: 'main', era: 1 }))
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
    const text = textOf(first.state)
    const { position } = await written(of, first.state)
    await first.stop()
    expect(textOf(await believed(of))).toBe(text)
    await on.turn()
    await agent.ask({ tool: 'look' })
    const state = await believed(of)
    expect(state.position).toBe(position)
    const whole = await folded(log)
    const rest = new Follower(log, state)
    await rest.start()
    await whole.reached(rest.state.position)
    await rest.reached(whole.state.position)
    expect(textOf(rest.state)).toBe(textOf(whole.state))
    expect(rest.state.place.era).toBe(2)
    await written(of, rest.state)
    expect((await believed(of)).place.era).toBe(2)
    for (const one of [rest, whole, ...running]) await one.stop()
  })
})
