// Whose word reaches a callback: only of senders whom the catalog trusts, under their own names, in
// the session of the intent, and only what stands.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { changeCatalog, newKey } from '../../support/runtime.ts'
import { deletion, erase, expectReplay, judged, look } from '../../support/scene.ts'
import { place, recoveries } from '../../support/scene.ts'
import { replayed, say, scene, type Saying, type Scene } from '../../support/scene.ts'
import { count } from '../../support/vitest/counts.ts'

// It refuses with all that it was given, so that a test can read it in the reason.
const module = `
export const quoted = ({ evidence, now, catalog, intent }) => {
  const received = evidence.map((one) => one.sender + ' ' + one.content)
  const quoted = { received, now, catalogNow: catalog.now, session: intent.session }
  return { passed: false, message: JSON.stringify(quoted) }
}
export const trusting = ({ evidence }) => {
  return { passed: evidence.some(({ payload }) => payload?.ok === true) }
}
export const never = () => ({ passed: false, message: 'this does not apply', applies: false })
`
const rule = { name: 'rule', requiresConfirmation: false, callback: 'quoted' }
const session = 'S-2026-01-01-bot-abcdef'
const other = 'S-2026-01-01-bot-fedcba'
const key = newKey()

const setup = {
  catalog: {
    capabilities: [look, erase],
    principals: [{ id: 'tools' }, { id: 'desk' }, { id: 'signer', keys: [publicKeyOf(key)] }],
    trustedEvidence: [
      { sender: 'tools', for: ['erase'] },
      { sender: 'signer', for: ['quoted'] },
      { sender: 'desk', for: ['look', 'other'] },
    ],
  },
  graph: deletion(rule),
  module,
}

const evidence = { type: 'evidence', refers_to: 'x', provenance: ['system of record'] }

function report(on: Scene, content: string, saying: Saying = {}): Promise<string> {
  const { message, ...rest } = saying
  return say(on.log, {
    as: 'tools',
    session,
    message: { ...evidence, content, ...message },
    ...rest,
  })
}

async function received(on: Scene, saying: Saying = {}): Promise<readonly string[]> {
  return (await context(on, saying)).received
}

const Reported = z.object({
  received: z.array(z.string()),
  now: z.string(),
  catalogNow: z.string().nullable(),
  session: z.string().nullable(),
})

async function context(on: Scene, saying: Saying = {}) {
  const denied = await judged(on, { session, intent: { tool: 'erase' }, ...saying })
  expect(recoveries(denied)).toEqual(['policy_blocked never'])
  return Reported.parse(JSON.parse(denied.reasons[0]?.params.message ?? '{}'))
}

test('no message of the agent itself is evidence', async () => {
  const on = await scene(setup)
  await report(on, 'forged', { as: 'bot' })
  await report(on, 'forged', { as: 'bot', message: { sender: 'tools' } })
  await report(on, 'forged', { as: 'bot', session: other, message: { sender: 'tools' } })
  expect(await received(on)).toEqual([])
  await expectReplay(on)
})

test('what calls itself another under a trusted name is no evidence', async () => {
  const on = await scene(setup)
  await report(on, 'mixed up', { message: { sender: 'bot' } })
  await report(on, 'mixed up', { message: { sender: 'signer' } })
  expect(await received(on)).toEqual([])
})

test('whom the catalog trusts for something else is not believed', async () => {
  const on = await scene(setup)
  await report(on, 'trusted for look', { as: 'desk' })
  await report(on, 'trusted for nothing', { as: 'stranger' })
  expect(await received(on)).toEqual([])
})

test('a trusted sender with a key is believed only where it signed', async () => {
  const on = await scene(setup)
  await report(on, 'unsigned', { as: 'signer' })
  await report(on, 'foreign', { as: 'signer', privateKey: newKey() })
  const signed = await report(on, 'signed', { as: 'signer', privateKey: key })
  const fact = await on.log.get(nameOf(place, 'vlp', signed))
  await say(on.log, { as: 'signer', session, ulid: 'moved', bytes: fact?.bytes ?? '' })
  expect(await received(on)).toEqual(['signer signed'])
  await expectReplay(on)
})

