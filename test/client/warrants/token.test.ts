// A program signs tokens for what it has derived itself, and they are the same in every program
// that mints them.
import { expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { jwksOf, thumbprintOf } from '#messages/warrants/jwk'
import { verifyToken } from '#messages/warrants/verify'
import { Principal } from '#schemas/catalog'
import { testKey } from '#testing/setup'
import { connect } from '#client/connect'
import { changeCatalog, keys } from '../../support/runtime.ts'
import { bind, judged, look, names, place, say, scene } from '../../support/scene.ts'
import { nameOf } from '#record/names'

const gate = testKey('gate')
const botKey = testKey('bot')
const issuer = { id: 'gate', privateKey: gate }
const setup = {
  catalog: {
    capabilities: [look],
    principals: [{ id: 'gate', roles: ['issuer'], keys: [publicKeyOf(gate)] }],
  },
}

test('the token of a verdict is the same now and after the catalog has changed', async () => {
  const on = await scene(setup)
  const client = await connect({ runtime: on.runtime, issuer })
  const { intent } = await judged(on, { intent: { tool: 'look' } })
  const token = await client.token(intent)
  const roles = ['writer']
  const keyed = Principal.parse({ id: 'bot', roles, owner: 'olga', keys: [publicKeyOf(botKey)] })
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry: keyed })
  expect(await client.token(intent)).toBe(token)
  const other = await scene(setup, on)
  const next = await connect({ runtime: other.runtime, issuer })
  expect(await next.token(intent)).toBe(token)
  const { catalog } = on.runtime.follower.state
  const given = { token, jwks: jwksOf(catalog), audience: 'warrant:main', now: on.time.clock.now() }
  expect(verifyToken(given)).toMatchObject({ ok: true, jkt: null, claims: { sub: 'bot' } })
  expect(thumbprintOf(publicKeyOf(gate))).toBe(jwksOf(catalog).keys[0]?.kid)
  await client.close()
  await next.close()
})

test('a verdict that no stage would have bound is signed for by no one', async () => {
  const on = await scene({ ...setup, stages: [] })
  const client = await connect({ runtime: on.runtime, issuer })
  const real = await scene(setup)
  const { name } = await judged(real, { intent: { tool: 'look' } })
  const address = await say(on.log, { intent: { tool: 'look' } })
  const fact = await real.log.get(name)
  const { data } = JSON.parse(Buffer.from(fact?.bytes ?? []).toString())
  const forged = { ...data, intent: { ...data.intent, address } }
  await bind(on.log, 'verdict', nameOf(place, 'verdict', address), forged)
  await on.runtime.follower.reached((await on.log.head()).position)
  await expect(client.token(address)).rejects.toMatchObject({ code: 'verdict_not_derived' })
  await client.close()
})

test('it takes an issuer of the catalog with one of its keys, and a verdict that allows', async () => {
  const on = await scene(setup)
  const { intent } = await judged(on, { intent: { tool: 'look' } })
  const denied = await judged(on, { intent: { tool: 'nowhere' } })
  const open = await say(on.log, { intent: { tool: 'look' } })
  for (const [given, address, code] of [
    [undefined, intent, 'issuer_missing'],
    [{ id: 'gate', privateKey: keys.olga }, intent, 'issuer_unknown'],
    [{ id: 'olga', privateKey: keys.olga }, intent, 'issuer_unknown'],
    [issuer, denied.intent, 'no_warrant'],
    [issuer, 'bot.-.nowhere', 'not_decided'],
  ] as const) {
    const client = await connect({ runtime: on.runtime, ...(given && { issuer: given }) })
    await expect(client.token(address)).rejects.toMatchObject({ code })
    await client.close()
  }
  await changeCatalog(on.runtime, { op: 'suspend', id: 'gate' })
  const client = await connect({ runtime: on.runtime, issuer })
  await expect(client.token(intent)).rejects.toMatchObject({ code: 'issuer_unknown' })
  await client.close()
  expect(open).toMatch(/^bot/)
  expect(await names(on.log, 'main.1.start.>')).toEqual([])
})
