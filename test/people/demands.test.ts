// What a confirmation demands of the answers that count: what they are signed with, a reason,
// different servers; and who may answer in whose place.
import { expect, test } from 'vitest'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import type { Sign } from '#record/signature'
import type { Answer } from '#client/people/decide'
import { enrolBrowser, handOver, noteDown, sayAbsent } from '#client/people/words'
import type { Confirmation } from '#schemas/catalog'
import type { z } from 'zod'
import { otherConsole } from '../support/people/authenticator.ts'
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
} from '../support/scene.ts'
import { four, inTwoSteps, passkeyScene, soft } from './passkey-scene.ts'

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
