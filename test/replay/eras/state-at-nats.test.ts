// Looking back on a log that servers keep shows what it reports one in memory.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetStreamLog } from '#log/jetstream/log'
import { NatsLink } from '#log/nats/link'
import { makeLog } from '#log/nats-admin/operator'
import { Requests } from '#log/nats/requests'
import { graphToFile } from '#knowledge/graph/graph'
import { stateAt, type Moment } from '#replay/eras/state-at'
import { factsOf } from './parts/fold.ts'
import { canStartNats, startNats, type NatsServer } from '../../support/servers/nats-server.ts'
import { changeGraph } from '../../support/runtime.ts'
import { deletion, erase, judged, look, place, scene } from '../../support/scene.ts'

const setup = { catalog: { capabilities: [look, erase] }, graph: deletion({ name: 'ask' }) }

describe.skipIf(!canStartNats)('on a nats-server', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.dispose())

  test('what was known at a position, a revision and a time is the same', async () => {
    const on = await scene(setup)
    await judged(on, { intent: { tool: 'look' } })
    await changeGraph(on.runtime, { op: 'add', name: 'moon' })
    await judged(on, { intent: { tool: 'look' } })
    const facts = await factsOf(on.log)
    const operator = new Requests(await NatsLink.open({ servers: server.url }))
    const subjects = ['main.>']
    await makeLog(operator, place, { replicas: 1, subjects, queues: [] })
    const link = await NatsLink.open({ servers: server.url })
    const log = await jetStreamLog(link, { realm: place.realm, subjects })
    try {
      for (const fact of facts) await log.append(fact)
      const at = async (of: typeof log, moment: Moment): Promise<unknown> => {
        const history = { log: of, realm: 'main', rootKey: null }
        const { graph, graphRevision, position } = await stateAt(history, moment, 'graph')
        return { graph: graphToFile(graph), graphRevision, position }
      }
      const positions = facts.map(({ position }): Moment => ({ at: 'position', position }))
      const revisions = [0, 1, 2].map((revision): Moment => ({ at: 'revision', revision }))
      for (const moment of [...positions, ...revisions, { at: 'end' as const }]) {
        expect(await at(log, moment)).toEqual(await at(on.log, moment))
      }
      const kept = await factsOf(log)
      const time = kept[3]?.appendedAt ?? 0
      const last = kept.findLast(({ appendedAt }) => appendedAt <= time)
      expect(await at(log, { at: 'time', time })).toMatchObject({ position: last?.position })
    } finally {
      await log.close()
      await link.close()
      await operator.link.close()
    }
  })
})
