// Two policy workers on a server, of which one has not the callback module that the catalog pins:
// it gives its jobs back and takes no more, and the other decides them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logger } from '#runtime/reporting/logger'
import { replay } from '#replay/replay'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { connect } from '#client/connect'
import { stages } from '#workers/stages'
import { newRealm, type Realm } from '../../support/kill-realm.ts'
import { moduleCallbacks } from '../../support/runtime.ts'
import { deletion, erase, names } from '../../support/scene.ts'
import { hasNats, shareNats, until, type SharedNats } from '../../support/servers/nats-server.ts'

const module = `export const open = () => ({ passed: true })`
const setup = {
  catalog: { capabilities: [erase] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}
const asked = 20

describe.skipIf(!hasNats)('a worker on a server without the pinned module', () => {
  let server: SharedNats
  let realm: Realm

  beforeAll(async () => {
    server = await shareNats()
    realm = await newRealm({ ...server, ackWaitMs: 30_000, setup })
  })
  afterAll(async () => {
    await realm.dispose()
    await server.dispose()
  })

  test('decides nothing and sets nothing aside, and another decides all of it', async () => {
    const lines: string[] = []
    const without = await realm.open([grounding, policy], {
      callbacks: moduleCallbacks(undefined),
      logger: logger('info', { write: (line) => lines.push(line) }),
    })
    const agent = await realm.open([])
    const bot = await connect({ as: 'bot', runtime: agent })
    const answers = Array.from({ length: asked }, () => bot.ask({ tool: 'erase' }))
    await until(() => lines.some((line) => line.includes('callback module missing')))
    expect(await names(agent.log, `${server.realm}.1.verdict.>`)).toEqual([])
    const withIt = await realm.open([policy], { callbacks: moduleCallbacks(module), id: 'has' })
    const verdicts = await Promise.all(answers)
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(verdicts.map(() => 'allow'))
    expect(await names(agent.log, `${server.realm}.1.verdict.>`)).toHaveLength(asked)
    expect(await names(agent.log, `${server.realm}.1.fault.>`)).toEqual([])
    expect(without.follower.failure).toBeNull()
    const { differences } = await replay({
      log: withIt.log,
      place: realm.place,
      rootKey: null,
      stages,
      callbacks: moduleCallbacks(module),
    })
    expect(differences).toBe(0)
  })
})
