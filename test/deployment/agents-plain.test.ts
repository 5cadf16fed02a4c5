// Agents that know nothing of ours: other languages, and the plain NATS client.
import { describe, expect, test } from 'vitest'
import { shardOf } from '#log/nats/intake'
import { VlpMessage } from '#schemas/vlp'
import { agentPrograms, askWith, type AgentProgram } from './agents-programs.ts'
import { standIn, type Answering } from './agents-stand-in.ts'
import { hasNats, shareNats } from '../support/servers/nats-server.ts'

const words = ['mailer', 'send_email', '{"to":"ann@example.org"}', 'she asked for the minutes']

async function asked(program: AgentProgram, answer: Answering, waitSeconds = 2) {
  const shared = await shareNats()
  const { url, realm } = shared
  const others = await standIn(url, realm, answer)
  const environment = {
    WARRANT_LOG: url,
    WARRANT_REALM: realm,
    WARRANT_WAIT_SECONDS: String(waitSeconds),
  }
  try {
    const ran = await askWith(program, words, environment)
    return { ...ran, realm, messages: new Map(others.messages) }
  } finally {
    await others.close()
    await shared.dispose()
  }
}

for (const program of agentPrograms) {
  describe.skipIf(!hasNats || !program.isHere)(`an agent in ${program.language}`, () => {
    test('is denied, and prints each reason with how to recover', async () => {
      const reasons = [{ code: 'ungrounded', recover: 'learn', message: 'send is not known' }]
      const { code, stdout } = await asked(program, { outcome: 'deny', reasons, notice: true })
      expect(stdout).toBe('deny ungrounded (learn)\n')
      expect(code).toBe(3)
    })

    test('refuses a verdict on another message than it published', async () => {
      const digest = `sha256:${'0'.repeat(64)}`
      const { code, stdout, stderr } = await asked(program, {
        outcome: 'allow',
        notice: true,
        digest,
      })
      expect(stdout).toBe('')
      expect(stderr).toContain('the verdict is about another message')
      expect(code).toBe(1)
    })

    test('takes a notice for a hint: without a verdict it is not allowed', async () => {
      const { code, stdout } = await asked(program, { outcome: 'none', notice: true })
      expect(stdout).toBe('no verdict in time\n')
      expect(code).toBe(4)
    })

    test('finds an allow whose notice never came', async () => {
      const { code, stdout } = await asked(program, { outcome: 'allow', notice: false })
      expect(stdout).toBe('allow\n')
      expect(code).toBe(0)
    })

    test('publishes the same bytes again while it waits, since a server may lose them', async () => {
      const answer = { outcome: 'allow', notice: true, after: 3 } as const
      const { code, stdout, messages } = await asked(program, answer, 20)
      expect(stdout).toBe('allow\n')
      expect(code).toBe(0)
      expect(messages.size).toBe(1)
    })

    test('publishes one message under its own name, as VLP defines it', async () => {
      const { realm, messages } = await asked(program, { outcome: 'allow', notice: true })
      const [[name, bytes] = ['', new Uint8Array()]] = messages
      expect(messages.size).toBe(1)
      expect(name).toMatch(
        new RegExp(
          `^${realm}\\.in\\.${shardOf('mailer')}\\.vlp\\.mailer\\.-\\.[0-7][0-9A-HJKMNP-TV-Z]{25}$`,
        ),
      )
      expect(
        VlpMessage.parse(JSON.parse(Buffer.from(bytes).toString())).payload?.['intent'],
      ).toEqual({
        tool: 'send_email',
        args: { to: 'ann@example.org' },
        justification: 'she asked for the minutes',
      })
    })
  })
}
