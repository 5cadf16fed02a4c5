// What a confirmation demands of the answers that count: what they are signed with, a reason,
// different servers; and who may answer in whose place.
import { expect, test } from 'vitest'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import type { Sign } from '#record/signature'
import { type Answer, enrolBrowser, handOver, noteDown, sayAbsent } from '#client/people/decide'
import type { Confirmation } from '#schemas/catalog'
import type { z } from 'zod'
import { otherConsole, softPasskey } from '../support/people/authenticator.ts'
import { changeCatalog, keys, newKey } from '../support/runtime.ts'
import {
  codes,
  expectReplay,
  judged,
  names,
  read,
  reviewed,
  verdict,
  type Scene,
  say,
} from '../support/scene.ts'
import { four, inTwoSteps, passkeyScene, soft, madeBy } from './passkey-scene.ts'
import { noRevocations } from '#messages/warrants/revocations'
import { change } from '#authoring/change'
import { signWith, unsignedOf } from '#client/people/signing'

const purging = { intent: { tool: 'purge' } }
const day = 24 * 3_600_000

type Asked = Omit<z.input<typeof Confirmation>, keyof typeof four>

async function asking(more: Asked): Promise<{ readonly on: Scene; readonly intent: string }> {
  const on = await passkeyScene({ confirmations: [{ ...four, ...more }] })
  return { on, intent: await reviewed(on, purging) }
}

type Person = 'piet' | 'quin'
type Said = Partial<Pick<Answer, 'answers' | 'note' | 'for'>>

/** By passkey, at the usual console unless another is given. */
function answer(on: Scene, intent: string, by: Person, said: Said = {}, ceremony = {}) {
  const run = (sign: Sign) => on.bot.decide({ intent, confirmer: by, answers: true, ...said, sign })
  return inTwoSteps(soft[by], run, ceremony)
}

async function withKeyFile(on: Scene, id: Person): Promise<void> {
  const found = on.runtime.follower.state.catalog.principals.get(id)
  if (found === undefined) throw new Error(`no ${id}`)
  const entry = { ...found, keys: [publicKeyOf(keys[id])] }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
}

function voided(why: string) {
  return { code: 'decision_void', message: expect.stringContaining(why) }
}

test('where a passkey is demanded, a key file decides nothing', async () => {
  const { on, intent } = await asking({ signedWith: 'passkey' })
  await withKeyFile(on, 'piet')
  const file = { intent, confirmer: 'piet', answers: true, privateKey: keys.piet }
  await expect(on.bot.decide(file)).rejects.toMatchObject(voided('it takes a passkey'))
  await answer(on, intent, 'piet')
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
  await expectReplay(on)
})

test('where a passkey is demanded, no one is asked who has none', async () => {
  const { on } = await asking({ signedWith: 'passkey' })
  for (const id of ['piet', 'quin'] as const) {
    const entry = { id, roles: [], attributes: {}, keys: [publicKeyOf(keys[id])], suspended: false }
    await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  }
  expect(codes(await judged(on, purging))).toEqual(['no_confirmer'])
})

test.each([
  ['decline', false, true],
  ['decline', true, false],
  ['always', true, true],
] as const)(
  'with a reason demanded as %s, %s without one is refused: %s',
  async (reason, answers, refused) => {
    const { on, intent } = await asking({ reason })
    const said = answer(on, intent, 'piet', { answers })
    if (refused) await expect(said).rejects.toMatchObject(voided('it gives no reason'))
    else await said
    if (!refused) return
    await expect(answer(on, intent, 'piet', { answers, note: ' ' })).rejects.toMatchObject(
      voided('reason'),
    )
    await answer(on, intent, 'piet', { answers, note: 'as agreed' })
    expect((await verdict(on.log, intent)).outcome).toBe(answers ? 'allow' : 'deny')
  },
)

test('with different servers demanded, two answers through one console are one', async () => {
  const { on, intent } = await asking({ differentServers: true, quorum: 2 })
  await answer(on, intent, 'piet')
  const again = answer(on, intent, 'quin')
  await expect(again).rejects.toMatchObject(voided('through the same server'))
  await answer(on, intent, 'quin', {}, { at: otherConsole })
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
  await expectReplay(on)
})