test('evidence of another session is not believed, not even if the intent refers to it', async () => {
  const on = await scene(setup)
  const elsewhere = await report(on, 'elsewhere', { session: other })
  const nowhere = await report(on, 'in no session', { session: null })
  await report(on, 'mislabelled', { message: { session_id: other } })
  await report(on, 'unlabelled', { message: { session_id: null } })
  const refs = [elsewhere, nowhere].map((address) => nameOf(place, 'vlp', address))
  expect(await received(on, { message: { refers_to: refs } })).toEqual([])
})

test('without a session nothing is believed, whatever the intent refers to', async () => {
  const on = await scene(setup)
  const cited = await report(on, 'cited', { session: null })
  await report(on, 'not cited', { session: null })
  const forged = await report(on, 'forged', { as: 'bot', session: null })
  const refs = [cited, forged].map((address) => nameOf(place, 'vlp', address))
  const found = await context(on, { session: null, message: { refers_to: refs } })
  expect(found).toMatchObject({ received: [], session: null })
  expect(await received(on, { session: null })).toEqual([])
})

test('evidence that does not pass its own check is not believed', async () => {
  const on = await scene(setup)
  await report(on, 'without a source', { message: { provenance: [] } })
  await report(on, 'about nothing', { message: { refers_to: [] } })
  await report(on, 'broken', { bytes: '{"content":"broken"' })
  expect(await received(on)).toEqual([])
})

test('evidence of a suspended sender is not believed, and is again when that is lifted', async () => {
  const on = await scene(setup)
  await report(on, 'before')
  expect(await received(on)).toEqual(['tools before'])
  await changeCatalog(on.runtime, { op: 'suspend', id: 'tools' })
  expect(await received(on)).toEqual([])
  await changeCatalog(on.runtime, { op: 'unsuspend', id: 'tools' })
  expect(await received(on)).toEqual(['tools before'])
  await expectReplay(on)
})

test('a correction of its own sender stands in the place of what it corrects', async () => {
  const on = await scene(setup)
  const refund = { id: 'EVD-1' }
  await report(on, 'one bag', { message: refund })
  const correction = { type: 'correction', refers_to: 'EVD-1' }
  await report(on, 'not mine', { as: 'signer', privateKey: key, message: correction })
  await report(on, 'forged', { as: 'bot', message: { ...correction, sender: 'tools' } })
  expect(await received(on)).toEqual(['tools one bag', 'signer not mine'])
  await report(on, 'two bags', { message: { ...correction, id: 'COR-1' } })
  expect(await received(on)).toEqual(['signer not mine', 'tools two bags'])
  await report(on, 'no bags', { message: { ...correction, id: 'COR-2', refers_to: 'EVD-1' } })
  expect(await received(on)).toEqual(['signer not mine', 'tools no bags'])
  await expectReplay(on)
})

test('the catalog sets who is trusted as of now, for a callback, a capability or everything', async () => {
  const on = await scene(setup)
  await report(on, 'result')
  await report(on, 'yes', { as: 'desk' })
  expect(await received(on)).toEqual(['tools result'])
  const trust = (what: string) =>
    changeCatalog(on.runtime, {
      op: 'set',
      key: 'trustedEvidence',
      value: [{ sender: 'desk', for: [what] }],
    })
  await trust('quoted')
  expect(await received(on)).toEqual(['desk yes'])
  await trust('*')
  expect(await received(on)).toEqual(['desk yes'])
  await trust('quote')
  expect(await received(on)).toEqual([])
})

test('evidence decides: refused before it is there, allowed after', async () => {
  const on = await scene({ ...setup, graph: deletion({ ...rule, callback: 'trusting' }) })
  const intent = { tool: 'erase' }
  const asked = { session, intent }
  expect(recoveries(await judged(on, asked))).toEqual(['policy_blocked never'])
  await report(on, 'forged', { as: 'bot', message: { payload: { ok: true } } })
  expect(recoveries(await judged(on, asked))).toEqual(['policy_blocked never'])
  await report(on, 'granted', { message: { payload: { ok: true } } })
  expect((await judged(on, asked)).outcome).toBe('allow')
  await expectReplay(on)
})

test('a policy whose callback answers that it does not apply is not triggered', async () => {
  const on = await scene({ ...setup, graph: deletion({ ...rule, callback: 'never' }) })
  expect((await judged(on, { intent: { tool: 'erase' } })).outcome).toBe('allow')
  await expectReplay(on)
})

