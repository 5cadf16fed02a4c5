// What an agent gets of a call that a gateway of its process carries out: a frame, a handle, and
// never what it may not see; and what stops it later stops each further look, too.
import { expect, test } from 'vitest'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { changeCatalog, keys, testRuntime, type TestRuntime } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'

const canary = 'ghp_0123456789abcdefABCDEF0123456789abcd'
const people = [
  { name: 'Ann', email: 'ann@x.com', note: `token ${canary}` },
  { name: 'Ben', email: 'ben@x.com', note: 'none' },
  { name: 'Cid', email: 'cid@y.com', note: 'none' },
]

const argsSchema = { type: 'object', properties: { q: { type: 'string' } } }
const driver = (operation: string) => ({ kind: 'local' as const, operation })
const READ = 'READ' as const
const find = { id: 'people.find', safetyClass: READ, argsSchema, driver: driver('find') }
const send = {
  id: 'mail.send',
  safetyClass: READ,
  argsSchema: { type: 'object', properties: { to: { type: 'string' } } },
  known: [{ arg: '/to', kind: 'email' as const }],
  driver: driver('send'),
}

interface Opened extends TestRuntime {
  readonly agent: Warrant
}

async function opened(capability: object = {}, more: object = {}): Promise<Opened> {
  const on = await testRuntime({
    catalog: {
      capabilities: [{ ...find, ...capability }, send],
      principals: [{ id: 'gw' }, { id: 'eve', owner: 'olga' }],
      trustedEvidence: [{ sender: 'gw', for: ['*'] }],
      ...more,
    },
  })
  endWithTest(() => on.runtime.stop())
  return { ...on, agent: await client(on, 'bot') }
}

async function client({ runtime }: TestRuntime, as: string): Promise<Warrant> {
  const tools = {
    find: () => people,
    send: () => 'sent',
    fail: () => {
      throw new ToolFailure('tool_error', 'yes', { text: `refused for ${canary}` })
    },
  }
  const made = await connect({ as, runtime, tools, gateway: { principal: 'gw' } })
  endWithTest(() => made.close())
  return made
}

test('a call gives a frame, redacted, and a handle for more of it', async () => {
  const { agent, log } = await opened()
  const answer = await agent.call({ tool: 'people.find', args: { q: 'a' } }, { mode: 'table' })
  expect(answer.frame.table?.map((row) => JSON.stringify(row))).toEqual([
    '{"name":"Ann","email":"[REDACTED]","note":"token [REDACTED]"}',
    '{"name":"Ben","email":"[REDACTED]","note":"none"}',
    '{"name":"Cid","email":"[REDACTED]","note":"none"}',
  ])
  const more = await agent.expand(answer.handle?.id ?? '', { offset: 1, limit: 1 })
  expect(more.table).toMatchObject([{ name: 'Ben' }])
  for await (const { bytes } of log.read({})) {
    const text = Buffer.from(bytes).toString()
    for (const secret of [canary, 'ann@x.com']) expect(text).not.toContain(secret)
  }
})

test('a kind that the capability reveals is shown, and raw is for its role alone', async () => {
  const { agent } = await opened({ reveal: ['email'] })
  const table = await agent.call({ tool: 'people.find', args: {} }, { mode: 'table' })
  expect(JSON.stringify(table.frame.table)).toContain('ann@x.com')
  expect(JSON.stringify(table.frame.table)).not.toContain(canary)
  const raw = await agent.call({ tool: 'people.find', args: {} }, { mode: 'raw' })
  expect(raw.frame.mode).toBe('summary')
  expect(raw.frame.warnings.map(({ code }) => code)).toContain('mode')
})

test('what the tool answered makes values known to later calls of the session', async () => {
  const { agent } = await opened({ untrusted: [] })
  const session = agent.session()
  const before = await agent
    .ask(
      { tool: 'mail.send', args: { to: 'ann@x.com' } },
      { session, waitMs: 5_000, onReview: () => false },
    )
    .catch((pending: unknown) => pending)
  expect(before).toMatchObject({ code: 'no_verdict' })
  await agent.call({ tool: 'people.find', args: {} }, { session })
  const sent = await agent.call({ tool: 'mail.send', args: { to: 'BEN@x.com' } }, { session })
  expect(sent.frame.facts).toEqual(['sent'])
})

test('a handle is of one agent, and what the agent says of it changes nothing', async () => {
  const on = await opened()
  const { handle } = await on.agent.call({ tool: 'people.find', args: {} })
  const eve = await client(on, 'eve')
  const id = handle?.id ?? ''
  await expect(eve.expand(id)).rejects.toMatchObject({ code: 'handle_refused' })
  await expect(on.agent.expand(`${id}x`)).rejects.toMatchObject({ code: 'handle_refused' })
  const forged = { owner: 'bot', constraints: {}, allowedFields: null }
  await expect(on.agent.expand(id, forged)).rejects.toMatchObject({ code: 'handle_refused' })
})

test.each([
  ['revoked', { target: { agent: 'bot' } }],
  ['suspended', null],
])('an agent that was %s sees no more of what it was given', async (_, revocation) => {
  const { agent, runtime } = await opened()
  const { handle } = await agent.call({ tool: 'people.find', args: {} })
  await agent.expand(handle?.id ?? '')
  if (revocation === null) await changeCatalog(runtime, { op: 'suspend', id: 'bot' })
  else await agent.revoke({ by: 'root', privateKey: keys.root, ...revocation })
  const expanding = agent.expand(handle?.id ?? '')
  await expect(expanding).rejects.toMatchObject({ code: 'handle_refused' })
})

test('a filter on a field that is not shown finds nothing out', async () => {
  const fields = { sensitivity: 'PII', allowedFields: ['name'] }
  const principals = [{ id: 'gw' }, { id: 'eve', owner: 'olga', attributes: { tenant: 'eu' } }]
  const on = await opened(fields, { principals })
  const eve = await client(on, 'eve')
  const { handle, frame } = await eve.call({ tool: 'people.find', args: {} }, { mode: 'table' })
  expect(frame.table).toEqual([{ name: 'Ann' }, { name: 'Ben' }, { name: 'Cid' }])
  const id = handle?.id ?? ''
  const probing = eve.expand(id, { filter: { note: 'none' } })
  await expect(probing).rejects.toThrow('field_not_allowed')
  expect((await eve.expand(id, { filter: { name: 'Ben' } })).table).toEqual([{ name: 'Ben' }])
  // Each look at it is in the log, in order.
  const names: string[] = []
  for await (const { name } of on.log.read({})) if (name.includes('.expansion.')) names.push(name)
  expect(names.map((name) => name.split('.').at(-1))).toEqual(['1', '2'])
})

test('what a tool that failed wrote does not reach the agent', async () => {
  const { agent } = await opened({ driver: driver('fail') })
  const call = agent.call({ tool: 'people.find', args: {} })
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'tool_failed' })
  expect(error instanceof Error ? error.message : canary).not.toContain(canary)
})

test('what was denied is not carried out', async () => {
  const { agent } = await opened()
  const call = agent.call({ tool: 'people.find', args: { q: 7 } })
  await expect(call).rejects.toMatchObject({ name: 'Refused' })
})
