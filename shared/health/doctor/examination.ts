// Looks at the deployment that an address means, and says what it promises. It changes nothing, and
// a deployment that cannot be looked at is a finding as well.
import type { Settings } from '#schemas/settings/settings'
import { join } from 'node:path'
import { readdir } from 'node:fs/promises'
import type { NatsAccess } from '#log/nats/access'
import type { Monitored, MonitorSeen } from '#log/nats-admin/inspect-monitor'
import type { NatsSeen } from '#log/nats-admin/inspect'
import { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import { streamNames } from '#log/nats/stream'
import { jobsOf } from '#runtime/engine/era-watch'
import { keyPlaces } from '#runtime/keys/key-files'
import { isRemote, logExists, natsAccess, type LogPlace } from '#runtime/logs/log-url'
import { logFileFindings, memoryFinding } from './embedded.ts'
import { failure, ok, warning, type DoctorFinding } from './finding.ts'
import { powersFindings } from './powers.ts'
import { consumersFinding, queueFinding } from './queues.ts'
import { secretFilesAt, secretFindings } from './secret-files.ts'
import { clockFinding, connectionFinding, versionFinding } from './server.ts'
import { storageFindings, syncFindings } from './storage.ts'
import { intakeFindings } from './intakes.ts'
import { eraFindings } from './streams.ts'

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
    return [unreached('connection', error)]
  }
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
    return [...about, failure('log', `there is no log of the realm \`${realm}\``, { fix })]
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
    ...newest.queues.map((queue) => queueFinding(log, queue)),
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
