// What the grounding stage makes of anything that is published.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { grounding } from '#workers/grounding/decider'
import { newKey } from '../../support/runtime.ts'
import {
  anyArgs,
  codes,
  deletion,
  erase,
  expectReplay,
  groundingOf,
  judged,
  look,
  names,
  place,
  recoveries,
  replayed,
  say,
  scene,
  verdict,
  type Scene,
} from '../../support/scene.ts'
import { twice } from '../../support/twice.ts'

const known = { catalog: { capabilities: [look, erase] }, graph: deletion() }
const intent = { tool: 'look' }

const deep = `${'['.repeat(100)}${']'.repeat(100)}`
const junk: readonly (readonly [string, Uint8Array | string])[] = [
  ['no bytes at all', ''],
  ['no JSON', 'let me in'],
  ['half of a JSON text', '{"id":"MSG-1"'],
  ['two JSON texts', '{}{}'],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
  ['a byte order mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from('{}')])],
  ['a hundred levels', deep],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '1e9999'],
]

test.each(junk)('%s is void, and costs no stage anything', async (_, bytes) => {
  const on = await scene(known)
  const address = await say(on.log, { bytes })
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.intents.has(address)).toBe(false)
  expect((await judged(on, { intent })).outcome).toBe('allow')
  expect(await names(on.log, `main.1.*.${address}`)).toEqual([`main.1.vlp.${address}`])
  expect((await replayed(on)).voids).toMatchObject([{ name: `main.1.vlp.${address}` }])
})

test('an object without anything gets a grounding that believes nothing, and a verdict', async () => {
  const { log, ...rest } = await scene(known)
  const address = await say(log, { bytes: '{}' })
  const { message, ground, capability } = await groundingOf(log, address)
  expect(message).toMatchObject({ malformed: true, outcome: 'fail', gate: 'fail', integrity: 0 })
  expect({ ground, capability }).toEqual({ ground: null, capability: null })
  const denied = await verdict(log, address)
  expect(denied.outcome).toBe('deny')
  expect(recoveries(denied)[0]).toBe('malformed_message fix')
  await expectReplay({ log, ...rest })
})

test.each([
  ['the id is a number', { id: 7 }],
  ['another protocol', { protocol: 'VLP/2.0' }],
  ['no such type', { type: 'order' }],
  ['confidence above one', { confidence: 1.1 }],
  ['the sender is a list', { sender: ['bot'] }],
  ['the safety level is a guess', { safety: { level: 'fine', issues: [] } }],
])('a message of a wrong type or value is malformed: %s', async (_, message) => {
  const denied = await judged(await scene(known), { intent, message })
  expect(recoveries(denied)[0]).toBe('malformed_message fix')
})

test.each([
  ['an intent that is a text', 'look'],
  ['an intent without a tool', {}],
  ['a tool that is no text', { tool: 7 }],
  ['arguments that are a list', { tool: 'look', args: [] }],
  ['a property that no intent has', { tool: 'look', force: true }],
  ['65 concepts', { tool: 'look', concepts: Array.from({ length: 65 }, (_, n) => `c${n}`) }],
  ['a depth of five', { tool: 'look', minDepth: 5 }],
  ['an invalid time', { tool: 'look', replyBy: 'tomorrow' }],
  ['null', null],
])('a query whose intent cannot be read is malformed: %s', async (_, odd) => {
  const denied = await judged(await scene(known), { intent: odd })
  expect(recoveries(denied)[0]).toBe('malformed_message fix')
  expect(denied.reasons[0]?.params.issues?.[0]?.path).toContain('/payload/intent')
})

test('sound messages that are no intent get no grounding and no verdict', async () => {
  const { log, watch } = await scene(known)
  const refers = { refers_to: 'x', provenance: ['y'] }
  const sayings = [
    { message: { type: 'claim' } },
    { message: { type: 'evidence', ...refers } },
    { message: { type: 'response', ...refers } },
    { message: { type: 'correction', ...refers } },
    { message: { type: 'notice' } },
    { message: { type: 'session_context' } },
    { message: { type: 'query' } },
    { message: { type: 'query', payload: { question: 'why' } } },
    // Only a query means to act, whatever it carries.
    { message: { type: 'claim' }, intent },
  ]
  for (const saying of sayings) {
    const address = await say(log, saying)
    await watch.settled(log)
    expect(await log.get(nameOf(place, 'grounding', address, 1))).toBe(undefined)
    expect(await log.get(nameOf(place, 'verdict', address))).toBe(undefined)
  }
})

test('a message that claims another sender is a mismatch, and its tool is not even looked up', async () => {
  const { log } = await scene(known)
  const address = await say(log, { as: 'bot', intent, message: { sender: 'root' } })
  const denied = await verdict(log, address)
  expect(recoveries(denied)).toEqual(['sender_mismatch never'])
  const { capability, ground, intent: ref } = await groundingOf(log, address)
  expect(capability === null ? null : ground).toBe(null)
  expect(ref.agent).toBe('bot')
})

const key = newKey()
const signer = { id: 'signer', keys: [publicKeyOf(key)] }
const signing = { catalog: { ...known.catalog, principals: [signer] } }

