// E-mail: a real SMTP server on loopback takes plain text, and no header that anyone smuggled in.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { mailChannel, type MailOptions } from '#outreach/channels/mail'
import { certificates, hasOpenssl } from '../../support/servers/certificates.ts'
import { mailboxServer } from '../../support/servers/mailbox.ts'
import {
  canary,
  channelConformance,
  message,
  type Answers,
  type StandOptions,
} from './channel-conformance.ts'

const signal = new AbortController().signal
const target = { channel: 'mail' as const, address: 'ann@example.org' }

function refusalOf(code: number): Error {
  return Object.assign(new Error(`no: ${canary}`), { responseCode: code })
}

const codes = { busy: 451, refused: 554 } as const

async function mailbox(answers: Answers | number = 'taken', more: SMTPServerOptions = {}) {
  const users: string[] = []
  const refuses = answers === 'busy' || answers === 'refused'
  const server = await mailboxServer(
    {
      onAuth({ username = '', password }, _session, done) {
        users.push(username)
        if (password === canary) done(null, { user: username })
        else done(new Error(`no: ${canary}`))
      },
      onRcptTo(_address, _session, done) {
        if (answers === 'silent') return
        if (typeof answers === 'number') done(refusalOf(answers))
        else done()
      },
      ...more,
    },
    () => (refuses ? refusalOf(codes[answers]) : null),
  )
  return { ...server, users }
}

function options(port: number, more: Partial<MailOptions> = {}): MailOptions {
  return {
    server: { host: '127.0.0.1', port, isTls: false },
    from: 'warrant@example.org',
    password: 'SMTP_PASSWORD',
    secret: async () => canary,
    privateHosts: ['127.0.0.1'],
    ...more,
  }
}

const decoded = (text: string): string =>
  text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )

channelConformance('E-mail', async ({ answers, isListed = true }: StandOptions) => {
  const { port, received } = await mailbox(answers)
  const privateHosts = isListed ? ['127.0.0.1'] : []
  const channel = mailChannel(options(port, { privateHosts }))
  return { channel, target, received: () => received.map(decoded) }
})

test('it is plain text that answers nothing by itself, with an id by which it is recognised', async () => {
  const { port, received } = await mailbox()
  const channel = mailChannel(options(port))
  await channel.deliver({ target, message, signal })
  const [mail = ''] = received
  expect(mail).toContain('To: ann@example.org')
  expect(mail).toContain(`Message-ID: <${message.id}@example.org>`)
  expect(mail).toContain('Auto-Submitted: auto-generated')
  expect(mail).toMatch(/Content-Type: text\/plain/)
  expect(mail).not.toMatch(/text\/html/)
})

test('no text becomes a header, whatever stands in it', async () => {
  const { port, received } = await mailbox()
  const channel = mailChannel(options(port))
  const hostile = 'Review\r\nBcc: eve@evil.example\r\n\r\nbody \u202e gpj.exe'
  await channel.deliver({ target, message: { ...message, subject: hostile }, signal })
  const head = (received[0] ?? '').split('\r\n\r\n')[0] ?? ''
  expect(head).not.toMatch(/^Bcc:/im)
  expect(head.match(/^Subject:/gim)).toHaveLength(1)
})

test('it signs in by the secret, and a secret that is wrong is not repeated', async () => {
  const { port, users, received } = await mailbox('taken', {
    authOptional: false,
    allowInsecureAuth: true,
    authMethods: ['PLAIN'],
  })
  await mailChannel(options(port, { user: 'warrant' })).deliver({ target, message, signal })
  expect(users).toEqual(['warrant'])
  expect(received).toHaveLength(1)
  const wrong = mailChannel(
    options(port, { user: 'warrant', secret: async () => `${canary}-wrong` }),
  )
  const failure: unknown = await wrong
    .deliver({ target, message, signal })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'unauthorized', mayPass: false })
  expect(`${JSON.stringify(failure)} ${String(failure)}`).not.toContain(canary)
})

test('a mailbox that is not there is gone, and one that is full may take it later', async () => {
  const gone = await mailbox(550)
  await expect(
    mailChannel(options(gone.port)).deliver({ target, message, signal }),
  ).rejects.toMatchObject({ code: 'gone', mayPass: false })
  const full = await mailbox(452)
  await expect(
    mailChannel(options(full.port)).deliver({ target, message, signal }),
  ).rejects.toMatchObject({ code: 'unavailable', mayPass: true })
})

test('a server that no one listens at is out of reach', async () => {
  await expect(mailChannel(options(9)).deliver({ target, message, signal })).rejects.toMatchObject({
    code: 'unreachable',
    mayPass: true,
  })
})

test.runIf(hasOpenssl)(
  'it speaks TLS, later or at once, and only with a certificate that is good',
  async () => {
    const folder = await certificates()
    const [key, cert, ca] = await Promise.all(
      ['server.key', 'server.pem', 'ca.pem'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    const tls = { ...(key !== undefined && { key }), ...(cert !== undefined && { cert }) }
    const trust = { ca: [ca ?? ''] }
    const later = await mailbox('taken', { ...tls, disabledCommands: [] })
    await mailChannel(options(later.port, trust)).deliver({ target, message, signal })
    expect(later.received).toHaveLength(1)
    const atOnce = await mailbox('taken', { ...tls, secure: true })
    const server = { host: '127.0.0.1', port: atOnce.port, isTls: true }
    await mailChannel(options(atOnce.port, { ...trust, server })).deliver({
      target,
      message,
      signal,
    })
    expect(atOnce.received).toHaveLength(1)
    const unknown = mailChannel(options(atOnce.port, { server }))
    await expect(unknown.deliver({ target, message, signal })).rejects.toMatchObject({
      code: 'tls_failed',
    })
  },
)
