// The table of channels that are incoming webhooks: what each is called, where its addresses lead,
// how long the parts of a message may be there, and its body. An entry is all that a channel needs.
// What people or agents wrote goes into fields that are plain text there, never into markup.

/** A message whose parts are no longer than the channel takes. */
export interface WebhookMessage {
  readonly subject: string
  readonly texts: readonly string[]
  /** What it leads to; null for a trial. */
  readonly link: string | null
}

export interface WebhookChannel {
  readonly title: string
  /** `*.example.org` stands for all below it; the operator's own hosts may stand in for them. */
  readonly hosts: readonly string[]
  /** Longer parts are refused there. */
  readonly subjectCharactersMax: number
  readonly textCharactersMax: number
  /** Whether all paragraphs are one text. */
  readonly isOneText: boolean
  readonly body: (message: WebhookMessage) => object
}

const table = {
  slack: {
    title: 'Slack',
    hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
    subjectCharactersMax: 150,
    textCharactersMax: 2_800,
    isOneText: true,
    body: slackBody,
  },
  teams: {
    title: 'Teams',
    hosts: [
      '*.webhook.office.com',
      '*.logic.azure.com',
      '*.api.powerplatform.com',
      '*.api.powerplatform.us',
    ],
    subjectCharactersMax: 150,
    textCharactersMax: 2_800,
    isOneText: false,
    body: teamsBody,
  },
} as const satisfies Readonly<Record<string, WebhookChannel>>

export type WebhookKind = keyof typeof table

export const webhookChannels: Readonly<Record<WebhookKind, WebhookChannel>> = table

function isWebhookKind(text: string): text is WebhookKind {
  return Object.hasOwn(table, text)
}

export const webhookKinds: readonly WebhookKind[] = Object.keys(table).filter(isWebhookKind)

/** `Slack and Teams`. */
export const webhookTitles: string = webhookKinds
  .map((kind) => webhookChannels[kind].title)
  .join(' and ')

function slackBody({ subject, texts, link }: WebhookMessage): object {
  const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false })
  const opened = { type: 'mrkdwn', text: `<${slackText(link ?? '')}|Open the review>` }
  return {
    // What a notification on a screen shows, read as markup.
    text: slackText(subject),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plainText(subject) },
      ...texts
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

function teamsBody({ subject, texts, link }: WebhookMessage): object {
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
    body: [paragraph(subject, true), ...texts.map((text) => paragraph(text, false))],
    ...(link !== null && { actions: [open] }),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}