test('a sender with keys that does not sign is a mismatch', async () => {
  const denied = await judged(await scene(signing), { as: 'signer', intent })
  expect(recoveries(denied)).toEqual(['sender_mismatch never'])
})

test('a signature of a foreign key is a mismatch', async () => {
  const denied = await judged(await scene(signing), { as: 'signer', intent, privateKey: newKey() })
  expect(recoveries(denied)).toEqual(['sender_mismatch never'])
})

test('a signature moved to another name is a mismatch', async () => {
  const { log } = await scene(signing)
  const first = await say(log, { as: 'signer', intent, privateKey: key })
  expect((await verdict(log, first)).outcome).toBe('allow')
  const fact = await log.get(nameOf(place, 'vlp', first))
  const moved = await say(log, { as: 'signer', bytes: fact?.bytes ?? '' })
  expect(recoveries(await verdict(log, moved))).toEqual(['sender_mismatch never'])
})

test('a sender without keys need not sign, and one with keys who signs is believed', async () => {
  const on = await scene(signing)
  expect((await judged(on, { intent })).outcome).toBe('allow')
  expect((await judged(on, { as: 'signer', intent, privateKey: key })).outcome).toBe('allow')
  await expectReplay(on)
})

test.each([
  ['a session where the subject has none', {}, { session_id: 'S-1' }],
  ['another session', { session: 'S-1' }, { session_id: 'S-2' }],
  ['no session where the subject has one', { session: 'S-1' }, { session_id: null }],
])('a message that names %s is malformed', async (_, saying, message) => {
  const denied = await judged(await scene(known), { ...saying, intent, message })
  expect(recoveries(denied)).toEqual(['malformed_message fix'])
  expect(denied.reasons[0]?.params.issues?.[0]?.path).toBe('/session_id')
})

test('freshAt at the end of the log is met, and one position further is refused', async () => {
  const on = await scene(known)
  const { position } = await on.log.head()
  // The message itself takes the next position, so that is the last that it may ask for.
  const met = await judged(on, { intent: { ...intent, freshAt: String(position + 1) } })
  expect(met.outcome).toBe('allow')
  const head = await on.log.head()
  const beyond = await judged(on, { intent: { ...intent, freshAt: String(head.position + 2) } })
  expect(recoveries(beyond)).toEqual(['malformed_message fix'])
  expect(beyond.reasons[0]?.params.issues?.[0]?.path).toBe('/payload/intent/freshAt')
  await expectReplay(on)
})

test.each([
  ['c1', 'allow'],
  ['g1', 'allow'],
  ['c1.g1.1', 'allow'],
  ['1.g1', 'allow'],
  ['c2', 'deny'],
  ['g2', 'deny'],
  ['c1.g2', 'deny'],
  ['c1.c1', 'deny'],
  ['c0', 'deny'],
  ['x1', 'deny'],
  ['c1.', 'deny'],
])('with the first catalog and graph known, `%s` is answered with %s', async (freshAt, outcome) => {
  const on = await scene(known)
  expect((await judged(on, { intent: { ...intent, freshAt } })).outcome).toBe(outcome)
  await expectReplay(on)
})

test('gaps, repeats and references that lead nowhere are noted and change no verdict', async () => {
  const on = await scene(known)
  const { log } = on
  const session = 'S-2026-01-01-bot-abcdef'
  const [first, again, gap, refers] = [
    await say(log, { session, intent, message: { id: 'MSG-1', seq: 1 } }),
    await say(log, { session, intent, message: { id: 'MSG-1', seq: 1 } }),
    await say(log, { session, intent, message: { id: 'MSG-9', seq: 9 } }),
    await say(log, { session, intent, message: { id: 'MSG-10', seq: 10, refers_to: ['MSG-0'] } }),
  ]
  const noted = async (address: string) => {
    const { message } = await groundingOf(log, address)
    return message.issues.map(({ code }) => code)
  }
  expect(await noted(first)).toEqual([])
  expect((await noted(again)).toSorted()).toEqual(['duplicate_id', 'seq_duplicate'])
  expect(await noted(gap)).toEqual(['seq_gap'])
  expect(await noted(refers)).toEqual(['refers_to_unresolved'])
  for (const address of [first, again, gap, refers]) {
    expect((await verdict(log, address)).outcome).toBe('allow')
  }
  await expectReplay(on)
})

test('an intent in a session of a thousand messages is judged, and in a longer one refused', async () => {
  const on = await scene(known)
  const { log } = on
  const session = 'S-2026-01-01-bot-abcdef'
  for (let n = 1; n < 1_024; n += 1) await say(log, { session, message: { type: 'claim' } })
  expect((await judged(on, { session, intent })).outcome).toBe('allow')
  const denied = await judged(on, { session, intent })
  expect(recoveries(denied)).toEqual(['context_gate_failed fix'])
  // It is the session that is too long, not the agent that is out of order.
  expect((await judged(on, { session: 'S-2026-01-01-bot-fedcba', intent })).outcome).toBe('allow')
  await expectReplay(on)
})