test('a key file is a server of its own', async () => {
  const { on, intent } = await asking({ differentServers: true, quorum: 2 })
  await withKeyFile(on, 'quin')
  await answer(on, intent, 'piet')
  await on.bot.decide({ intent, confirmer: 'quin', answers: true, privateKey: keys.quin })
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
})

const browser = newKey()

async function enrolled(on: Scene, until = on.time.now + day) {
  const key = publicKeyOf(browser)
  return inTwoSteps(soft.piet, (sign) => {
    return enrolBrowser(on.runtime, { confirmer: 'piet', key, until, sign, id: 'E1' })
  })
}

const byBrowser: Sign = (of, data) => signData(of, data, browser)

test('the key of a browser counts where it is admitted, and nowhere else', async () => {
  const { on, intent } = await asking({ signedWith: 'browser' })
  const decide = () => on.bot.decide({ intent, confirmer: 'piet', answers: true, sign: byBrowser })
  await expect(decide()).rejects.toMatchObject(voided('no key of this person'))
  await enrolled(on)
  await decide()
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
  await expectReplay(on)
  const other = await asking({})
  await enrolled(other.on)
  const of = { intent: other.intent, confirmer: 'piet', answers: true, sign: byBrowser }
  await expect(other.on.bot.decide(of)).rejects.toMatchObject(voided('the key of a browser'))
})

test('the key of a browser signs nothing but decisions', async () => {
  const { on, intent } = await asking({ signedWith: 'browser' })
  await enrolled(on)
  const said = { confirmer: 'piet', sign: byBrowser }
  const none = { code: 'word_void', message: expect.stringContaining('no key of this person') }
  await expect(handOver(on.runtime, { ...said, intent, to: 'quin' })).rejects.toMatchObject(none)
  const away = { ...said, deputy: 'olga', until: on.time.now + day }
  await expect(sayAbsent(on.runtime, away)).rejects.toMatchObject(none)
  const shown = await on.bot.grantPreview({
    intent,
    confirmer: 'piet',
    when: 'true',
    uses: 1,
    forMs: day,
  })
  await expect(on.bot.grant({ shown, sign: byBrowser })).rejects.toMatchObject({
    code: 'grant_void',
  })
})

test('it ends, at the latest with the passkey that enrolled it', async () => {
  const { on, intent } = await asking({ signedWith: 'browser', decideWithinMs: 30 * day })
  await expect(enrolled(on, on.time.now + 7 * day + 1)).rejects.toMatchObject({ code: 'word_void' })
  await enrolled(on, on.time.now + 7 * day)
  const decide = () => on.bot.decide({ intent, confirmer: 'piet', answers: true, sign: byBrowser })
  on.time.pass(7 * day + 1)
  await expect(decide()).rejects.toMatchObject(voided('no key of this person'))
})

test('an enrolment that a key file signed is not one', async () => {
  const { on } = await asking({ signedWith: 'browser' })
  await withKeyFile(on, 'piet')
  const sign: Sign = (of, data) => signData(of, data, keys.piet)
  const wanted = { confirmer: 'piet', key: publicKeyOf(browser), until: on.time.now + day, sign }
  await expect(enrolBrowser(on.runtime, wanted)).rejects.toMatchObject({ code: 'word_void' })
})

async function away(on: Scene, deputy = 'quin'): Promise<void> {
  const until = on.time.now + day
  await inTwoSteps(soft.piet, (sign) => {
    return sayAbsent(on.runtime, { confirmer: 'piet', deputy, until, sign, id: 'A1' })
  })
}

const alone = { groups: [{ id: 'people', members: ['piet'] }] }

test('a deputy answers for who is away, and the verdict says for whom', async () => {
  const on = await passkeyScene({ ...alone, confirmations: [{ ...four, deputies: true }] })
  const intent = await reviewed(on, purging)
  const inPlace = () => answer(on, intent, 'quin', { for: 'piet' })
  await expect(inPlace()).rejects.toMatchObject(voided('not the deputy of piet'))
  await away(on)
  await expect(answer(on, intent, 'quin')).rejects.toMatchObject(voided('may not answer'))
  await inPlace()
  const found = await verdict(on.log, intent)
  expect(found.outcome).toBe('allow')
  const { release } = await read(on.log, 'verdict', found.name)
  expect(release).toMatchObject({ confirmedBy: ['piet'], deputies: [{ by: 'quin', for: 'piet' }] })
  expect(JSON.stringify(await on.bot.read('trace', { intent }))).toContain('`quin` for `piet`')
  await expectReplay(on)
})

