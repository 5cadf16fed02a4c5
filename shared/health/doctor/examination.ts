// Looks at the deployment that an address means, and says what it promises. It changes nothing, and
// a deployment that cannot be looked at is a finding as well.
import type { Settings } from '#schemas/settings/settings'
import { join } from 'node:path'
import { readdir, stat } from 'node:fs/promises'
import type { NatsAccess } from '#log/nats/access'
import type { Monitored, MonitorSeen } from '#log/nats-admin/inspect-monitor'
import type { NatsSeen } from '#log/nats-admin/inspect'
import { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import {
  streamNames,
  intakesIn,
  intakeStream,
  isControlStream,
  takesFromSpeakers,
} from '#log/nats/stream'
import { jobsOf } from '#runtime/engine/era-watch'
import { keyPlaces } from '#runtime/keys/key-files'
import { isRemote, logExists, natsAccess, type LogPlace } from '#runtime/logs/log-url'
import { logFileFindings, memoryFinding } from './embedded.ts'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'
import { powersFindings } from './powers.ts'
import { consumersFinding, stageQueueFindings } from './queues.ts'
import { clockFinding, connectionFinding, versionFinding } from './server.ts'
import { storageFindings, syncFindings } from './storage.ts'
import { eraFindings, fieldsFinding, infoIn } from './streams.ts'
import type { StreamInfo } from '#log/nats/api'
import { standsMs, type IntakeSeen, type LaneSeen } from '#log/nats-admin/inspect-intakes'
import { intakeQueue, intakeQueueConfig, isInTurn, isIntake } from '#log/nats/intake'
import { cellIn } from '#record/names'
import { differencesIn } from '#log/nats/wholeness'
import { forOthers } from '#system/secret-file'

// What is found of the streams that take in what speakers publish: every field, whether the log
// keeps up with them, and which of them stand still.

const lagMax = 10_000

function intakeFindings(
  realm: string,
  { eras, intakes, shared }: Pick<NatsSeen, 'eras' | 'intakes' | 'shared'>,
): readonly DoctorFinding[] {
  const newest = eras?.at(-1)
  if (newest?.log.is !== 'there') return []
  const { isLaned } = intakesIn(realm, newest.log.value.config)
  const fields = intakes.map(({ name: about, info: seen }, index) => {
    const info = infoIn('intake', about, seen)
    if (!('config' in info)) return info
    const options = { replicas: 1, intakes: intakes.length, isLaned }
    const wanted = intakeStream(realm, index, options)
    const { first_seq: _first, ...config } = info.config
    return fieldsFinding('intake', about, differencesIn(wanted, config))
  })
  const standing = intakes.flatMap(standingFindings)
  const taking = takingFinding({ realm, era: newest.era }, newest.log.value)
  const claims = [...intakes, ...(shared === null ? [] : [shared])].flatMap(claimFindings)
  const queues = intakes.flatMap(({ name: about, queues: lanes }, index) =>
    lanes.flatMap((lane) => queueFindings(about, realm, index, lane)),
  )
  return [taking, ...claims, ...standing, ...fields, ...queues]
}

/**
 * Whether the log says that it took what is not there: who knows the server can write the position
 * into a message of their own. As it starts, the server goes on behind it.
 */
function claimFindings({
  name: about,
  info,
  claimed,
}: Pick<IntakeSeen, 'name' | 'info' | 'claimed'>): readonly DoctorFinding[] {
  if (info.is !== 'there' || claimed <= info.value.state.last_seq) return []
  const { last_seq: last } = info.value.state
  const found = `the log claims to have it up to ${claimed}, and it ends at ${last}`
  const why = 'what comes up to there is passed over once its server is started again'
  const more = 'docs/run/operations.md says more'
  const fix = `${why}: rotate the era before, \`warrant log rotate\`; ${more}`
  return [failure('intake', found, { about, fix: `${fix} (A log claims too much)` })]
}

/** Only an operator’s credential sees a queue of an intake: for others nothing is found. */
function queueFindings(
  about: string,
  realm: string,
  index: number,
  { lane, queue }: LaneSeen,
): readonly DoctorFinding[] {
  if (queue.is === 'hidden') return []
  const name = intakeQueue(lane)
  if (queue.is === 'missing') {
    const found = `its queue \`${name}\` is not there, so the log takes nothing of it by that`
    return [failure('intake', found, { about, fix: remakeQueue })]
  }
  const wanted = { ...intakeQueueConfig(realm, index, lane), name, max_deliver: -1 }
  const differences = differencesIn(wanted, queue.value.config)
  if (differences.length === 0) return []
  const found = differences
    .map(
      ({ field, wanted: one, found: is }) =>
        `${field} of its queue \`${name}\` is ${is} and not ${one}`,
    )
    .join('; ')
  return [failure('intake', found, { about, fix: remakeQueue })]
}

const remakeQueue =
  'find out who has an operator’s power; remove that queue, and have the operator make it again: ' +
  '`warrant nats init`'

/** Whether the log takes nothing of it, though messages wait. */
function standingFindings({ name: about, standing }: IntakeSeen): readonly DoctorFinding[] {
  if (standing === null) return []
  const { subjects, taken, waiting, isSure, isStalled } = standing
  const after = `nothing after ${taken} of its subjects \`${subjects}\``
  const what = `the log has taken ${after} for ${standsMs / 1_000} s`
  const found = `${what}, and up to ${waiting} messages wait`
  if (isStalled) {
    const why = 'a server that died counts as under way what the log has'
    return [failure('intake', found, { about, fix: `${why}: release it by \`warrant nats init\`` })]
  }
  if (isSure) {
    const fix = 'find the message that holds them up and remove it: docs/run/operations.md says how'
    return [failure('intake', found, { about, fix: `${fix} (An intake stands still)` })]
  }
  const fix = 'look with an operator’s credential, which sees whether the log leaves them out'
  return [warning('intake', found, { about, fix })]
}

/** Whether what speakers publish comes into the log of the newest era. */
function takingFinding(
  place: { readonly realm: string; readonly era: number },
  { config, sources }: StreamInfo,
): DoctorFinding {
  if (takesFromSpeakers(place, config)) {
    const found = 'speakers publish to the log itself, where one of them can hold up everyone'
    return warning('intake', found, { fix: 'rotate the era: `warrant log rotate`' })
  }
  if (isControlStream(place, config)) return ok('intake', 'agents publish to its cells')
  if (!sources.some(({ name }) => isIntake(place.realm, name))) {
    const found = 'the log takes in nothing that speakers publish: a rotation was interrupted'
    return failure('intake', found, {
      fix: 'run `warrant log rotate` again: it goes on from there',
    })
  }
  const failed = sources.find(({ error }) => error !== undefined)
  if (failed !== undefined) {
    const found = `${failed.name} cannot be taken in: ${failed.error?.description ?? ''}`
    return failure('intake', found, { fix: 'start its servers; look at their logs' })
  }
  const known = config['sources']
  if (Number(config['num_replicas'] ?? 1) > 1 && Array.isArray(known) && known.some(isInTurn)) {
    const found = 'it has replicas now, and a message may be left out when a leader changes'
    return failure('intake', found, { fix: 'rotate the era: `warrant log rotate`' })
  }
  const lag = Math.max(...sources.map((source) => source.lag))
  const about = cellIn(place.realm) === null ? '' : streamNames(place).log
  const { count } = intakesIn(place.realm, config)
  const found = `the log takes in ${count} intakes, and is at most ${lag} messages behind`
  if (lag <= lagMax) return ok('intake', found, about)
  const fix = 'find out who floods (`warrant stats`), and stop them: `warrant suspend`'
  return warning('intake', found, { about, fix })
}

export interface Examining {
  readonly place: LogPlace
  readonly realm: string
  /** The key that must have begun the log; null where none is demanded. */
  readonly rootKey: string | null
  /** Whose queues there must be. */
  readonly stages: readonly Stage[]
  /** Addresses of the servers' monitoring, which alone says whether they sync. */
  readonly monitors: readonly string[]
  readonly settings: Settings
}

const keysMax = 1_000

/** Every finding, in the order of the flow: how it is reached, what holds it, who may what. */
export async function examine(examining: Examining): Promise<readonly DoctorFinding[]> {
  const { place } = examining
  const found = isRemote(place) ? examineNats(examining) : examineEmbedded(place)
  return [...(await found), rootFinding(examining.rootKey), ...(await secretsOf(examining))]
}

async function examineNats(examining: Examining): Promise<readonly DoctorFinding[]> {
  const { place, realm, stages, monitors } = examining
  const { inspectNats } = await import('#log/nats-admin/inspect')
  const { inspectMonitor } = await import('#log/nats-admin/inspect-monitor')
  const reported = await Promise.all(monitors.map(inspectMonitor))
  const queues = (era: number) =>
    stages.map((stage) => {
      const { queue, names } = jobsOf(stage, { realm, era })
      return { name: queue, names }
    })
  try {
    const seen = await inspectNats(natsAccess(place), { realm, queues })
    return natsFindings({ realm, seen, monitors: reported, now: Date.now() })
  } catch (error) {
    return [goneFinding(realm, error) ?? unreached('connection', error)]
  }
}

/** Where something of a log is there, and its stream is not. */
function goneFinding(about: string, error: unknown): DoctorFinding | null {
  if (!(error instanceof Fault) || error.code !== 'log_tampered') return null
  const fix = 'find out who removed it; docs/run/operations.md, A stream is gone, says the rest'
  return failure('stream', error.message, { about, fix })
}

/** What was seen of servers, streams, queues and powers, judged. It looks at nothing itself. */
export function natsFindings({
  realm,
  seen,
  monitors,
  now,
}: {
  readonly realm: string
  readonly seen: NatsSeen
  readonly monitors: readonly MonitorSeen[]
  readonly now: number
}): readonly DoctorFinding[] {
  const { server, eras, clock, powers } = seen
  const newest = eras?.at(-1)
  const known: readonly Pick<Monitored, 'name' | 'version'>[] = [
    server,
    ...monitors.flatMap(({ said }) => (said === null || said.name === server.name ? [] : said)),
  ]
  const about = [connectionFinding(seen), ...known.map(versionFinding)]
  if (eras === null && powers !== null) {
    const fix = 'use a credential that reads the log, such as an auditor’s'
    const found = 'not seen: this credential reads its own alone'
    return [
      ...about,
      ...storageFindings(monitors),
      warning('stream', found, { fix }),
      ...powersFindings(powers),
    ]
  }
  if (eras === null || newest === undefined || powers === null) {
    const fix = 'an operator makes it: `warrant nats init`'
    const found = `there is no log of the realm \`${realm}\``
    return [...about, failure('log', found, { about: cellIn(realm) === null ? '' : realm, fix })]
  }
  const info = newest.log.is === 'there' ? newest.log.value : null
  const cluster = info?.cluster
  const leader = cluster?.leader === undefined || cluster.leader === '' ? [] : [cluster.leader]
  const peers = (cluster?.replicas ?? []).map(({ name }) => name)
  const holders = leader.length + peers.length === 0 ? [server.name] : [...leader, ...peers]
  const { log } = streamNames({ realm, era: newest.era })
  const queueNames = newest.queues.map(({ name }) => name)
  const lastAt = info === null || info.state.messages === 0 ? 0 : Date.parse(info.state.last_ts)
  return [
    ...about,
    ...syncFindings(holders, monitors),
    ...storageFindings(monitors),
    ...eras.flatMap((era) => eraFindings(realm, era)),
    ...intakeFindings(realm, seen),
    ...stageQueueFindings(log, newest.queues),
    ...(info === null ? [] : [consumersFinding(log, info.state.consumer_count, queueNames)]),
    clockFinding(clock, { lastAt, now }),
    ...powersFindings(powers),
  ]
}

async function examineEmbedded(place: LogPlace): Promise<readonly DoctorFinding[]> {
  if (place.url === 'memory:') return [memoryFinding()]
  if (place.folder === null || !logExists(place)) {
    const fix = 'make one by `warrant init`, or say which by --log'
    return [failure('log', `no log at \`${place.url}\``, { fix })]
  }
  try {
    const { inspectLogFile } = await import('#log/sqlite/inspect')
    return logFileFindings(await inspectLogFile(place.url))
  } catch (error) {
    return [unreached('file', error)]
  }
}

function rootFinding(rootKey: string | null): DoctorFinding {
  if (rootKey !== null) return ok('root', `only a log that the key ${rootKey} began is accepted`)
  const found = 'no root key is set: a log that someone else began would be accepted'
  const fix = 'set WARRANT_ROOT_KEY to the key that `warrant replay` prints, once you checked it'
  return warning('root', found, { fix })
}

async function secretsOf({ place, settings }: Examining): Promise<readonly DoctorFinding[]> {
  const nats = isRemote(place) ? credentialFiles(natsAccess(place)) : []
  const files = [...nats, settings.neo4jPasswordFile, settings.oidcClientSecretFile]
  return secretFindings(await secretFilesAt([...files, ...(await keyFilesIn(place, settings))]))
}

function credentialFiles({ nkeyFile, credsFile, keyFile }: NatsAccess) {
  return [nkeyFile, credsFile, keyFile]
}

async function keyFilesIn({ folder }: LogPlace, settings: Settings): Promise<readonly string[]> {
  const { home, beside } = keyPlaces(folder, settings)
  const folders = beside === null ? [home] : [home, beside]
  return (await Promise.all(folders.map(pemFilesIn))).flat()
}

async function pemFilesIn(home: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(home)).filter((name) => name.endsWith('.pem'))
    return [home, ...names.slice(0, keysMax).map((name) => join(home, name))]
  } catch {
    return []
  }
}

