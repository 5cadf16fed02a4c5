// What tools answered through the proxy is evidence in its name: a later call of the session may
// rest on a value that a tool gave, and a made-up one is asked about.
import { describe, expect, test } from 'vitest'
import { intentIn, outcomes, proxied, type Proxied, type ProxiedSetup } from './proxied.ts'

const known = (kind: 'name' | 'email') => ({ known: [{ arg: '/to', kind }] })
const speaker = { principal: 'door' }
const catalog = {
  principals: [{ id: 'door' }],
  trustedEvidence: [{ sender: 'door', for: ['send'] }],
}
/** `row` answers with the name Ann, `leak` with a mail address, and `send` wants one of these. */
const capabilities = { row: { untrusted: [] }, leak: { untrusted: [] }, send: known('name') }
const trusted: ProxiedSetup = { capabilities, driven: true, session: 'chat', speaker, catalog }

async function begun(setup: ProxiedSetup) {
  const on = await proxied(setup)
  const client = await on.connected('auto')
  const call = (name: string, args: Record<string, unknown> = {}) => {
    return client.callTool({ name, arguments: args })
  }
  return { on, call }
}

async function questionsOn({ bot }: Proxied, intent: string): Promise<readonly string[]> {
  const review = (await bot.reviews()).find((one) => one.intent === intent)
  return review?.review.questions.map(({ kind }) => kind) ?? []
}

describe('a value that must be known', () => {
  test('is known where a tool answered it before, and the call runs', async () => {
    const { on, call } = await begun(trusted)
    expect((await call('row')).structuredContent).toEqual({ id: 1, name: 'Ann' })
    expect((await call('send', { to: 'Ann' })).isError).not.toBe(true)
    expect(await on.ran()).toEqual(['row', 'send'])
    expect(await outcomes(on)).toEqual(['outcome succeeded', 'outcome succeeded'])
  })

  test('is known though it was redacted, and the log never had it', async () => {
    const { on, call } = await begun({
      ...trusted,
      capabilities: { ...capabilities, send: known('email') },
    })
    expect(JSON.stringify(await call('leak'))).not.toContain('ann@example.com')
    for await (const { bytes } of on.log.read({})) {
      expect(Buffer.from(bytes).toString()).not.toContain('ann@example.com')
    }
    expect((await call('send', { to: 'Ann@Example.com' })).isError).not.toBe(true)
  })

  test('is asked about where it is made up, and the call does not run', async () => {
    const { on, call } = await begun(trusted)
    await call('row')
    const answer = await call('send', { to: 'Eve' })
    expect(await questionsOn(on, intentIn(answer))).toEqual(['value_unknown'])
    expect(await on.ran()).toEqual(['row'])
  })

  test('is asked about before any tool has answered it', async () => {
    const { on, call } = await begun(trusted)
    const answer = await call('send', { to: 'Ann' })
    expect(await questionsOn(on, intentIn(answer))).toEqual(['value_unknown'])
  })

  const { session: _session, ...sessionless } = trusted
  const { speaker: _speaker, ...speechless } = trusted
  const untrusted = { ...trusted, capabilities: { ...capabilities, row: {} } }
  test.each<[string, ProxiedSetup]>([
    ['outside of a session', sessionless],
    ['in no name', speechless],
    ['in the name of someone who is not trusted', { ...trusted, speaker: { principal: 'honest' } }],
    ['by a tool that the agent’s own guard runs', { ...trusted, driven: false }],
    ['by a tool of which no one has said what others write there', untrusted],
  ])('is asked about where it was answered %s', async (_, setup) => {
    const { on, call } = await begun(setup)
    expect((await call('row')).isError).not.toBe(true)
    const answer = await call('send', { to: 'Ann' })
    expect(await questionsOn(on, intentIn(answer))).toEqual(['value_unknown'])
    expect(await on.ran()).toEqual(['row'])
  })
})