test('a deputy answers nothing once the person is back, or the absence has ended', async () => {
  const on = await passkeyScene({
    ...alone,
    confirmations: [{ ...four, deputies: true, decideWithinMs: 9 * day }],
  })
  const intent = await reviewed(on, purging)
  const inPlace = () => answer(on, intent, 'quin', { for: 'piet' })
  await away(on)
  on.time.pass(day + 1)
  await expect(inPlace()).rejects.toMatchObject(voided('not the deputy'))
  await inTwoSteps(soft.piet, (sign) => {
    const until = on.time.now + day
    return sayAbsent(on.runtime, { confirmer: 'piet', deputy: 'quin', until, sign, id: 'A2' })
  })
  const back = { confirmer: 'piet', deputy: null, until: null, id: 'A3' }
  await inTwoSteps(soft.piet, (sign) => sayAbsent(on.runtime, { ...back, sign }))
  await expect(inPlace()).rejects.toMatchObject(voided('not the deputy'))
})

test('a deputy is never of the side that asks, and one person answers once', async () => {
  const of = { confirmations: [{ ...four, deputies: true as const, quorum: 2 }] }
  const on = await passkeyScene(of)
  const intent = await reviewed(on, purging)
  await away(on, 'olga')
  const owner = inTwoSteps(soft.olga, (sign) => {
    return on.bot.decide({ intent, confirmer: 'olga', for: 'piet', answers: true, sign })
  })
  await expect(owner).rejects.toMatchObject(voided('on the side of who asks'))
  await inTwoSteps(soft.piet, (sign) => {
    const until = on.time.now + day
    return sayAbsent(on.runtime, { confirmer: 'piet', deputy: 'quin', until, sign, id: 'A2' })
  })
  await answer(on, intent, 'quin', { for: 'piet' })
  await expect(answer(on, intent, 'quin')).rejects.toMatchObject({ code: 'decided' })
  await expect(answer(on, intent, 'piet')).rejects.toMatchObject(voided('has answered already'))
})

test('without a confirmation that admits deputies none answers', async () => {
  const on = await passkeyScene(alone)
  const intent = await reviewed(on, purging)
  await away(on)
  const inPlace = answer(on, intent, 'quin', { for: 'piet' })
  await expect(inPlace).rejects.toMatchObject(voided('no deputy may answer it'))
})

test.each([
  ['oneself', 'piet'],
  ['an agent', 'bot'],
  ['someone unknown', 'ghost'],
])('%s is no deputy', async (_, deputy) => {
  const on = await passkeyScene(alone)
  await expect(away(on, deputy)).rejects.toMatchObject({ code: 'word_void' })
})

test('a review is handed to another who may answer it, and to no one else', async () => {
  const { on, intent } = await asking({})
  const hand = (to: string) =>
    inTwoSteps(soft.piet, (sign) => handOver(on.runtime, { intent, confirmer: 'piet', to, sign }))
  for (const to of ['olga', 'root', 'ghost', 'piet']) {
    await expect(hand(to)).rejects.toMatchObject({ code: 'word_void' })
  }
  await hand('quin')
  const { handovers } = on.runtime.follower.state.intents.get(intent) ?? {}
  expect(handovers).toMatchObject([{ from: 'piet', to: 'quin' }])
  // It takes nothing from who handed it over.
  await answer(on, intent, 'piet')
  expect((await verdict(on.log, intent)).outcome).toBe('allow')
  expect(JSON.stringify(await on.bot.read('trace', { intent }))).toContain('asks `quin` to look')
})

test('a note is signed by its author, and about what is there', async () => {
  const { on, intent } = await asking({})
  const note = (about: { readonly intent: string } | { readonly position: number }) =>
    inTwoSteps(soft.quin, (sign) => {
      return noteDown(on.runtime, { by: 'quin', about, text: 'looked at', sign, id: 'N1' })
    })
  await note({ intent })
  await expect(note({ position: 9_999 })).rejects.toMatchObject({ code: 'word_void' })
  const [name = ''] = await names(on.log, 'main.1.note.>')
  expect(await read(on.log, 'note', name)).toMatchObject({ by: 'quin', about: { intent } })
})

// What people sign with passkeys counts as what they sign with key files, whatever they do; and in
// two steps it counts for just what was signed.

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