function unreached(check: 'connection' | 'file', error: unknown): DoctorFinding {
  if (!(error instanceof Fault)) throw error
  return failure(check, error.message, {
    fix: 'make it reachable, then run `doctor` again',
  })
}

// Whether the files that hold secrets are for their owner alone. It looks at their modes, and never
// into them.

interface SecretFile {
  readonly file: string
  /** Null where it cannot be looked at. */
  readonly mode: number | null
}

async function secretFilesAt(
  files: readonly (string | undefined)[],
): Promise<readonly SecretFile[]> {
  const named = files.filter((file) => file !== undefined)
  return Promise.all(named.map(async (file) => ({ file, mode: await modeOf(file) })))
}

async function modeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mode & 0o777
  } catch {
    return null
  }
}

export function secretFindings(files: readonly SecretFile[]): readonly DoctorFinding[] {
  const open = files.flatMap(({ file, mode }) => {
    if (mode === null || (mode & forOthers) === 0) return []
    const found = `others may read or write it (mode ${mode.toString(8)})`
    return [failure('secrets', found, { about: file, fix: `chmod go= ${file}` })]
  })
  if (open.length > 0) return open
  const count = files.filter(({ mode }) => mode !== null).length
  return [
    ok('secrets', count === 0 ? 'no secret is in a file here' : `${count} files, all private`),
  ]
}
