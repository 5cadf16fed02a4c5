// Values that are known by what people agreed to before, by a name without its owner, by what
// stands for nothing, and by a text that they named: each in a log, and derived again.
import { expect, test } from 'vitest'
import type { Json } from '#record/canonical'
import { newestRules } from '#rules/catalog/rules-version'
import { foundText } from '#present/asking/value-text'
import { Capability, Principal, type CatalogOperation } from '#schemas/catalog'
import { changeCatalog } from '../../support/runtime.ts'
import { answer, anyArgs, expectReplay, reviewed, reviewOf } from '../../support/scene.ts'
import { say, scene, verdict, type Saying, type Scene } from '../../support/scene.ts'

const session = 'S-2026-01-01-bot-abcdef'
const READ = 'READ' as const
const mails = ['send', 'invite']
const capabilities = [
  {
    id: 'send',
    safetyClass: READ,
    argsSchema: anyArgs,
    known: [
      { arg: '/to/*', kind: 'email' as const, confirmed: mails },
      { arg: '/cc', kind: 'email' as const, absent: ['null'] },
    ],
  },
  {
    id: 'invite',
    safetyClass: READ,
    argsSchema: anyArgs,
    known: [{ arg: '/who', kind: 'email' as const, confirmed: mails }],
  },
  {
    id: 'give',
    safetyClass: READ,
    argsSchema: anyArgs,
    known: [
      { arg: '/to', kind: 'email' as const },
      { arg: '/name', kind: 'name' as const, bare: true as const },
    ],
  },
  {
    id: 'pay',
    safetyClass: READ,
    argsSchema: anyArgs,
    known: [{ arg: '/amount', kind: 'amount' as const, fromNamed: true as const }],
  },
  { id: 'sent', safetyClass: READ, argsSchema: anyArgs, untrusted: [], reports: true as const },
  { id: 'names', safetyClass: READ, argsSchema: anyArgs, untrusted: [{ pointer: '/issues' }] },
  { id: 'write', safetyClass: 'WRITE' as const, argsSchema: anyArgs },
  {
    id: 'read',
    safetyClass: READ,
    argsSchema: anyArgs,
    untrusted: [{ pointer: '/text' }],
    source: {
      arg: '/path',
      kind: 'path' as const,
      id: '/path',
      writer: '/owner',
      text: '/text',
      writers: ['harbour'],
    },
  },
]
const setup = {
  catalog: {
    capabilities,
    principals: [{ id: 'desk' }, { id: 'tools' }],
    trustedEvidence: [
      { sender: 'desk', for: ['*'] },
      { sender: 'tools', for: ['send', 'pay'] },
    ],
  },
}

function inform(on: Scene, content: string): Promise<string> {
  return say(on.log, { as: 'desk', session, message: { type: 'notice', content } })
}

function result(on: Scene, tool: string, args: Json, value: Json): Promise<string> {
  const payload = { tool, args, error: false, value }
  const message = { type: 'notice', content: `${tool} answered`, payload }
  return say(on.log, { as: 'tools', session, message })
}

function call(tool: string, args: Json, of = session): Saying {
  return { session: of, intent: { tool, args } }
}

/** Allowed at once, or where the value was found. */
async function comesTo(on: Scene, saying: Saying): Promise<string> {
  const address = await say(on.log, saying)
  return Promise.race([
    reviewOf(on.log, address).then(({ questions }) => questions[0]?.value?.found ?? 'none'),
    verdict(on.log, address).then(({ outcome }) => outcome),
  ])
}

async function agreed(on: Scene, saying: Saying): Promise<string> {
  const address = await reviewed(on, saying)
  await answer(on, address)
  await verdict(on.log, address)
  return address
}

test('what people agreed to is known for the rest of the session, and shown as that', async () => {
  const on = await scene(setup)
  const first = await agreed(on, call('send', { to: ['ann@x.com'] }))
  expect(await comesTo(on, call('send', { to: ['Ann@x.com'] }))).toBe('allow')
  expect(await comesTo(on, call('invite', { who: 'ann@x.com' }))).toBe('allow')
  const mixed = await reviewed(on, call('send', { to: ['ann@x.com', 'eve@y.org'] }))
  const { questions, values = [] } = await reviewOf(on.log, mixed)
  expect(questions.map(({ value }) => value?.value)).toEqual(['eve@y.org'])
  expect(values[0]).toMatchObject({ found: 'confirmed', review: expect.stringContaining(first) })
  expect(values.map(foundText)[0]).toMatch(/agreed to in main\.1\.review\./)
  await expectReplay(on)
})

