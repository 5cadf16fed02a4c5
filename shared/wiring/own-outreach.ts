// Composes what notifies people in this process: the channels that the environment sets up, and one
// service for each log. All share the store of addresses.
import { webhookChannel, type WebhookOptions } from '#outreach/channels/webhooks'
import { pushChannel } from '#outreach/channels/push'
import { pushSender } from '#outreach/channels/push-sealing'
import { toolSecrets } from '#gateway/tools/secrets'
import { Fault } from '#record/fault'
import type { MailServer } from '#outreach/channels/mail'
import type { Channel } from '#ports/channels'
import { webhookKinds } from '#schemas/outreach/webhook-channels'
import { settingTable } from '#schemas/settings/table'
import type { Settings } from '#schemas/settings/settings'
import type { Runtime } from '#runtime/engine/runtime'
import type { OutreachWords } from '#outreach/delivering'
import { startOutreach } from '#outreach/outreach'
import { reachBook } from '#outreach/reach-store'
import { settingInvalid } from '#runtime/reporting/setting-invalid'
import { configuration } from './config.ts'
import { environment } from './environment.ts'

export interface OwnOutreachOptions {
  readonly words: OutreachWords
  /** The store of addresses. */
  readonly reach: string
  /** The address of the console. */
  readonly url: string
}

export interface OwnOutreach {
  readonly channels: readonly Channel['kind'][]
  /** How many open reviews no one was reached for. */
  unreached(): number
  /** Ends what is under way within that time, and releases what the services share. */
  stop(drainMs: number): Promise<void>
}

const smtpPassword = 'SMTP_PASSWORD'
const pushKey = 'VAPID_KEY'

/** Begins to notify people of the reviews on these logs: of one, or of all cells of a realm. */
export async function outreachOn(
  runtimes: readonly Runtime[],
  { words, reach, url }: OwnOutreachOptions,
): Promise<OwnOutreach> {
  const channels = await ownChannels(configuration())
  const book = reachBook(reach)
  const services = await Promise.all(
    runtimes.map((runtime) => startOutreach({ runtime, channels, book, words, url })),
  )
  return {
    channels: channels.map(({ kind }) => kind),
    unreached: () =>
      services
        .flatMap((one) => [...one.troubles().values()])
        .filter((trouble) => trouble === 'unreached').length,
    async stop(drainMs) {
      await Promise.all(services.map((one) => one.stop(drainMs)))
      await Promise.all(channels.map((channel) => channel.close()))
    },
  }
}

/**
 * By which browsers subscribe: the public half of the key that messages are signed with. Null where
 * nothing is pushed. Throws a Fault where the key is not there.
 */
export async function ownPushKey(settings: Settings): Promise<string | null> {
  if (settings.pushContact === undefined) return null
  const sender = pushSender((await secretsOf(settings)(pushKey)).trim())
  if (sender !== null) return sender.publicKey
  const fix = 'make it with `warrant reach push-key`'
  throw new Fault('usage', `the secret \`${pushKey}\` is not a key for push: ${fix}`)
}

function secretsOf(settings: Settings): (name: string) => Promise<string> {
  const secrets = toolSecrets({ variables: environment(), folder: settings.secrets ?? null })
  return (name) => secrets.load(name)
}

/** Every channel that is set up here. Throws a Fault `setting_invalid`. */
export async function ownChannels(settings: Settings): Promise<readonly Channel[]> {
  const secret = secretsOf(settings)
  const privateHosts = (settings.outreachHosts ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
  const shared = { secret, privateHosts }
  const mail = await mailFrom(settings, shared)
  const { pushContact: contact } = settings
  if (contact !== undefined && !/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(contact)) {
    throw settingInvalid(settingTable.pushContact, contact)
  }
  return [
    // No host of the operator's own is a push service: a subscription comes from a browser.
    ...(contact === undefined ? [] : [pushChannel({ secret, key: pushKey, contact })]),
    ...(mail === null ? [] : [mail]),
    ...webhookKinds.map((kind) => webhookChannel(kind, shared)),
  ]
}

async function mailFrom(
  { smtpUrl, smtpUser: user, mailFrom: from }: Settings,
  shared: WebhookOptions,
): Promise<Channel | null> {
  if (smtpUrl === undefined) return null
  const server = mailServerOf(smtpUrl)
  if (server === null) throw settingInvalid(settingTable.smtpUrl, smtpUrl)
  if (from === undefined || !/^[^\s@<>,;:]+@[^\s@<>,;:]+$/.test(from)) {
    throw settingInvalid(settingTable.mailFrom, from ?? '')
  }
  // Loaded only here: whom no one mails need not wait for it.
  const { mailChannel } = await import('#outreach/channels/mail')
  const signedIn = user === undefined ? {} : { user }
  return mailChannel({ ...shared, server, from, password: smtpPassword, ...signedIn })
}

const mailServerPattern =
  /^(?<scheme>smtps?):\/\/(?<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(?<port>\d{1,5}))?\/?$/i

function mailServerOf(text: string): MailServer | null {
  const groups = mailServerPattern.exec(text)?.groups
  if (groups === undefined) return null
  const { scheme = '', host = '', port } = groups
  const isTls = scheme.toLowerCase() === 'smtps'
  const number = port === undefined ? (isTls ? 465 : 587) : Number(port)
  if (number < 1 || number > 65_535) return null
  return { host: host.replaceAll(/[[\]]/g, ''), port: number, isTls }
}
