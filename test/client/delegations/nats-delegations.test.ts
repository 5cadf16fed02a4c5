// A delegation on a real server: who lets another act and who acts are users of their own, which
// read nothing but their own, and every stage is another user with its own permissions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { publicKeyOf } from '#record/crypto/private-key'
import { replay } from '#replay/replay'
import { decide } from '#client/people/decide'
import { stages } from '#workers/stages'
import type { Warrant } from '#client/warrant'
import type { Runtime } from '#runtime/engine/runtime'
import { newKey } from '../../support/runtime.ts'
import { canStartNats } from '../../support/servers/nats-server.ts'
import {
  agentsSetup,
  confirmerKey,
  deploy,
  startStages,
  type Deployment,
} from '../nats-client-scene.ts'

const plannerKey = newKey()
const { principals } = agentsSetup.catalog
const setup = {
  ...agentsSetup,
  catalog: {
    ...agentsSetup.catalog,
    rules: newestRules,
    principals: principals.map((one) =>
      one.id === 'other' ? { ...one, keys: [publicKeyOf(plannerKey)] } : one,
    ),
  },
}
const hour = 3_600_000
const cause = (of: string) => [{ code: 'delegation_refused', params: { cause: of } }]

describe.skipIf(!canStartNats)('a delegation between two users of a server', () => {
  let on: Deployment
  let running: readonly Runtime[]
  let planner: Warrant
  let reader: Warrant
  beforeAll(async () => {
    on = await deploy('roles', setup)
    running = await startStages(on)
    const logId = running[0]?.follower.state.log ?? ''
    planner = await on.client('other', { reads: 'own', privateKey: plannerKey, logId })
    reader = await on.client('agent', { reads: 'own' })
  })
  afterAll(() => on.dispose())

  /** A session in which the planner lets the reader look and erase, within four rows. */
  async function delegated(capabilities: readonly string[] = ['look', 'erase']) {
    const session = planner.session()
    const until = Date.now() + hour
    const of = { session, to: 'agent', capabilities, until, constraints: { max_rows: 4 } }
    const { name } = await planner.delegate(of)
    return { session, delegation: name, own: reader.session(session.id) }
  }

  test('has the call judged by the rights of both', async () => {
    const { delegation, own } = await delegated()
    const verdict = await reader.ask({ tool: 'look', delegation }, { session: own })
    expect(verdict).toMatchObject({
      outcome: 'allow',
      terms: { chain: ['other', 'agent'], constraints: { max_rows: 4 } },
    })
    const ran = reader.guard('look', (_: object, constraints) => constraints)
    expect(await ran({ a: 1 }, { delegation, session: own })).toMatchObject({ max_rows: 4 })
  })

  test('covers what it names, in its session, until it is taken back', async () => {
    const { session, delegation, own } = await delegated(['look'])
    const erasing = await reader.ask({ tool: 'erase', delegation }, { session: own })
    expect(erasing.reasons).toMatchObject(cause('capability'))
    const elsewhere = await reader.ask({ tool: 'look', delegation }, { session: reader.session() })
    expect(elsewhere.reasons).toMatchObject(cause('other_session'))
    await planner.undelegate(delegation, { session })
    const late = await reader.ask({ tool: 'look', delegation }, { session: own })
    expect(late.reasons).toMatchObject(cause('withdrawn'))
  })

  test('is signed for by people, for whom the chain is shown', async () => {
    const { delegation, own } = await delegated()
    const confirmer = await on.run('confirmer', [])
    const seen: string[] = []
    const asked = reader.ask(
      { tool: 'erase', delegation, justification: 'the customer asked for it' },
      { session: own, onReview: (_, intent) => seen.push(intent) > 0 },
    )
    await expect.poll(() => seen).toHaveLength(1)
    const intent = seen[0] ?? ''
    await expect.poll(() => confirmer.follower.state.intents.get(intent)?.review).toBeTruthy()
    await decide(confirmer, {
      intent,
      confirmer: 'confirmer',
      privateKey: confirmerKey,
      answers: true,
    })
    expect(await asked).toMatchObject({
      outcome: 'allow',
      confirmedBy: ['confirmer'],
      terms: { chain: ['other', 'agent'] },
    })
  })

  test('cannot be written by the reader for the planner', async () => {
    const liar = await on.client('agent', { as: 'other', reads: 'own' })
    const session = liar.session('S-liar')
    const forged = { session, to: 'agent', capabilities: ['erase'], until: Date.now() + hour }
    await expect(liar.delegate(forged)).rejects.toMatchObject({ code: 'not_permitted' })
    const own = reader.session(session.id)
    const to = { session: own, to: 'agent', capabilities: ['erase'], until: Date.now() + hour }
    const { name: delegation } = await reader.delegate(to)
    const verdict = await reader.ask({ tool: 'look', delegation }, { session: own })
    expect(verdict.reasons).toMatchObject([{ code: 'delegation_refused' }])
  })

  test('goes on in the next era, and replay derives all of it again', async () => {
    const { delegation, own } = await delegated()
    await on.turn()
    const verdict = await reader.ask({ tool: 'look', delegation }, { session: own })
    expect(verdict).toMatchObject({ outcome: 'allow', terms: { chain: ['other', 'agent'] } })
    const { log, place, callbacks } = await on.run('auditor', [])
    expect(await replay({ log, place, callbacks, rootKey: null, stages })).toMatchObject({
      differences: 0,
    })
  })
})
