// A backup of one stream and its restoring, by the server's own API, as `nats stream backup` and
// `nats stream restore` do it.
import { z } from 'zod'
import type { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'

const Config = z.looseObject({ name: z.string() })
const Snapshot = z.looseObject({ config: Config, state: z.looseObject({ last_seq: z.number() }) })
const Restore = z.looseObject({ deliver_subject: z.string() })
const Refusal = z.looseObject({ error: z.looseObject({ description: z.string() }).optional() })

export interface Backup {
  readonly config: z.infer<typeof Config>
  readonly state: z.infer<typeof Snapshot>['state']
  readonly chunks: readonly Uint8Array[]
}

const chunkBytes = 65_536

export async function backUp(link: NatsLink, stream: string): Promise<Backup> {
  const requests = new Requests(link)
  const subject = `${link.inbox}.backup`
  const chunks: Uint8Array[] = []
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const stop = link.subscribe(subject, ({ bytes, reply }) => {
    if (bytes.length === 0) {
      end()
      return
    }
    // What is received belongs to the driver, which may use it again.
    chunks.push(Buffer.from(bytes))
    if (reply !== '') link.publish(reply, '')
  })
  try {
    const body = { deliver_subject: subject, chunk_size: chunkBytes }
    const answer = await asked(requests, `STREAM.SNAPSHOT.${stream}`, body)
    await ended
    return { ...Snapshot.parse(answer), chunks }
  } finally {
    stop()
    requests.close()
  }
}

/** In the place of the stream, which must not be there. */
export async function restore(link: NatsLink, backup: Backup): Promise<void> {
  const requests = new Requests(link)
  try {
    const { config, state, chunks } = backup
    const answer = await asked(requests, `STREAM.RESTORE.${config.name}`, { config, state })
    const { deliver_subject: to } = Restore.parse(answer)
    for (const chunk of chunks) refuse((await requests.send(to, chunk)).bytes)
    refuse((await requests.send(to, '')).bytes)
  } finally {
    requests.close()
  }
}

export async function remove(link: NatsLink, stream: string): Promise<void> {
  const requests = new Requests(link)
  await asked(requests, `STREAM.DELETE.${stream}`, {})
  requests.close()
}

async function asked(requests: Requests, subject: string, body: object): Promise<unknown> {
  const { bytes } = await requests.send(`$JS.API.${subject}`, JSON.stringify(body))
  refuse(bytes)
  return JSON.parse(Buffer.from(bytes).toString())
}

function refuse(bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString()
  const { error } = Refusal.parse(text === '' ? {} : JSON.parse(text))
  if (error !== undefined) throw new Error(error.description)
}
