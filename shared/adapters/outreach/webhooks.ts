// Incoming webhooks of Slack and of Teams: one post of JSON to an address that is itself the
// secret. What people or agents wrote goes into fields that are plain text there, never into
// markup.
import { ChannelFailure, type Channel, type ChannelMessage, type LoadSecret } from '#ports/channels'
import type { Json } from '#core/kernel/canonical'
import { secretOf } from './failures.ts'
import { isHostOf, posting, type PostingOptions } from './posting.ts'

export interface WebhookOptions extends PostingOptions {
  readonly secret: LoadSecret
}

/** Where such addresses lead; the operator's own hosts may stand in for them. */
const hostsOf = {
  slack: ['hooks.slack.com', 'hooks.slack-gov.com'],
  teams: [
    '*.webhook.office.com',
    '*.logic.azure.com',
    '*.api.powerplatform.com',
    '*.api.powerplatform.us',
  ],
} as const

type WebhookKind = keyof typeof hostsOf

/** Longer parts are refused there. */
const subjectCharactersMax = 150
const textCharactersMax = 2_800

export function slackChannel(options: WebhookOptions): Channel {
  return webhookChannel('slack', options, slackBody)
}

export function teamsChannel(options: WebhookOptions): Channel {
  return webhookChannel('teams', options, teamsBody)
}

function webhookChannel(
  kind: WebhookKind,
  options: WebhookOptions,
  bodyOf: (message: ChannelMessage) => Json,
): Channel {
  const posts = posting(options)
  return {
    kind,
    async deliver({ target, message, signal }) {
      if (target.channel !== kind) throw new ChannelFailure('target_invalid', false)
      if (signal.aborted) throw new ChannelFailure('timed_out', true)
      const url = (await secretOf(options.secret, target.secret)).trim()
      if (!isHostOf(url, hostsOf[kind], options.privateHosts))
        throw new ChannelFailure('secret_invalid', false)
      const headers = { 'content-type': 'application/json', 'user-agent': 'warrant' }
      await posts.post({ url, headers, body: JSON.stringify(bodyOf(message)), signal })
    },
    async close() {
      posts.close()
    },
  }
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…`.toWellFormed() : text
}

function slackBody({ subject, lines, link }: ChannelMessage): Json {
  const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false })
  const opened = { type: 'mrkdwn', text: `<${slackText(link ?? '')}|Open the review>` }
  return {
    // What a notification on a screen shows, read as markup.
    text: slackText(cut(subject, subjectCharactersMax)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plainText(cut(subject, subjectCharactersMax)) },
      ...[cut(lines.join('\n'), textCharactersMax)]
        .filter((text) => text !== '')
        .map((text) => ({ type: 'section', text: plainText(text) })),
      ...(link === null ? [] : [{ type: 'section', text: opened }]),
    ],
  }
}

/** Without these three nothing is markup, a mention or a link there. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function teamsBody({ subject, lines, link }: ChannelMessage): Json {
  // A block of text would be read as Markdown; a run of text is not.
  const paragraph = (text: string, isStrong: boolean) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...(isStrong && { weight: 'Bolder' }) }],
  })
  const open = { type: 'Action.OpenUrl', title: 'Open the review', url: link ?? '' }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: 'A review waits for an answer.',
    body: [
      paragraph(cut(subject, subjectCharactersMax), true),
      ...lines.map((line) => paragraph(cut(line, textCharactersMax), false)),
    ],
    ...(link !== null && { actions: [open] }),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}
