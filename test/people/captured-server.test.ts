// A captured server has what people signed at it, and may bind any name: it can neither forge, nor
// widen, nor move, nor change what was signed. Each is tried on the fold itself.
import { expect, test } from 'vitest'
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { nameOf, token } from '#record/names'
import type { Sign } from '#record/signature'
import { change } from '#authoring/change'
import type { DecisionData } from '#schemas/review'
import { passkeySigner, softPasskey } from '../support/people/authenticator.ts'
import { names, place, read, reviewed, reviewOf, type Scene } from '../support/scene.ts'
import { four, inTwoSteps, passkeyScene, soft } from './passkey-scene.ts'

const purging = { intent: { tool: 'purge' } }

type Kind = 'decision' | 'grant' | 'catalog' | 'absence' | 'enrolment' | 'handover' | 'revocation'

/** Binds it under that name, as anyone who may bind it could; gives why it is void, or null. */
async function planted(on: Scene, kind: Kind, name: string, data: Json): Promise<string | null> {
  let why: string | null = null
  const stop = on.runtime.follower.listen((fact, folded) => {
    if (fact.name === name) why = folded.void
  })
  const stamp = { source: 'console/main', time: new Date(on.time.now).toISOString(), basis: 0 }
  const bytes = writeEvent(kind, name, data, stamp)
  const { fact, appended } = await on.log.append({ name, bytes })
  expect(appended).toBe(true)
  await on.runtime.follower.reached(fact.position)
  await on.watch.settled(on.log)
  stop()
  return why
}

/** A decision that piet has signed and that is not in the log yet; it says no. */
async function signedDecision(on: Scene, intent: string): Promise<DecisionData> {
  const sign = passkeySigner(soft.piet)
  const { digest, intent: ref, questions } = await reviewOf(on.log, intent)
  const review = nameOf(place, 'review', intent, 1)
  const answers = questions.map(() => false)
  const content = { answers, confirmer: 'piet', digest, intent: ref, review, note: 'no' }
  const { log } = on.runtime.follower.state
  const signature = sign({ log, name: nameFor(intent) }, jsonOf(content))
  return { ...content, signature }
}

function nameFor(intent: string, review = 1, confirmer = 'piet'): string {
  return nameOf(place, 'decision', intent, review, token(confirmer))
}

async function verdicts(on: Scene): Promise<readonly string[]> {
  return names(on.log, 'main.1.verdict.>')
}

test('what was signed counts as it is: the cases below fail for what they change', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, purging)
  await planted(on, 'decision', nameFor(intent), jsonOf(await signedDecision(on, intent)))
  const [name = ''] = await verdicts(on)
  expect((await read(on.log, 'verdict', name)).outcome).toBe('deny')
})

test.each<readonly [string, (data: DecisionData) => object]>([
  ['its answer', (data) => ({ ...data, answers: data.answers.map(() => true) })],
  ['its note', (data) => ({ ...data, note: 'yes, of course' })],
  ['what was shown', (data) => ({ ...data, shown: { digest: data.digest, language: 'en' } })],
  ['in whose place it is', (data) => ({ ...data, for: 'quin' })],
  ['what it answers', (data) => ({ ...data, digest: `sha256:${'0'.repeat(64)}` })],
  ['the signature away', (data) => ({ ...data, signature: undefined })],
])('a server that changes %s has changed it into nothing', async (_, changed) => {
  const on = await passkeyScene()
  const intent = await reviewed(on, purging)
  const data = changed(await signedDecision(on, intent))
  await planted(on, 'decision', nameFor(intent), jsonOf(data))
  expect(await verdicts(on)).toEqual([])
})

test('a server cannot use it for another intent, person or review', async () => {
  const on = await passkeyScene({ confirmations: [{ ...four, quorum: 2 }] })
  const [intent, other] = [await reviewed(on, purging), await reviewed(on, purging)]
  const yes = async (sign: Sign) =>
    on.bot.decide({ intent, confirmer: 'piet', answers: true, sign })
  const { name } = await inTwoSteps(soft.piet, yes)
  const data = await read(on.log, 'decision', name)
  const there = await reviewOf(on.log, other)
  const moved = { ...data, intent: there.intent, review: nameOf(place, 'review', other, 1) }
  await planted(on, 'decision', nameFor(other), jsonOf({ ...moved, digest: there.digest }))
  await planted(on, 'decision', nameFor(intent, 1, 'quin'), jsonOf({ ...data, confirmer: 'quin' }))
  await planted(on, 'decision', nameFor(intent, 2), jsonOf(data))
  expect(await verdicts(on)).toEqual([])
})

test('a server cannot use it in another log, though all its names are the same there', async () => {
  const said = { ...purging, ulid: 'same' }
  const on = await passkeyScene()
  const foreign = await passkeyScene({ learning: true })
  const intent = await reviewed(on, said)
  expect(await reviewed(foreign, said)).toBe(intent)
  const data = await signedDecision(on, intent)
  const { digest } = await reviewOf(foreign.log, intent)
  await planted(foreign, 'decision', nameFor(intent), jsonOf({ ...data, digest }))
  expect(await verdicts(foreign)).toEqual([])
})