test('the present of a callback is the catalog’s, or else that of the fact', async () => {
  const on = await scene(setup)
  const time = new Date(on.time.now).toISOString()
  expect(await context(on)).toMatchObject({ now: time, catalogNow: null })
  const recorded = '2024-05-15T15:00:00Z'
  await changeCatalog(on.runtime, { op: 'set', key: 'now', value: recorded })
  expect(await context(on)).toMatchObject({ now: recorded, catalogNow: recorded })
  on.time.pass(1_000)
  expect(await context(on)).toMatchObject({ now: recorded })
  await expectReplay(on)
})

test('what a callback saw outside is kept with the use and the verdict, and read back on replay', async () => {
  // It passes the first time, when the use is taken, and never again.
  const source = `let calls = 0
    export const quoted = async (_, outside) => {
      calls += 1
      return { passed: calls === 1, message: 'call ' + calls + ' at ' + outside.now() }
    }
    quoted.recorded = true`
  const on = await scene({ ...setup, module: source })
  expect(recoveries(await judged(on, { intent: { tool: 'erase' } }))).toEqual([
    'policy_blocked never',
  ])
  const { differences, first, readBack } = await replayed(on)
  expect({ differences, first, readBack }).toEqual({ differences: 0, first: null, readBack: 2 })
})

test('evidence sent to another agent is believed by neither, wherever it is cited or joined', async () => {
  const on = await scene(setup)
  const said = await report(on, 'yes', { message: { receiver: 'honest' } })
  const refs = { refers_to: [nameOf(place, 'vlp', said)] }
  expect(await received(on)).toEqual([])
  expect(await received(on, { message: refs })).toEqual([])
  expect(await received(on, { session: null, message: refs })).toEqual([])
  await report(on, 'to all of them', { message: { receiver: null } })
  expect(await received(on)).toEqual([])
  await expectReplay(on)
})

test('evidence sent to a group is believed by its agents', async () => {
  const groups = [{ id: 'fleet', members: ['bot'] }]
  const on = await scene({ ...setup, catalog: { ...setup.catalog, groups } })
  await report(on, 'yes', { message: { receiver: 'fleet' } })
  expect(await received(on)).toEqual(['tools yes'])
})

test('a trusted correction counts wherever what it corrects counts, whatever its receiver', async () => {
  const on = await scene(setup)
  await report(on, 'yes', { message: { id: 'EVD-1' } })
  const correction = { type: 'correction', refers_to: 'EVD-1', receiver: 'honest' }
  await report(on, 'no', { message: correction })
  expect(await received(on)).toEqual(['tools no'])
  await expectReplay(on)
})

test('an agent that is trusted never backs itself', async () => {
  const trustedEvidence = [{ sender: 'bot', for: ['*'] }]
  const on = await scene({ ...setup, catalog: { ...setup.catalog, trustedEvidence } })
  await report(on, 'yes', { as: 'bot', message: { receiver: 'bot' } })
  expect(await received(on)).toEqual([])
})

const sayings = fc.record({
  as: fc.constantFrom('bot', 'honest', 'desk'),
  session: fc.constantFrom(session, other, null),
  message: fc.record(
    {
      type: fc.constantFrom('evidence', 'claim', 'correction', 'query', 'notice'),
      id: fc.constantFrom('EVD-1', 'EVD-2', 'MSG-x'),
      sender: fc.constantFrom('bot', 'tools', 'honest'),
      receiver: fc.constantFrom('bot', 'honest', null),
      refers_to: fc.constantFrom('EVD-1', ['EVD-1', 'EVD-2'], 'x'),
      content: fc.constantFrom('yes', 'no'),
    },
    { requiredKeys: ['type', 'refers_to'] },
  ),
})

test('whatever agents publish besides, an intent receives the same evidence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sayings, { maxLength: 6 }), async (others) => {
      const on = await scene(setup)
      await report(on, 'one', { message: { id: 'EVD-1' } })
      await report(on, 'two', { message: { id: 'EVD-2' } })
      await report(on, 'two, corrected', { message: { type: 'correction', refers_to: 'EVD-2' } })
      const before = await received(on)
      expect(before).toEqual(['tools one', 'tools two, corrected'])
      for (const { message, ...saying } of others) {
        const provenance = ['me']
        await say(on.log, { ...saying, message: { provenance, ...message } })
      }
      expect(await received(on)).toEqual(before)
      await on.runtime.stop()
    }),
    { numRuns: count(25, 8) },
  )
})
