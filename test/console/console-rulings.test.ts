// What an author answers at the console, and what an operator tries again: a ruling is signed as it
// was shown, and a retry is one more derivation by the same rules.
import { describe, expect, test } from 'vitest'
import { find } from '#knowledge/graph/revision'
import { assert, Fault } from '#record/fault'
import { nameOf } from '#record/names'
import { Prepared } from '#schemas/console/authoring'
import { operations } from '#schemas/operations/table'
import { outputOf } from '#schemas/operations/table'
import { RetryAnswer } from '#schemas/console/operating'
import { ReleasedHeld } from '#schemas/console/turned'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { breaking } from '../support/faulty-log.ts'
import { filling, folded, proposals, ruled } from '../support/learning-scene.ts'
import { bound, expectReplay, look, place, say, scene, verdict } from '../support/scene.ts'
import {
  consoleScene,
  servedOn,
  signedBy,
  signedInByLink,
  signedInByPasskey,
  type AtBrowser,
  type ConsoleScene,
} from './console-scene.ts'

const learning = {
  learning: true,
  capabilities: [
    { ...look, id: 'launch', concepts: ['moon'] },
    { ...look, id: 'land', concepts: ['mars'] },
  ],
}

interface Asked {
  readonly scene: ConsoleScene
  readonly root: AtBrowser
  /** The intent that waits for the first question. */
  readonly held: string
}

/** Two questions that wait for an author, who looks at them. */
async function asked(): Promise<Asked> {
  const of = await consoleScene(learning)
  const held = await say(of.on.log, { intent: { tool: 'launch', args: {}, onGap: 'learn' } })
  await proposals(of.on, 1)
  await say(of.on.log, { intent: { tool: 'land', args: {}, onGap: 'learn' } })
  await proposals(of.on, 2)
  return { scene: of, root: await signedInByPasskey(of, 'root'), held }
}

async function questions(browser: AtBrowser) {
  const { rows: all } = operations.proposals.output.parse(await browser.get('proposals'))
  const [first, second] = all
  assert(first !== undefined && second !== undefined, 'two are open')
  return { first, second }
}

type Question = Awaited<ReturnType<typeof questions>>['first']

/** What makes known what is asked, and resumes what waits for it. */
function answering({ data, releases }: Question) {
  return {
    ruling: 'modified',
    digest: data.digest,
    candidate: filling(data.template),
    releases: releases.map((one) => {
      const { intent, digest } = ReleasedHeld.parse(one)
      return { intent, digest }
    }),
  }
}

const preparedAt = async (browser: AtBrowser, proposal: string, body: object) =>
  Prepared.parse(await browser.get('rulingPrepare', { params: { proposal }, body })).toSign

describe('a ruling', () => {
  test('is signed by the passkey, makes known what is asked, and resumes what waits', async () => {
    const { scene: of, root, held } = await asked()
    const { first } = await questions(root)
    const body = answering(first)
    expect(body.releases.map(({ intent }) => intent)).toEqual([held])
    const toSign = await preparedAt(root, first.proposal, body)
    expect(toSign.data).toMatchObject({ ...body, confirmer: 'root', proposal: first.name })
    const params = { proposal: first.proposal }
    const signed = signedBy('root', toSign)
    await root.get('rulingSubmit', { params, body: { ...body, signed } })
    const { state } = of.on.runtime.follower
    await folded(of.on, () => find(state.graph, 'moon') !== undefined)
    expect(await verdict(of.on.log, held)).toMatchObject({ outcome: 'allow' })
    const { rows: left } = operations.proposals.output.parse(await root.get('proposals'))
    expect(left.map(({ state }) => state)).toEqual(['open'])
    await expectReplay(of.on)
  })

  test('cannot be made, changed or moved by who holds the server', async () => {
    const { scene: of, root } = await asked()
    const { first, second } = await questions(root)
    const body = { ruling: 'rejected', digest: first.data.digest }
    const toSign = await preparedAt(root, first.proposal, body)
    const signed = signedBy('root', toSign)
    const facts = (await of.on.facts()).length
    const tries = [
      [first.proposal, answering(first), signed, '409 signing_changed'],
      [first.proposal, { ...body, note: 'and this' }, signed, '409 signing_changed'],
      [second.proposal, { ...body, digest: second.data.digest }, signed, '409 signing_changed'],
      [first.proposal, body, signedBy('piet', toSign), '422 signature_needed'],
      [first.proposal, body, signedBy('root', toSign, { flags: 0 }), '422 signature_needed'],
    ] as const
    for (const [proposal, sent, by, expected] of tries) {
      const sending = { params: { proposal }, body: { ...sent, signed: by } }
      expect(await root.refused('rulingSubmit', sending)).toBe(expected)
    }
    expect((await of.on.facts()).length).toBe(facts)
    const params = { proposal: first.proposal }
    await root.get('rulingSubmit', { params, body: { ...body, signed } })
    expect(find(of.on.runtime.follower.state.graph, 'moon')).toBeUndefined()
  })

  test('that came second is refused, and so is one about what is not open', async () => {
    const { scene: of, root } = await asked()
    const { first } = await questions(root)
    const body = { ruling: 'skipped', digest: first.data.digest }
    const toSign = await preparedAt(root, first.proposal, body)
    await ruled(of.on, first.proposal, { ruling: 'rejected' })
    const { learning: known } = of.on.runtime.follower.state
    await folded(of.on, () => !known.open.has(first.proposal))
    const late = {
      params: { proposal: first.proposal },
      body: { ...body, signed: signedBy('root', toSign) },
    }
    expect(await root.refused('rulingSubmit', late)).toBe('409 ruled')
    expect(await root.refused('rulingPrepare', { params: late.params, body })).toBe('409 ruled')
    const nowhere = { params: { proposal: 'none' }, body }
    expect(await root.refused('rulingPrepare', nowhere)).toBe('409 no_proposal')
  })
})