test('a server with a key of its own answers for no one', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, purging)
  const data = await signedDecision(on, intent)
  const { signature: _, ...content } = { ...data, answers: data.answers.map(() => true) }
  const { log } = on.runtime.follower.state
  const own = softPasskey(-7)
  const claimed = { ...own, passkey: { ...own.passkey, id: soft.piet.passkey.id } }
  for (const [confirmer, by] of [
    ['piet', claimed],
    ['quin', own],
  ] as const) {
    const name = nameFor(intent, 1, confirmer)
    const signature = passkeySigner(by)({ log, name }, jsonOf({ ...content, confirmer }))
    await planted(on, 'decision', name, jsonOf({ ...content, confirmer, signature }))
  }
  expect(await verdicts(on)).toEqual([])
})

test('a server cannot widen a grant: scope, uses, end and budget are signed', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, purging)
  const wanted = { intent, confirmer: 'piet', when: 'false', uses: 1, forMs: 60_000 }
  const { grant } = await on.bot.grantPreview(wanted)
  const { log } = on.runtime.follower.state
  const later = new Date(Date.parse(grant.until) + 60_000).toISOString()
  const wider = [
    { when: 'true' },
    { uses: 1_000 },
    { until: later },
    { agents: [...grant.agents, 'honest'] },
    { perCell: true },
  ]
  for (const [index, change] of wider.entries()) {
    const name = nameOf(place, 'grant', `G${index}`, token('piet'))
    const signature = passkeySigner(soft.piet)({ log, name }, jsonOf(grant))
    const why = await planted(on, 'grant', name, jsonOf({ ...grant, ...change, signature }))
    expect(why).toBe('no key of this person in the catalog signed it')
  }
  const name = nameOf(place, 'grant', 'G9', token('piet'))
  const signature = passkeySigner(soft.piet)({ log, name }, jsonOf(grant))
  expect(await planted(on, 'grant', name, jsonOf({ ...grant, signature }))).toBeNull()
})

test('a server makes no use of a grant a second time', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, purging)
  const wanted = { intent, confirmer: 'piet', when: 'true', uses: 1, forMs: 60_000 }
  const shown = await on.bot.grantPreview(wanted)
  const { name } = await inTwoSteps(soft.piet, (sign) => on.bot.grant({ shown, sign }))
  const data = await read(on.log, 'grant', name)
  const again = nameOf(place, 'grant', 'AGAIN', token('piet'))
  expect(await planted(on, 'grant', again, jsonOf(data))).not.toBeNull()
})

test('a server cannot use what an administrator signed for another change', async () => {
  const on = await passkeyScene()
  const run = (sign: Sign) => {
    const operations = [{ op: 'suspend' as const, id: 'quin' }]
    return change(on.runtime, { kind: 'catalog', operations }, { id: 'root', sign })
  }
  const { name, revision } = await inTwoSteps(soft.root, run)
  const data = await read(on.log, 'catalog', name)
  const next = nameOf(place, 'catalog', revision + 1)
  const lifted = { ...data, revision: revision + 1, operations: [{ op: 'unsuspend', id: 'quin' }] }
  expect(await planted(on, 'catalog', next, jsonOf(lifted))).not.toBeNull()
  expect(on.runtime.follower.state.catalog.principals.get('quin')?.suspended).toBe(true)
})

test('a server can neither enrol a browser, nor send anyone away, nor hand anything over', async () => {
  const on = await passkeyScene()
  const intent = await reviewed(on, purging)
  const own = softPasskey(-7)
  const by = { ...own, passkey: { ...own.passkey, id: soft.piet.passkey.id } }
  const { log } = on.runtime.follower.state
  const until = new Date(on.time.now + 60_000).toISOString()
  const { intent: ref } = await reviewOf(on.log, intent)
  const review = nameOf(place, 'review', intent, 1)
  const key = `ed25519:${'A'.repeat(43)}`
  const words: readonly (readonly [Kind, string, object])[] = [
    ['enrolment', nameOf(place, 'enrolment', 'piet', 'E'), { confirmer: 'piet', key, until }],
    [
      'absence',
      nameOf(place, 'absence', 'piet', 'A'),
      { confirmer: 'piet', deputy: 'quin', until },
    ],
    [
      'handover',
      nameOf(place, 'handover', intent, 1, 'piet'),
      { intent: ref, review, confirmer: 'piet', to: 'quin' },
    ],
  ]
  for (const [kind, name, content] of words) {
    const signature = passkeySigner(by)({ log, name }, jsonOf(content))
    const why = await planted(on, kind, name, jsonOf({ ...content, signature }))
    expect(why).toContain('in the catalog signed it')
  }
})
