// What people sign with passkeys counts as what they sign with key files, whatever they do; and in
// two steps it counts for just what was signed.
import { expect, test } from 'vitest'
import { noRevocations } from '#messages/warrants/revocations'
import type { Sign } from '#record/signature'
import { change } from '#authoring/change'
import { signWith, unsignedOf } from '#client/people/signing'
import { softPasskey } from '../support/people/authenticator.ts'
import { changeCatalog, keys } from '../support/runtime.ts'
import {
  codes,
  expectReplay,
  judged,
  names,
  read,
  reviewed,
  say,
  verdict,
  type Scene,
} from '../support/scene.ts'
import { four, inTwoSteps, madeBy, passkeyScene, soft } from './passkey-scene.ts'

const erasing = { intent: { tool: 'erase' } }

function suspended(on: Scene, id: string): boolean | undefined {
  return on.runtime.follower.state.catalog.principals.get(id)?.suspended
}

test('an owner without a key file approves with a passkey, and a replay finds the same', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, erasing)
  const fact = await inTwoSteps(soft.olga, (sign) => {
    return on.bot.decide({ intent, confirmer: 'olga', answers: true, sign })
  })
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
  const { signature } = await read(on.log, 'decision', fact.name)
  expect(signature).toMatchObject({ format: 'webauthn', credential: soft.olga.passkey.id })
  await expectReplay(on)
})

test('what is prepared and not signed binds nothing', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, erasing)
  const before = await on.log.head()
  await unsignedOf((sign) => on.bot.decide({ intent, confirmer: 'olga', answers: true, sign }))
  expect((await on.log.head()).position).toBe(before.position)
})

test('two people of a group approve, each with a passkey of another algorithm', async () => {
  const on = await passkeyScene({ confirmations: [{ ...four, quorum: 2 }] })
  const intent = await reviewed(on, { intent: { tool: 'purge' } })
  for (const confirmer of ['piet', 'quin'] as const) {
    await inTwoSteps(soft[confirmer], (sign) => {
      return on.bot.decide({ intent, confirmer, answers: true, sign })
    })
  }
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
})

test('everything else that a person signs counts with a passkey, too', async () => {
  const on = await passkeyScene()
  const { runtime } = on
  await inTwoSteps(soft.root, (sign) => {
    const operations = [{ op: 'suspend' as const, id: 'piet' }]
    return change(runtime, { kind: 'catalog', operations }, { id: 'root', sign })
  })
  expect(suspended(on, 'piet')).toBe(true)
  const at = on.time.now
  await inTwoSteps(soft.root, (sign) => {
    on.time.pass(1_000)
    const operations = [{ op: 'add' as const, name: 'moon' }]
    return change(runtime, { kind: 'graph', operations }, { id: 'root', sign }, { at })
  })
  expect(runtime.follower.state.graphRevision).toBe(2)
  const { name } = await judged(on, { intent: { tool: 'look' } })
  const revocation = await inTwoSteps(soft.olga, (sign) => {
    return on.bot.revoke({ target: { verdict: name }, by: 'olga', sign, id: '01'.repeat(13) })
  })
  await runtime.follower.reached(revocation.position)
  expect(await on.runtime.log.get(revocation.name)).toBeDefined()
  expect(runtime.follower.state.revocations).not.toEqual(noRevocations)
  const asked = await reviewed(on, erasing)
  const when = 'args == args'
  const wanted = { intent: asked, confirmer: 'olga', when, uses: 1, forMs: 60_000 }
  const shown = await on.bot.grantPreview(wanted)
  await inTwoSteps(soft.olga, (sign) => on.bot.grant({ shown, sign }))
  expect((await judged(on, { ...erasing, ulid: 'later' })).outcome).toBe('allow')
})

test('what a person rules with a passkey is learnt', async () => {
  const on = await passkeyScene({
    learning: true,
    capabilities: [{ id: 'fly', safetyClass: 'READ', concepts: ['moon'] }],
    confirmations: [],
    groups: [],
  })
  await say(on.log, { intent: { tool: 'fly' } })
  await on.watch.settled(on.log)
  const [proposal] = on.bot.proposals()
  if (proposal === undefined) throw new Error('nothing is asked')
  const ruling = { proposal: proposal.id, confirmer: 'root', ruling: 'rejected' as const }
  await inTwoSteps(soft.root, (sign) => on.bot.rule({ ...ruling, sign }))
  await on.watch.settled(on.log)
  const reopening = { proposal: proposal.id, confirmer: 'root' }
  await inTwoSteps(soft.root, (sign) => on.bot.reopen({ ...reopening, sign }))
  expect(await names(on.log, 'main.1.reopening.>')).toHaveLength(1)
})

test('once the passkey is taken away, neither its answers nor its grants count any more', async () => {
  const on = await passkeyScene({ confirmations: [{ ...four, quorum: 2 }] })
  const intent = await reviewed(on, { intent: { tool: 'purge' } })
  const decide = (confirmer: 'piet' | 'quin') =>
    inTwoSteps(soft[confirmer], (sign) => {
      return on.bot.decide({ intent, confirmer, answers: true, sign })
    })
  await decide('piet')
  const piet = on.runtime.follower.state.catalog.principals.get('piet')
  if (piet === undefined) throw new Error('the catalog has no piet')
  const entry = { ...piet, passkeys: [softPasskey().passkey] }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  await decide('quin')
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.verdict.>')).toEqual([])
})

test('what changed between the two steps is not bound', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, erasing)
  const decide = (answers: boolean) => (sign: Sign) =>
    on.bot.decide({ intent, confirmer: 'olga', answers, sign })
  const unsigned = await unsignedOf(decide(true))
  const sign = signWith(unsigned, madeBy(unsigned, soft.olga))
  await expect(decide(false)(sign)).rejects.toMatchObject({ code: 'signing_changed' })
  expect(await names(on.log, 'main.1.decision.>')).toEqual([])
})

test('a signature of someone else, or made elsewhere, is not bound: verify comes first', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, erasing)
  const run = (sign: Sign) => on.bot.decide({ intent, confirmer: 'olga', answers: true, sign })
  const unsigned = await unsignedOf(run)
  for (const wrong of [
    madeBy(unsigned, soft.piet),
    madeBy(unsigned, soft.olga, { origin: 'https://evil.example.org' }),
    madeBy(unsigned, soft.olga, { flags: 1 }),
  ]) {
    await expect(run(signWith(unsigned, wrong))).rejects.toMatchObject({ code: 'decision_void' })
  }
  // The name is still free for the right one.
  await run(signWith(unsigned, madeBy(unsigned, soft.olga)))
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
})

test('without a console in the catalog no passkey counts, and no one is asked who has no more', async () => {
  const on = await passkeyScene()
  await changeCatalog(on.runtime, { op: 'set', key: 'consoles', value: [] })
  expect(codes(await judged(on, erasing))).toEqual(['no_confirmer'])
  const operations = [{ op: 'suspend' as const, id: 'piet' }]
  const run = (sign: Sign) =>
    change(on.runtime, { kind: 'catalog', operations }, { id: 'root', sign })
  const { position } = await on.log.head()
  await expect(inTwoSteps(soft.root, run)).rejects.toMatchObject({ code: 'change_void' })
  expect((await on.log.head()).position).toBe(position)
  const author = { id: 'root', privateKey: keys.root }
  await change(on.runtime, { kind: 'catalog', operations }, author)
  expect(suspended(on, 'piet')).toBe(true)
})
