// A real SMTP server on loopback that keeps what it takes, for tests of e-mail.
import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { endWithTest } from '../vitest/endings.ts'

export interface MailboxAtWork {
  readonly port: number
  /** Each mail as it came, its lines ended by CR and LF. */
  readonly received: string[]
  /** Resolves with the first mail. */
  readonly first: Promise<string>
}

/** `refusal`: what is answered to a mail instead of taking it; null takes it. */
export async function mailboxServer(
  more: SMTPServerOptions = {},
  refusal: () => Error | null = () => null,
): Promise<MailboxAtWork> {
  const received: string[] = []
  let take: (mail: string) => void = () => undefined
  const first = new Promise<string>((resolve) => {
    take = resolve
  })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refused = refusal()
        if (refused !== null) {
          done(refused)
          return
        }
        const mail = Buffer.concat(chunks).toString()
        received.push(mail)
        take(mail)
        done()
      })
    },
    ...more,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  endWithTest(() => new Promise<void>((done) => server.close(() => done())))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, received, first }
}
