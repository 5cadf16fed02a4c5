// What a capability has taken out of its results, as an agent gets them over HTTP; and that the log
// has no more than before.
import { expect, test } from 'vitest'
import { jsonOf } from '#record/canonical'
import { nameOf } from '#record/names'
import { textOfUtf8 } from '#platform/bytes'
import { Capability } from '#schemas/catalog'
import { changeCatalog, keys } from '../../support/runtime.ts'
import { bind, place } from '../../support/scene.ts'
import {
  allowedFor,
  holders,
  httpStand,
  mintedOver,
  present,
  type HttpStand,
} from './http-stand.ts'

const row = { id: 1, mail: 'ann@example.com', note: 'password=hunter22' }
const mark = '[REDACTED]'

test.each([
  [undefined, { id: 1, mail: mark, note: `password=${mark}` }],
  ['all' as const, { id: 1, mail: mark, note: `password=${mark}` }],
  ['secrets' as const, { id: 1, mail: 'ann@example.com', note: `password=${mark}` }],
  ['none' as const, row],
])(
  'with `redact: %s` an agent gets what that leaves, and the log has no more',
  async (redact, left) => {
    const all = await httpStand({ tool: () => [row], ...(redact && { redact }) })
    const intent = await allowedFor(all)
    const token = await mintedOver(all, intent)
    const answer = await present(all, token, { intent, mode: 'table' })
    expect(await answer.json()).toMatchObject({ frame: { table: [left] } })
    const facts: string[] = []
    for await (const fact of all.on.log.read({})) facts.push(textOfUtf8(fact.bytes))
    expect(facts.join('\n')).toContain(intent)
    expect(facts.join('\n')).not.toMatch(/ann@example\.com|hunter22/)
  },
)

/** What an agent gets of that row by a call of its own. */
async function gotten(all: HttpStand): Promise<unknown> {
  const intent = await allowedFor(all)
  const token = await mintedOver(all, intent)
  return (await present(all, token, { intent, mode: 'table' })).json()
}

const open = { frame: { table: [row] } }
const closed = { frame: { table: [{ id: 1, mail: mark, note: `password=${mark}` }] } }

test.each([
  ['the owner of its agents', { by: 'olga', privateKey: keys.olga }],
  ['an agent', { by: 'ada', privateKey: holders.ada }],
  ['an agent in the name of a policy admin', { by: 'root', privateKey: holders.ada }],
  ['the gateway', { by: 'gate', privateKey: holders.gate }],
  ['no one', { by: 'root', privateKey: undefined }],
])('signed by %s, what `redact` says counts for nothing', async (_who, { by, privateKey }) => {
  const all = await httpStand({ tool: () => [row] })
  const { log, runtime } = all.on
  const { catalog, catalogRevision } = runtime.follower.state
  const entry = { ...catalog.capabilities.get('list'), redact: 'none' }
  const operations = [{ op: 'put', collection: 'capabilities', entry }]
  const revision = catalogRevision + 1
  const set = { by, operations: jsonOf(operations), revision }
  await bind(log, 'catalog', nameOf(place, 'catalog', revision), set, privateKey)
  expect(await gotten(all)).toMatchObject(closed)
  // A policy admin signs the same, and it counts.
  await runtime.follower.reached((await log.head()).position)
  await changeCatalog(runtime, {
    op: 'put',
    collection: 'capabilities',
    entry: Capability.parse(entry),
  })
  expect(await gotten(all)).toMatchObject(open)
})
