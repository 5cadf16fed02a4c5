// Sets, lists, erases and tries where people are reached. It shows addresses to who may read the
// file, and of a subscription no more than its host.
import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import { systemTimer } from '#system/clock'
import { Fault } from '#record/fault'
import { channelFailureText, channelText } from '#present/outreach/notification-text'
import { trialMessage } from '#present/outreach/review-message'
import { findLog } from '#runtime/logs/log-url'
import { changeReach, eraseReach, reachEntries, removeTargets } from '#outreach/reach-store'
import { triedReach, type TrialResult } from '#outreach/reach-trial'
import { configuration } from '#wiring/config'
import { ownChannels } from '#wiring/own-outreach'
import { exitCodes } from '#schemas/faults/exit'
import type { ChannelKind } from '#schemas/outreach/notification'
import type { Reach, ReachTarget } from '#schemas/outreach/reach'
import { webhookKinds, type WebhookKind } from '#schemas/outreach/webhook-channels'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { tableLines } from '#cli/terminal/table'
import { note, print, printJson } from '#cli/terminal/terminal'

interface ReachOptions extends GlobalOptions {
  readonly reach?: string
  readonly channel?: ChannelKind
}

type Webhooks = Partial<Readonly<Record<WebhookKind, readonly string[]>>>

interface ReachSetOptions extends ReachOptions, Webhooks {
  readonly mail?: readonly string[]
  /** False: at any hour. True is what the library sets where nothing is given. */
  readonly quiet?: boolean | { readonly from: string; readonly to: string }
  readonly zone?: string
  readonly wakes?: boolean
}

const reachFileName = 'reach.ndjson'

/** Where it is kept: as given, else beside a log in a file. */
export function reachFileFor(options: Pick<ReachOptions, 'log' | 'reach'>): string {
  const file = reachFileAt(options)
  if (file !== null) return file
  throw usage('there is no folder beside this log: name the file of addresses with --reach')
}

/** The same; null where there is no place for it. */
export function reachFileAt(options: Pick<ReachOptions, 'log' | 'reach'>): string | null {
  const given = options.reach ?? configuration().reach
  const { folder } = findLog(options.log, configuration())
  return given ?? (folder === null ? null : join(folder, reachFileName))
}

export async function listReach(options: ReachOptions): Promise<number> {
  const entries = reachEntries(reachFileFor(options))
  if (options.json === true) await printJson(entries.map(shownReach))
  else if (entries.length === 0) {
    await print(['no one is reached: `warrant reach set PERSON --mail ADDRESS` begins'])
  } else {
    const rows = entries.map((one) => [
      one.person,
      one.targets.map(placeText).join(', '),
      quietText(one),
    ])
    await print(tableLines(['person', 'reached by', 'quiet'], rows))
  }
  return exitCodes.yes
}

export async function setReachOf(person: string, options: ReachSetOptions): Promise<number> {
  await withRuntime(options, { reads: true }, async ({ follower }) => {
    const isKnown = follower.state.catalog.principals.has(person)
    if (!isKnown) throw usage(`the catalog has no \`${person}\``)
  })
  const reach = await changeReach(reachFileFor(options), person, (before) =>
    changed(before, options),
  )
  if (options.json === true) await printJson(shownReach(reach))
  else await print([`${person}: ${reach.targets.map(placeText).join(', ') || 'reached nowhere'}`])
  return exitCodes.yes
}

