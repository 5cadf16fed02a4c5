// What was signed for another log counts for nothing here, though realm, era, keys and every name
// are the same.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { changeCatalog, newKey } from '../../support/runtime.ts'
import {
  answer,
  codes,
  deletion,
  erase,
  expectReplay,
  look,
  place,
  reviewed,
} from '../../support/scene.ts'
import { say, scene, verdict, type Scene } from '../../support/scene.ts'

const minute = 60_000
const key = newKey()
const setup = {
  catalog: {
    capabilities: [erase],
    confirmations: [{ id: 'quick', tier: 'confirm' as const, decideWithinMs: minute }],
    principals: [{ id: 'signer', roles: ['writer'], keys: [publicKeyOf(key)] }],
  },
  graph: deletion({ name: 'ask', confirmation: 'quick' }),
}
const staging = { ...setup, catalog: { ...setup.catalog, capabilities: [erase, look] } }
const same = { intent: { tool: 'erase' }, ulid: 'same' }

/** Binds in one log the bytes that another has under that name. */
async function carry(name: string, from: Scene, to: Scene): Promise<void> {
  const fact = await from.log.get(name)
  const { appended, fact: carried } = await to.log.append({
    name,
    bytes: fact?.bytes ?? Buffer.from(''),
  })
  expect(appended).toBe(true)
  await to.runtime.follower.reached(carried.position)
}

test('a decision of a staging log counts for nothing in production', async () => {
  const [from, to] = [await scene(staging), await scene(setup)]
  const address = await reviewed(from, same)
  expect(await reviewed(to, same)).toBe(address)
  await answer(from, address)
  expect((await verdict(from.log, address)).outcome).toBe('allow')
  await carry(nameOf(place, 'decision', address, 1, 'olga'), from, to)
  await to.watch.settled(to.log)
  expect(await to.log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  to.time.pass(minute + 1)
  expect(codes(await verdict(to.log, address))).toEqual(['review_expired'])
  await expectReplay(to)
})

test('a change set of a staging catalog counts for nothing in production', async () => {
  const [from, to] = [await scene(staging), await scene(setup)]
  const entry = { id: 'bot', roles: ['writer', 'admin', 'policy-admin'], keys: [], attributes: {} }
  const operation = { op: 'put', collection: 'principals' } as const
  await changeCatalog(from.runtime, { ...operation, entry: { ...entry, suspended: false } })
  expect(from.runtime.follower.state.catalog.principals.get('bot')?.roles).toContain('admin')
  await carry(nameOf(place, 'catalog', 2), from, to)
  expect(to.runtime.follower.state.catalogRevision).toBe(1)
  expect(to.runtime.follower.state.catalog.principals.get('bot')?.roles).toEqual(['writer'])
})

test('a signed message of a staging log is no one’s in production', async () => {
  const [from, to] = [await scene(staging), await scene(setup)]
  const said = { as: 'signer', ulid: 'same', intent: { tool: 'look' }, privateKey: key }
  const address = await say(from.log, said)
  expect((await verdict(from.log, address)).outcome).toBe('allow')
  await carry(nameOf(place, 'vlp', address), from, to)
  expect(codes(await verdict(to.log, address))).toContain('sender_mismatch')
})
