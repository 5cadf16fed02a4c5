// What a program says in a session beside asking: a person's words, what tools answered, and its
// end; and what a request would come to, without asking.
import { expect, test } from 'vitest'
import { connect } from '#client/connect'
import { testRuntime } from '../support/runtime.ts'

const schema = { type: 'object', properties: { to: { type: 'string' } } }
const setup = {
  catalog: {
    principals: [{ id: 'user' }, { id: 'tools' }],
    capabilities: [
      {
        id: 'send_email',
        safetyClass: 'READ' as const,
        argsSchema: schema,
        known: [{ arg: '/to', kind: 'email' as const, unknown: 'deny' as const }],
      },
      { id: 'search', safetyClass: 'READ' as const, argsSchema: schema, untrusted: [] },
    ],
    trustedEvidence: [
      { sender: 'user', for: ['*'] },
      { sender: 'tools', for: ['*'] },
    ],
  },
}

async function opened() {
  const { runtime, bot } = await testRuntime(setup)
  const session = bot.session()
  const user = await connect({ as: 'user', runtime })
  const tools = await connect({ as: 'tools', runtime })
  const to = (client: typeof user) => ({ session: client.session(session.id), receiver: 'bot' })
  return { bot, session, user, tools, to }
}

const write = (address: string) => ({ tool: 'send_email', args: { to: address } })

test('a person’s words make a value known, from then on', async () => {
  const { bot, session, user, to } = await opened()
  const before = await bot.ask(write('ann@x.org'), { session })
  expect(before.reasons.map(({ code }) => code)).toEqual(['value_unknown'])
  await user.say('write to ann@x.org, please', to(user))
  expect(await bot.ask(write('ann@x.org'), { session })).toMatchObject({ outcome: 'allow' })
})

test('so does what a tool answered, unless it failed or says who else may have written it', async () => {
  const { bot, session, tools, to } = await opened()
  const args = { to: 'tom' }
  const { name: answers } = await bot.ask({ tool: 'search', args }, { session })
  const value = { found: ['tom@x.org'], notes: 'eve@x.org', old: 'jim@x.org' }
  const of = { tool: 'search', args, answers }
  await tools.toolResult({ ...of, value, untrusted: ['/notes'] }, to(tools))
  await tools.toolResult({ ...of, value: 'kim@x.org', error: true }, to(tools))
  const outcomes = []
  for (const address of ['tom@x.org', 'jim@x.org', 'eve@x.org', 'kim@x.org']) {
    outcomes.push((await bot.ask(write(address), { session })).outcome)
  }
  expect(outcomes).toEqual(['allow', 'allow', 'deny', 'deny'])
})

test('what a client says in a session that it has ended is marked so', async () => {
  const { bot, session, user, to } = await opened()
  const marked = async (): Promise<boolean> => {
    const { intent } = await bot.ask({ tool: 'search' }, { session })
    const fact = await bot.runtime.log.get(`main.1.grounding.${intent}.1`)
    return Buffer.from(fact?.bytes ?? '').includes('session_closed')
  }
  await user.endSession(to(user).session)
  expect(await marked()).toBe(false)
  await bot.endSession(session, { summary: 'all found', completed: ['search'] })
  expect(await marked()).toBe(true)
})

test('a client that joins a session counts on in it', async () => {
  const { bot, session, user, to } = await opened()
  await user.say('one', to(user))
  await user.say('two', to(user))
  const bytes = []
  const { log } = bot.runtime
  for await (const fact of log.read({}, ['main.1.vlp.user.*.*'])) bytes.push(fact.bytes)
  const said = bytes.map((each) => JSON.parse(Buffer.from(each).toString('utf8')))
  expect(said.map(({ seq, session_id: id }) => [seq, id])).toEqual([
    [1, session.id],
    [2, session.id],
  ])
})

test('what a request would come to is what it comes to, and is not recorded', async () => {
  const { bot, session, user, to } = await opened()
  const { position } = await bot.runtime.log.head()
  const before = await bot.explain(write('ann@x.org'), { session })
  expect(before).toMatchObject({ agent: 'bot', tool: 'send_email', outcome: 'deny' })
  expect(before.reasons.map(({ code }) => code)).toEqual(['value_unknown'])
  expect(await bot.runtime.log.head()).toMatchObject({ position })
  await user.say('write to ann@x.org, please', to(user))
  expect(await bot.explain(write('ann@x.org'), { session })).toMatchObject({ outcome: 'allow' })
  const other = await bot.explain({ tool: 'search' }, { agent: 'ghost' })
  expect(other.reasons.map(({ code }) => code)).toContain('unknown_agent')
  await expect(bot.explain({ tool: '' })).rejects.toMatchObject({ code: 'intent_invalid' })
})