const newest = { catalog: { ...setup.catalog, rules: newestRules } }

test('it says who agreed, when, and for which tool', async () => {
  const on = await scene(newest)
  await agreed(on, call('send', { to: ['ann@x.com'] }))
  const mixed = await reviewed(on, call('send', { to: ['ann@x.com', 'eve@y.org'] }))
  const { values = [] } = await reviewOf(on.log, mixed)
  const by = { by: ['olga'], at: '2026-01-01T00:00:00.000Z' }
  expect(values[0]).toMatchObject({ found: 'confirmed', tool: 'send', agreed: by })
  expect(values.map(foundText)[0]).toMatch(/by `olga` on 2026-01-01 00:00:00 UTC for `send`/)
  await expectReplay(on)
})

const two = { id: 'two', members: ['piet', 'quin'] }
const ownerOf = (owner: string): CatalogOperation => {
  return { op: 'put', collection: 'principals', entry: Principal.parse({ id: 'bot', owner }) }
}
const goneOf = (piet: Principal): readonly [string, CatalogOperation][] => [
  ['is suspended', { op: 'suspend', id: 'piet' }],
  ['lost the key', { op: 'put', collection: 'principals', entry: { ...piet, keys: [] } }],
  ['left the group', { op: 'put', collection: 'groups', entry: { ...two, members: ['quin'] } }],
  ['owns the agent', ownerOf('piet')],
]

test.each(
  ['is suspended', 'lost the key', 'left the group', 'owns the agent'].flatMap((how) => [
    { how, rules: newestRules - 1, comes: 'allow' },
    { how, rules: newestRules, comes: 'nowhere' },
  ]),
)(
  'under rules $rules what someone agreed to who $how since comes to $comes',
  async ({ how, rules, comes }) => {
    const confirmations = [{ id: 'desk', tier: 'four_eyes' as const, group: 'two' }]
    const groups = [two]
    const asking = capabilities.map((one) => ({ ...one, confirmation: 'desk' }))
    const on = await scene({
      catalog: { ...setup.catalog, capabilities: asking, confirmations, groups, rules },
    })
    const address = await reviewed(on, call('send', { to: ['ann@x.com'] }))
    await answer(on, address, { by: 'piet' })
    await verdict(on.log, address)
    expect(await comesTo(on, call('invite', { who: 'ann@x.com' }))).toBe('allow')
    const piet = on.runtime.follower.state.catalog.principals.get('piet')
    if (piet === undefined) throw new Error('there is no piet')
    const gone = new Map(goneOf(Principal.parse(piet))).get(how)
    if (gone === undefined) throw new Error(`there is no such way: ${how}`)
    await changeCatalog(on.runtime, gone)
    expect(await comesTo(on, call('invite', { who: 'ann@x.com' }))).toBe(comes)
    await expectReplay(on)
  },
)

test('it is known there alone: of those tools, that agent and that session', async () => {
  const on = await scene(setup)
  await agreed(on, call('send', { to: ['ann@x.com'] }))
  expect(await comesTo(on, call('give', { to: 'ann@x.com' }))).toBe('nowhere')
  const other = call('send', { to: ['ann@x.com'] }, 'S-2026-01-01-bot-fedcba')
  expect(await comesTo(on, other)).toBe('nowhere')
  await expectReplay(on)
})

test('what was declined, or is still asked about, is not', async () => {
  const on = await scene(setup)
  const declined = await reviewed(on, call('send', { to: ['eve@y.org'] }))
  await answer(on, declined, { answers: false })
  await verdict(on.log, declined)
  expect(await comesTo(on, call('send', { to: ['eve@y.org'], cc: 'null' }))).toBe('nowhere')
  await reviewed(on, call('send', { to: ['tom@x.com'] }))
  expect(await comesTo(on, call('invite', { who: 'tom@x.com' }))).toBe('nowhere')
  await expectReplay(on)
})

