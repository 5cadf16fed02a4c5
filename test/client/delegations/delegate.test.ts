// A program that lets another act for it, and one that does: what it is given, and what stops it
// after the verdict.
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { jwksOf } from '#messages/warrants/jwk'
import { verifyToken } from '#messages/warrants/verify'
import { connect, type Delegating } from '#client/connect'
import { stages as allStages } from '#workers/stages'
import { testKey, testPublicKey } from '#testing/setup'
import { forged } from '../../support/forger.ts'
import { changeCatalog, keys } from '../../support/runtime.ts'
import {
  bind,
  bound,
  expectReplay,
  look,
  names,
  place,
  replayed,
  say,
  scene,
  type Scene,
} from '../../support/scene.ts'

const minute = 60_000
const large = { name: 'large', effect: 'confirm' as const, when: 'has(args.n) && args.n > 10' }
const setup = {
  catalog: {
    capabilities: [{ ...look, conditions: [large] }],
    principals: [
      { id: 'planner', owner: 'piet', keys: [testPublicKey('planner')] },
      { id: 'desk' },
      { id: 'gate', roles: ['issuer'], keys: [testPublicKey('gate')] },
    ],
    trustedEvidence: [{ sender: 'desk', for: ['*'] }],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: minute }],
    rules: newestRules,
  },
}

/** A session with a planner that lets `bot` look for an hour. */
async function delegated(from: Partial<Delegating> = {}, stages = allStages) {
  const on = await scene({ ...setup, stages })
  const privateKey = testKey('planner')
  const planner = await connect({ as: 'planner', privateKey, runtime: on.runtime })
  const session = planner.session('S-1')
  const until = on.time.now + 60 * minute
  const capabilities = ['look']
  const { name } = await planner.delegate({ session, to: 'bot', capabilities, until, ...from })
  return { on, planner, session, delegation: name, own: on.bot.session('S-1') }
}

const chain = ['planner', 'bot']
const withoutPolicy = allStages.filter(({ name }) => name !== 'policy')

test('who cites it acts for both, and the token has the chain', async () => {
  const { on, delegation, own } = await delegated({ constraints: { max_rows: 4 } })
  const verdict = await on.bot.ask({ tool: 'look', delegation }, { session: own })
  expect(verdict).toMatchObject({
    outcome: 'allow',
    terms: { chain, constraints: { max_rows: 4 } },
  })
  const alone = await on.bot.ask({ tool: 'look' }, { session: own })
  expect(alone.terms?.chain).toBeUndefined()
  const issuer = { id: 'gate', privateKey: testKey('gate') }
  const client = await connect({ runtime: on.runtime, issuer })
  const jwks = jwksOf(on.runtime.follower.state.catalog)
  const read = (token: string) =>
    verifyToken({ token, jwks, audience: 'warrant:main', now: on.time.clock.now() })
  expect(read(await client.token(verdict.intent))).toMatchObject({
    ok: true,
    claims: { sub: 'bot', act: { sub: 'bot', act: { sub: 'planner' } } },
  })
  expect(read(await client.token(alone.intent))).not.toHaveProperty('claims.act')
  await client.close()
  await expectReplay(on)
})

test('the story says for whom, at the request and at the verdict', async () => {
  const { on, delegation, own } = await delegated()
  const { intent } = await on.bot.ask({ tool: 'look', delegation }, { session: own })
  const { steps } = await on.bot.read('trace', { intent })
  const lines = steps.flatMap(({ details }) => details)
  expect(lines).toContain(`acting for another, by ${delegation}`)
  expect(lines).toContain('`bot` acts for `planner`')
})

test('an open request for others is not that of the agent alone', async () => {
  const { on, delegation, own } = await delegated()
  const seen: string[] = []
  const asked = (more: object) =>
    on.bot
      .ask(
        { tool: 'look', args: { n: 11 }, ...more },
        {
          session: own,
          onReview: (_, intent) => {
            seen.push(intent)
            return false
          },
        },
      )
      .catch(() => undefined)
  await asked({ delegation })
  await asked({})
  await asked({ delegation })
  expect(new Set(seen).size).toBe(2)
})

test('what could never count is not published', async () => {
  const { on, planner, session } = await delegated()
  const until = on.time.now + minute
  const base = { session, to: 'bot', capabilities: ['look'], until }
  for (const wrong of [
    { capabilities: [] },
    { until: 'tomorrow' },
    { until: Number.NaN },
    { when: 'args.n <' },
    { when: 'args.n + 1' },
    { constraints: { allowed_fields: [] } },
  ]) {
    const refused = planner.delegate({ ...base, ...wrong })
    await expect(refused).rejects.toMatchObject({ code: 'message_invalid' })
  }
  expect(await names(on.log, 'main.1.vlp.planner.>')).toHaveLength(1)
})

