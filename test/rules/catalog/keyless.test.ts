// Taking the last key of a principal away never opens its name: who had a key once stays one who
// must sign.
import { describe, expect, test } from 'vitest'
import { keylessIn } from '#rules/catalog/keyless'
import { checkGraph } from '#authoring/lint/lint'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { fixesOf } from '#present/fixes'
import type { CatalogOperation } from '#schemas/catalog'
import { restored, textOf } from '../../replay/eras/parts/fold.ts'
import { changeCatalog, newKey } from '../../support/runtime.ts'
import {
  bind,
  codes,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  place,
} from '../../support/scene.ts'
import { say, scene, type Scene } from '../../support/scene.ts'

const module = `
export const backed = ({ evidence }) => ({ passed: evidence.some(({ payload }) => payload?.ok) })
`
const key = newKey()
const keys = [publicKeyOf(key)]
const signerKeys = [publicKeyOf(newKey())]
const session = 'S-2026-01-01-bot-abcdef'
const setup = {
  catalog: {
    capabilities: [erase, look],
    principals: [
      { id: 'tools', keys },
      { id: 'signer', keys: signerKeys },
    ],
    trustedEvidence: [{ sender: 'tools', for: ['backed'] }],
  },
  graph: deletion({ name: 'backed', requiresConfirmation: false, callback: 'backed' }),
  module,
}
const evidence = {
  type: 'evidence',
  receiver: 'bot',
  refers_to: 'x',
  provenance: ['system of record'],
  payload: { ok: true },
}

type Taking = (id: string) => readonly CatalogOperation[]

const bare = { roles: [], attributes: {}, keys: [], suspended: false }
const emptied: Taking = (id) => [
  { op: 'put', collection: 'principals', entry: { ...bare, id, keys: [] } },
]
const untrusted: CatalogOperation = { op: 'set', key: 'trustedEvidence', value: [] }
const trusted: CatalogOperation = {
  op: 'set',
  key: 'trustedEvidence',
  value: [{ sender: 'tools', for: ['backed'] }],
}
const removedAndPut: Taking = (id) => [
  untrusted,
  { op: 'remove', collection: 'principals', id },
  ...emptied(id),
  trusted,
]
const ways: readonly (readonly [string, Taking])[] = [
  ['is put without keys', emptied],
  ['is removed and put again', removedAndPut],
]

async function outcome(on: Scene): Promise<string> {
  return (await judged(on, { session, intent: { tool: 'erase' } })).outcome
}

describe.each(ways)('a principal that had a key and %s', (_, taken) => {
  test('gives no evidence without one', async () => {
    const on = await scene(setup)
    await say(on.log, { as: 'tools', session, message: evidence })
    expect(await outcome(on)).toBe('deny')
    await changeCatalog(on.runtime, ...taken('tools'))
    expect(await outcome(on)).toBe('deny')
    await say(on.log, { as: 'tools', session, message: evidence })
    expect(await outcome(on)).toBe('deny')
    await expectReplay(on)
  })

  test('withdraws nothing without one', async () => {
    const on = await scene({ ...setup, stages: [] })
    await changeCatalog(on.runtime, ...taken('signer'))
    const address = await say(on.log, { as: 'signer', intent: { tool: 'look' } })
    const intent = { address, agent: 'signer', session: null }
    const name = nameOf(place, 'withdrawal', address)
    const { position } = await bind(on.log, 'withdrawal', name, { intent })
    await on.runtime.follower.reached(position)
    expect(on.runtime.follower.state.intents.get(address)?.withdrawn).toBe(null)
  })

  test('is refused as a sender', async () => {
    const on = await scene(setup)
    await changeCatalog(on.runtime, ...taken('signer'))
    const denied = await judged(on, { as: 'signer', intent: { tool: 'look' } })
    expect(codes(denied)).toContain('sender_mismatch')
  })
})

test('with a key again it is believed, if it signs', async () => {
  const on = await scene(setup)
  await changeCatalog(on.runtime, ...emptied('tools'))
  const again = newKey()
  const entry = { ...bare, id: 'tools', keys: [publicKeyOf(again)] }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  await say(on.log, { as: 'tools', session, message: evidence })
  expect(await outcome(on)).toBe('deny')
  await say(on.log, { as: 'tools', session, message: evidence, privateKey: again })
  expect(await outcome(on)).toBe('allow')
})

test('a snapshot of the state keeps who had a key, and the check names who has none', async () => {
  const on = await scene(setup)
  await changeCatalog(on.runtime, ...emptied('tools'))
  const { state } = on.runtime.follower
  const back = restored(state)
  expect(textOf(back)).toBe(textOf(state))
  expect([...back.catalog.keyed.keys()]).toContain('tools')
  expect(keylessIn(back.catalog)).toEqual(['tools'])
  const flaws = checkGraph(state.graph, state.catalog, fixesOf)
  expect(flaws.find(({ code }) => code === 'keys_gone')?.where).toEqual({ principal: 'tools' })
})