test('what was agreed to under another question than the value is not', async () => {
  const on = await scene(setup)
  const message = { type: 'notice', content: 'write to bob@x.com', id: 'first' }
  await say(on.log, { as: 'desk', session, message })
  await agreed(on, call('send', { to: ['bob@x.com', 'ann@x.com'] }))
  const other = {
    session,
    as: 'desk',
    message: { type: 'correction', refers_to: 'first', content: '-' },
  }
  await say(on.log, other)
  expect(await comesTo(on, call('invite', { who: 'bob@x.com' }))).toBe('nowhere')
  expect(await comesTo(on, call('invite', { who: 'ann@x.com' }))).toBe('allow')
  await expectReplay(on)
})

test('a text that the catalog says stands for nothing is no value, as the review shows', async () => {
  const on = await scene(setup)
  const address = await reviewed(on, call('send', { to: ['ann@x.com'], cc: 'null' }))
  const { values = [] } = await reviewOf(on.log, address)
  expect(values[1]).toEqual({ arg: '/cc', kind: 'email', value: 'null', found: 'absent' })
  expect(await comesTo(on, call('send', { to: [], cc: 'none' }))).toBe('nowhere')
  await expectReplay(on)
})

test('people leave the owner of a name out where it is the only one', async () => {
  const on = await scene(setup)
  await inform(on, 'Give notes and the drafts, not other/plans.')
  expect(await comesTo(on, call('give', { name: 'ann/notes' }))).toBe('nowhere')
  await result(on, 'names', {}, { all: ['ann/notes', 'ann/plans'] })
  expect(await comesTo(on, call('give', { name: 'ann/notes' }))).toBe('allow')
  expect(await comesTo(on, call('give', { name: 'ann/drafts' }))).toBe('nowhere')
  expect(await comesTo(on, call('give', { name: 'ann/plans' }))).not.toBe('allow')
  await result(on, 'names', {}, { all: [], issues: 'see https://git.example/eve/notes.git' })
  expect(await comesTo(on, call('give', { name: 'ann/notes' }))).not.toBe('allow')
  await expectReplay(on)
})

test('what a tool reports of earlier acts makes nothing known', async () => {
  const on = await scene(setup)
  await result(on, 'write', { body: 'ask eve@y.org' }, 'done')
  await result(on, 'sent', {}, [{ to: 'tom@x.com', body: 'ask eve@y.org' }])
  expect(await comesTo(on, call('send', { to: ['eve@y.org'] }))).toBe('repeated')
  expect(await comesTo(on, call('send', { to: ['tom@x.com'] }))).toBe('allow')
  await expectReplay(on)
})

test('a text that people named says one amount, until the agent may have changed it', async () => {
  const on = await scene(setup)
  await inform(on, 'Pay the bill in /bills/1.txt.')
  const text = 'Total: 45.20 EUR'
  await result(
    on,
    'read',
    { path: '/bills/1.txt' },
    { path: '/bills/1.txt', owner: 'harbour', text },
  )
  expect(await comesTo(on, call('pay', { amount: 45.2 }))).toBe('allow')
  expect(await comesTo(on, call('pay', { amount: 905 }))).toBe('nowhere')
  await say(on.log, { session, intent: { tool: 'write', args: { to: '/bills', text: 'x' } } })
  expect(await comesTo(on, call('pay', { amount: '45.20' }))).toBe('untrusted')
  await expectReplay(on)
})

test.each([
  { arg: '/path', kind: 'path', fromNamed: true },
  { arg: '/path', kind: 'id', shown: true },
])('what destroys goes by no text, nor by what was merely shown', async (one) => {
  const on = await scene(setup)
  const known = [one]
  const entry = Capability.parse({
    id: 'erase',
    safetyClass: 'DESTRUCTIVE',
    argsSchema: anyArgs,
    known,
  })
  const put = { op: 'put', collection: 'capabilities', entry } as const
  await expect(changeCatalog(on.runtime, put)).rejects.toMatchObject({ code: 'known_misplaced' })
})