test('messages of strangers do not make a session long', async () => {
  const on = await scene(known)
  const session = 'S-2026-01-01-bot-abcdef'
  for (let n = 0; n < 1_100; n += 1) {
    await say(on.log, { as: 'stranger', session, message: { type: 'claim' } })
  }
  expect((await judged(on, { session, intent })).outcome).toBe('allow')
})

test('the concepts come from the catalog, and the agent can only add to them', async () => {
  const on = await scene(known)
  const { log } = on
  const added = await say(log, { intent: { tool: 'erase', concepts: ['moon', 'file'] } })
  const asked = (await groundingOf(log, added)).ground
  expect(asked?.concepts).toEqual(['delete', 'file', 'moon'])
  expect(codes(await verdict(log, added))).toEqual(['ungrounded'])
  const fewer = await say(log, { intent: { tool: 'erase', concepts: [] } })
  expect((await groundingOf(log, fewer)).ground?.concepts).toEqual(['delete', 'file'])
})

test('a depth that the agent asks for raises the one of the catalog and never lowers it', async () => {
  const setup = { ...known, catalog: { capabilities: [{ ...erase, minDepth: 1 }] } }
  const on = await scene(setup)
  const lower = await say(on.log, { intent: { tool: 'erase', minDepth: 0 } })
  expect((await groundingOf(on.log, lower)).ground?.minDepth).toBe(1)
  const higher = await judged(on, { intent: { tool: 'erase', minDepth: 2 } })
  expect(recoveries(higher)).toEqual(['ungrounded learn'])
  expect(higher.gaps.map(({ kind }) => kind)).toEqual(['DEPTH', 'DEPTH'])
})

test('grounding reports what is known even where no one may do it', async () => {
  const tool = { ...erase, safetyClass: 'DESTRUCTIVE' as const, argsSchema: anyArgs }
  const on = await scene({ ...known, catalog: { capabilities: [tool] } })
  const address = await say(on.log, { intent: { tool: 'erase' } })
  expect((await groundingOf(on.log, address)).ground?.grounded).toBe(true)
  expect(codes(await verdict(on.log, address))[0]).toBe('missing_role')
})

test('an intent is grounded once, though its message is delivered twice', async () => {
  const on = await scene({ ...known, stages: [grounding], wrap: twice })
  const address = await say(on.log, { intent })
  await on.watch.settled(on.log)
  expect(await on.log.get(nameOf(place, 'grounding', address, 1))).toBeDefined()
  expect(await on.log.get(nameOf(place, 'grounding', address, 2))).toBe(undefined)
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
})

// What an intent may cite: few messages, and not much of them, so that reading what it cites never
// costs more than reading the intent itself.

const setup = { catalog: { capabilities: [look] } }
const tooMany = {
  code: 'schema_invalid',
  path: '/refers_to',
  params: { cause: 'cites_too_many' },
}

async function said(on: Scene, count: number, bytes = 1): Promise<readonly string[]> {
  const names: string[] = []
  for (let n = 0; n < count; n += 1) {
    const message = { type: 'notice', content: 'x'.repeat(bytes) }
    names.push(nameOf(place, 'vlp', await say(on.log, { message })))
  }
  return names
}

async function issues(on: Scene, refers: readonly string[]) {
  const address = await say(on.log, { intent, message: { refers_to: [...refers] } })
  const { message } = await groundingOf(on.log, address)
  return message.issues.map(({ code, path, params }) => ({ code, path, params }))
}

test('an intent that cites eight messages by name is read, and one more is malformed', async () => {
  const on = await scene(setup)
  const names = await said(on, 9)
  const eight = names.slice(1)
  expect(await issues(on, [...eight, ...eight])).toEqual([])
  expect(await issues(on, ['a', 'b', ...names])).toContainEqual(tooMany)
  expect(codes(await judged(on, { intent, message: { refers_to: [...names] } }))).toEqual([
    'malformed_message',
  ])
  expect(await issues(on, names)).toContainEqual(tooMany)
  const ids = Array.from({ length: 8_000 }, (_, n) => `m${n}`)
  const found = await issues(on, ids)
  expect(found).toContainEqual(tooMany)
})

test('of what an intent cites only the first megabyte is read', async () => {
  const on = await scene(setup)
  const names = await said(on, 6, 200_000)
  expect(await issues(on, names.slice(1))).toEqual([])
  expect(await issues(on, names)).toEqual([
    { code: 'refers_to_unresolved', path: '/refers_to/5', params: {} },
  ])
})

test('a message that many intents cite is checked once', async () => {
  const on = await scene(setup)
  const names = await said(on, 1)
  const known = { knownConstraints: [], rules: 7 }
  const { checkedMessages } = await import('#runtime/engine/gathering/checked-messages')
  const checked = checkedMessages()
  const fact = await on.log.get(names[0] ?? '')
  if (fact === undefined) throw new Error('it was bound')
  expect(checked(fact, known)).toBe(checked({ ...fact }, known))
  expect(checked(fact, { ...known, rules: 6 })).not.toBe(checked(fact, known))
  expect(checked(fact, { ...known, knownConstraints: ['other'] })).not.toBe(checked(fact, known))
})
