// Incoming webhooks: what is posted is plain text there, to nowhere else, and signed where asked.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { webhookChannel } from '#outreach/channels/webhooks'
import { webhookChannels, webhookKinds, type WebhookKind } from '#schemas/outreach/webhook-channels'
import { canary, channelConformance, message, type StandOptions } from './channel-conformance.ts'
import { receiver } from './receiver.ts'

const signal = new AbortController().signal
const hostile = '<!channel> *bold* [x](http://evil.example) <http://evil.example|pay> @here &amp;'

const open = (kind: WebhookKind) => {
  return async ({ answers, isListed = true }: StandOptions) => {
    const { origin, host, received } = await receiver(answers)
    const secret = async () => `${origin}/services/${canary}`
    const channel = webhookChannel(kind, { secret, privateHosts: isListed ? [host] : [] })
    const target = { channel: kind, secret: 'HOOK' }
    return { channel, target, received: () => received.map(({ body }) => body.toString()) }
  }
}

for (const kind of webhookKinds) channelConformance(webhookChannels[kind].title, open(kind))

const Slack = z.object({
  text: z.string(),
  blocks: z.array(
    z.object({ type: z.string(), text: z.object({ type: z.string(), text: z.string() }) }),
  ),
})

test('for Slack nothing that others wrote is markup, a mention or a link', async () => {
  const { channel, target, received } = await open('slack')({ answers: 'taken' })
  await channel.deliver({
    target,
    message: { ...message, subject: hostile, lines: [hostile] },
    signal,
  })
  const posted = Slack.parse(JSON.parse(received()[0] ?? ''))
  expect(posted.text).not.toMatch(/<[!@#h]/)
  const markup = posted.blocks.filter(({ text }) => text.type === 'mrkdwn')
  expect(markup.map(({ text }) => text.text)).toEqual([`<${message.link}|Open the review>`])
  const plain = posted.blocks.filter(({ text }) => text.type === 'plain_text')
  expect(plain.map(({ text }) => text.text)).toEqual([hostile, hostile])
})

const Teams = z.object({
  attachments: z.tuple([
    z.object({
      content: z.object({
        body: z.array(
          z.object({
            type: z.string(),
            inlines: z.array(z.object({ type: z.string(), text: z.string() })),
          }),
        ),
        actions: z.array(z.object({ type: z.string(), url: z.string() })),
      }),
    }),
  ]),
})

test('for Teams every text is a run of text, which is not read as Markdown', async () => {
  const { channel, target, received } = await open('teams')({ answers: 'taken' })
  await channel.deliver({ target, message: { ...message, lines: [hostile] }, signal })
  const { content } = Teams.parse(JSON.parse(received()[0] ?? '')).attachments[0]
  expect(new Set(content.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
  expect(content.body[1]?.inlines).toEqual([{ type: 'TextRun', text: hostile }])
  expect(content.actions).toEqual(
    [{ type: 'Action.OpenUrl', title: 'Open the review', url: message.link }].map(
      ({ type, url }) => ({ type, url }),
    ),
  )
})

test.each(webhookKinds)(
  'an address elsewhere is refused before it is resolved: %s',
  async (kind) => {
    const resolved: string[] = []
    const resolve = async (host: string) => {
      resolved.push(host)
      return ['93.184.216.34']
    }
    const hosts = webhookChannels[kind].hosts.map((host) => host.replace('*', 'below'))
    const elsewhere = hosts.flatMap((host) => [
      `https://${host}.evil.example/services/x`,
      `https://evil.example/${host}`,
      `https://evil${host.replace('below.', '')}/services/x`,
      `http://${host}/services/x`,
      `https://user@${host}/services/x`,
    ])
    for (const url of [...elsewhere, 'not an address']) {
      const channel = webhookChannel(kind, { secret: async () => url, resolve })
      const target = { channel: kind, secret: 'HOOK' }
      await expect(channel.deliver({ target, message, signal })).rejects.toMatchObject({
        mayPass: false,
      })
      await channel.close()
    }
    expect(resolved).toEqual([])
  },
)

test('a redirect is not followed, and a limit is waited for', async () => {
  const on = await receiver()
  const { origin, host, received } = on
  const channel = webhookChannel('teams', {
    secret: async () => `${origin}/x`,
    privateHosts: [host],
  })
  const target = { channel: 'teams' as const, secret: 'HOOK' }
  on.answer(302, { location: `${origin}/elsewhere` })
  await expect(channel.deliver({ target, message, signal })).rejects.toMatchObject({
    code: 'redirected',
    mayPass: false,
  })
  on.answer(429)
  await expect(channel.deliver({ target, message, signal })).rejects.toMatchObject({
    code: 'rate_limited',
    mayPass: true,
  })
  expect(received.map(({ url }) => url)).toEqual(['/x', '/x'])
  await channel.close()
})

describe('a secret of two lines', () => {
  const delivered = async (key: string) => {
    const { origin, host, received } = await receiver()
    const secret = async () => `${origin}/x\n${key}\n`
    const channel = webhookChannel('slack', { secret, privateHosts: [host] })
    const target = { channel: 'slack' as const, secret: 'HOOK' }
    const ended = await channel
      .deliver({ target, message, signal })
      .catch((error: unknown) => error)
    await channel.close()
    return { ended, received }
  }

  test('signs each post with the second, as Standard Webhooks has it', async () => {
    const key = Buffer.alloc(24, 7)
    const { received } = await delivered(`whsec_${key.toString('base64')}`)
    const at = String(message.at / 1_000)
    const mac = createHmac('sha256', key)
      .update(`${message.id}.${at}.${received[0]?.body.toString()}`)
      .digest('base64')
    expect(received).toMatchObject([
      {
        url: '/x',
        headers: {
          'webhook-id': message.id,
          'webhook-timestamp': at,
          'webhook-signature': `v1,${mac}`,
        },
      },
    ])
  })

  test.each(['whsec_c2hvcnQ=', `${'k'.repeat(32)}\nmore`])('sends nothing for %j', async (key) => {
    const { ended, received } = await delivered(key)
    expect(ended).toMatchObject({ code: 'secret_invalid', mayPass: false })
    expect(received).toEqual([])
  })
})

test('a post is not signed where nothing says with what', async () => {
  const { origin, host, received } = await receiver()
  const channel = webhookChannel('teams', { secret: async () => origin, privateHosts: [host] })
  const target = { channel: 'teams' as const, secret: 'HOOK' }
  await channel.deliver({ target, message, signal })
  await channel.close()
  expect(Object.keys(received[0]?.headers ?? {})).not.toContain('webhook-signature')
})