function changed(before: Reach, options: ReachSetOptions): Reach {
  const { mail, zone, wakes } = options
  const given: readonly (readonly ReachTarget[] | undefined)[] = [
    mail?.map((address) => ({ channel: 'mail', address })),
    ...webhookKinds.map((channel) => options[channel]?.map((secret) => ({ channel, secret }))),
  ]
  const put = given.flatMap((targets) => targets ?? [])
  const kinds = new Set(put.map(({ channel }) => channel))
  const targets = [...before.targets.filter(({ channel }) => !kinds.has(channel)), ...put]
  const { quiet: _quiet, ...rest } = before
  const hours = typeof options.quiet === 'object' ? options.quiet : before.quiet
  if (options.quiet === false) return { ...rest, targets }
  if (hours === undefined) {
    if (zone === undefined && wakes === undefined) return { ...rest, targets }
    throw usage('--zone and --wakes go with --quiet: which hours')
  }
  const zoned = zone ?? before.quiet?.zone
  if (zoned === undefined) throw usage('--quiet goes with --zone: by which clocks')
  const { from, to } = hours
  const quiet = { from, to, zone: zoned, wakes: wakes ?? before.quiet?.wakes ?? false }
  return { ...rest, targets, quiet }
}

export async function removeReach(person: string, options: ReachOptions): Promise<number> {
  const file = reachFileFor(options)
  const { channel } = options
  const isErased =
    channel === undefined
      ? await eraseReach(file, person)
      : await removeTargets(file, person, (target) => target.channel === channel)
  if (!isErased) throw nothingKnown(person)
  if (options.json === true) await printJson({ person, erased: channel ?? 'all' })
  else await print([`erased: ${channel === undefined ? 'all' : channelText(channel)} of ${person}`])
  return exitCodes.yes
}

export async function tryReach(person: string, options: ReachOptions): Promise<number> {
  const reach = reachEntries(reachFileFor(options)).find((one) => one.person === person)
  if (reach === undefined || reach.targets.length === 0) throw nothingKnown(person)
  const channels = await ownChannels(configuration())
  try {
    const now = Date.now()
    const results = await triedReach(
      { channels, timer: systemTimer, now },
      reach,
      trialMessage(person),
    )
    if (options.json === true) {
      await printJson(results.map(({ target, failed }) => ({ ...shownPlace(target), failed })))
    } else await print(results.map(resultLine))
    return results.every(({ failed }) => failed === null) ? exitCodes.yes : exitCodes.fault
  } finally {
    await Promise.all(channels.map((channel) => channel.close()))
  }
}

function resultLine({ target, failed }: TrialResult): string {
  if (failed === null) return `sent: ${placeText(target)}`
  const why =
    failed === 'not_set_up' ? 'that channel is not set up here' : channelFailureText(failed)
  return `failed: ${placeText(target)}: ${why}`
}

export async function newPushKey({ json }: ReachOptions): Promise<number> {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys('base64url')
  // A number may begin with zeros, which are left out of it.
  const privateKey = ecdh.getPrivateKey().toString('hex').padStart(64, '0')
  const secret = Buffer.from(privateKey, 'hex').toString('base64url')
  if (json === true) await printJson({ privateKey: secret, publicKey })
  else {
    await print([secret])
    note(`warrant: keep it as the secret VAPID_KEY; browsers subscribe with ${publicKey}`)
  }
  return exitCodes.yes
}

function nothingKnown(person: string): Fault {
  return new Fault('reach_unknown', `nothing is known of where \`${person}\` is reached`)
}

function placeText(target: ReachTarget): string {
  const { channel, place, label } = shownPlace(target)
  return `${channel} ${place}${label === undefined ? '' : ` (${label})`}`
}

/** Who has the url of a subscription could send to it: its host is all that is shown. */
interface ShownPlace {
  readonly channel: ReachTarget['channel']
  readonly place: string
  readonly label?: string
}

function shownPlace(target: ReachTarget): ShownPlace {
  switch (target.channel) {
    case 'mail':
      return { channel: target.channel, place: target.address }
    case 'push': {
      const { label } = target
      const place = new URL(target.url).host
      return { channel: target.channel, place, ...(label !== undefined && { label }) }
    }
    default:
      return { channel: target.channel, place: target.secret }
  }
}

function shownReach({ person, targets, quiet }: Reach) {
  return { person, targets: targets.map(shownPlace), quiet: quiet ?? null }
}

function quietText({ quiet }: Reach): string {
  if (quiet === undefined) return ''
  return `${quiet.from}-${quiet.to} ${quiet.zone}${quiet.wakes ? ', but what expires' : ''}`
}
