// Incoming webhooks of Slack and Teams: what is posted is plain text there, to nowhere else.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { slackChannel, teamsChannel, type WebhookOptions } from '#adapters/outreach/webhooks'
import type { Channel } from '#ports/channels'
import { canary, channelConformance, message, type StandOptions } from './channel-conformance.ts'
import { receiver } from './receiver.ts'

const signal = new AbortController().signal
const hostile = '<!channel> *bold* [x](http://evil.example) <http://evil.example|pay> @here &amp;'

const open = (kind: 'slack' | 'teams', make: (options: WebhookOptions) => Channel) => {
  return async ({ answers, isListed = true }: StandOptions) => {
    const { origin, host, received } = await receiver(answers)
    const secret = async () => `${origin}/services/${canary}`
    const channel = make({ secret, privateHosts: isListed ? [host] : [] })
    const target = { channel: kind, secret: 'HOOK' }
    return { channel, target, received: () => received.map(({ body }) => body.toString()) }
  }
}

channelConformance('Slack', open('slack', slackChannel))
channelConformance('Teams', open('teams', teamsChannel))

const Slack = z.object({
  text: z.string(),
  blocks: z.array(
    z.object({ type: z.string(), text: z.object({ type: z.string(), text: z.string() }) }),
  ),
})

test('for Slack nothing that others wrote is markup, a mention or a link', async () => {
  const { channel, target, received } = await open('slack', slackChannel)({ answers: 'taken' })
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
  const { channel, target, received } = await open('teams', teamsChannel)({ answers: 'taken' })
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

test('an address that is not one of Slack is refused before anything is resolved', async () => {
  const resolved: string[] = []
  const resolve = async (host: string) => {
    resolved.push(host)
    return ['93.184.216.34']
  }
  for (const url of [
    'https://hooks.slack.com.evil.example/services/x',
    'https://evil.example/hooks.slack.com',
    'http://hooks.slack.com/services/x',
    'https://user@hooks.slack.com/services/x',
    'not an address',
  ]) {
    const channel = slackChannel({ secret: async () => url, resolve })
    const target = { channel: 'slack' as const, secret: 'HOOK' }
    await expect(channel.deliver({ target, message, signal })).rejects.toMatchObject({
      mayPass: false,
    })
    await channel.close()
  }
  expect(resolved).toEqual([])
})

test('a redirect is not followed, and a limit is waited for', async () => {
  const on = await receiver()
  const { origin, host, received } = on
  const channel = teamsChannel({ secret: async () => `${origin}/x`, privateHosts: [host] })
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