describe('a job that was set aside', () => {
  test('is tried again by an operator, once, and its intent gets its verdict', async () => {
    const breakage = { error: new Fault('name_spent', 'it cannot be bound'), tries: 0 }
    const on = await scene({
      stages: [grounding, breaking(policy, breakage)],
      catalog: { capabilities: [look] },
    })
    const of = { on, serving: await servedOn(on) }
    const intent = await say(on.log, { intent: { tool: 'look' } })
    const job = await bound(on.log, nameOf(place, 'grounding', intent, 1))
    const { name, position } = await bound(
      on.log,
      nameOf(place, 'fault', 'policy', `${job.position}`),
    )
    const root = await signedInByLink(of, 'root')
    const listed = async () => outputOf('faults').parse(await root.get('faults')).rows
    await on.runtime.follower.reached(position)
    expect(await listed()).toMatchObject([
      { name, intent, queue: 'policy', code: 'name_spent', open: true },
    ])
    const retry = async () => {
      const came = await root.get('faultRetry', { body: { name } })
      return RetryAnswer.parse(came).outcome
    }
    expect(await retry()).toBe('done')
    expect(await verdict(on.log, intent)).toMatchObject({ outcome: 'allow' })
    expect(await listed()).toMatchObject([{ name, open: false }])
    const facts = (await on.facts()).length
    expect(await retry()).toBe('nothing_to_do')
    expect((await on.facts()).length).toBe(facts)
    const unknown = { body: { name: nameOf(place, 'fault', 'policy', '99') } }
    expect(await root.refused('faultRetry', unknown)).toBe('404 no_fault')
    await expectReplay(on)
  })

  test('stays set aside where it fails again', async () => {
    const breakage = { error: new Fault('name_spent', 'it cannot be bound'), tries: 0 }
    const on = await scene({
      stages: [breaking(grounding, breakage)],
      catalog: { capabilities: [look] },
    })
    const of = { on, serving: await servedOn(on) }
    const intent = await say(on.log, { intent: { tool: 'look' } })
    const job = await bound(on.log, nameOf(place, 'vlp', intent))
    const { name, position } = await bound(
      on.log,
      nameOf(place, 'fault', 'grounding', `${job.position}`),
    )
    await on.log.append({ name: nameOf(place, 'grounding', intent, 1), bytes: Buffer.from('junk') })
    await on.runtime.follower.reached(position + 1)
    const root = await signedInByLink(of, 'root')
    const came = await root.get('faultRetry', { body: { name } })
    expect(RetryAnswer.parse(came).outcome).toBe('failed_again')
    const { rows } = outputOf('faults').parse(await root.get('faults'))
    expect(rows).toMatchObject([{ name, open: true }])
  })
})