test('what is taken back counts no more, and only its sender takes it back', async () => {
  const { on, planner, session, delegation, own } = await delegated()
  const asked = () => on.bot.ask({ tool: 'look', delegation }, { session: own })
  await on.bot.undelegate(delegation, { session: own })
  expect((await asked()).outcome).toBe('allow')
  await planner.undelegate(delegation, { session, note: 'it is done' })
  expect((await asked()).reasons).toMatchObject([{ params: { cause: 'withdrawn' } }])
  await expectReplay(on)
})

let runs = 0
const noted = () => (runs += 1)

async function allowed() {
  runs = 0
  const of = await delegated()
  const guarded = of.on.bot.guard('look', noted)
  const { delegation, own } = of
  const verdict = await of.on.bot.ask({ tool: 'look', delegation }, { session: own })
  return { ...of, guarded, verdict }
}

const stopping: readonly (readonly [string, (on: Scene) => Promise<unknown>])[] = [
  ['agent_suspended', (on) => changeCatalog(on.runtime, { op: 'suspend', id: 'planner' })],
  [
    'warrant_revoked',
    (on) => on.bot.revoke({ target: { agent: 'planner' }, by: 'root', privateKey: keys.root }),
  ],
]

test.each(stopping)('allowed, then for the planner %s: nothing runs', async (code, stop) => {
  const { on, guarded, verdict } = await allowed()
  await stop(on)
  await expect(guarded.redeem(verdict.intent)).rejects.toMatchObject({ code })
  expect(runs).toBe(0)
  expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
})

test.each([
  ['agent_suspended', 'startWhileSuspended'],
  ['warrant_revoked', 'startAfterRevocation'],
])('a gateway that starts it though it is %s is found by replay', async (code, kind) => {
  for (const [outcome, kinds] of [
    ['succeeded', [kind]],
    ['refused', []],
  ] as const) {
    const { on, verdict } = await allowed()
    await stopping.find(([one]) => one === code)?.[1](on)
    const { intent: address, name } = verdict
    const intent = { address, agent: 'bot', session: 'S-1' }
    await bind(on.log, 'start', nameOf(place, 'start', address), { intent, verdict: name })
    await bind(on.log, 'outcome', nameOf(place, 'outcome', address), { intent, outcome })
    const { findings } = await replayed(on)
    expect(findings.shown.map((one) => one.kind)).toEqual(kinds)
  }
})

test('a revocation of either ends what was delegated before it, and nothing later', async () => {
  for (const agent of ['planner', 'bot']) {
    const { on, planner, session, delegation, own } = await delegated()
    await on.bot.revoke({ target: { agent }, by: 'root', privateKey: keys.root })
    const before = await on.bot.ask({ tool: 'look', delegation }, { session: own })
    expect(before.reasons).toMatchObject([{ params: { cause: 'revoked' } }])
    const until = on.time.now + minute
    const of = { session, to: 'bot', capabilities: ['look'], until }
    const { name } = await planner.delegate(of)
    const after = await on.bot.ask({ tool: 'look', delegation: name }, { session: own })
    expect(after.outcome).toBe('allow')
    await expectReplay(on)
  }
})

test('an allow from before the planner was stopped is overtaken, however honest its time', async () => {
  const block = { receiver: 'planner', safety: { level: 'block', issues: [] } }
  const took = (name: string) => ({ type: 'correction', refers_to: name })
  const stops: readonly ((on: Scene, delegation: string) => Promise<unknown>)[] = [
    ...stopping.map(([, stop]) => stop),
    (on) => say(on.log, { as: 'desk', session: 'S-1', message: block }),
    (on, name) =>
      say(on.log, {
        as: 'planner',
        session: 'S-1',
        message: took(name),
        privateKey: testKey('planner'),
      }),
    () => Promise.resolve(),
  ]
  for (const [index, stop] of stops.entries()) {
    const { on, delegation } = await delegated({}, withoutPolicy)
    const address = await say(on.log, { session: 'S-1', intent: { tool: 'look', delegation } })
    await bound(on.log, nameOf(place, 'grounding', address, 1))
    const basis = (await on.log.head()).position
    const time = new Date(on.time.now).toISOString()
    await stop(on, delegation)
    const made = await forged(on, address, { stage: 'policy', basis, time })
    expect(made).toMatchObject({ kind: 'verdict', data: { outcome: 'allow', terms: { chain } } })
    const { differences, findings } = await replayed(on)
    expect(differences).toBe(0)
    expect(findings.counts.overtaken).toBe(index === stops.length - 1 ? 0 : 1)
  }
})
