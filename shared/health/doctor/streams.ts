// What is found of the streams that are the log, and of their mirrors: every field, how many
// servers hold them, and whether any fact is missing.
import type { Seen, StreamInfo } from '#log/nats/api'
import type { EraSeen, MirrorSeen } from '#log/nats-admin/inspect'
import { logLike, mirrorLike, streamNames } from '#log/nats/stream'
import {
  differencesIn,
  differencesInMirror,
  limitsFollowers,
  missingIn,
  type StreamDifference,
} from '#log/nats/wholeness'
import type { Check, DoctorFinding } from './finding.ts'
import { failure, ok, warning } from './finding.ts'

const replicasMin = 3
const mirrorLagMax = 1_000
/** What nats-server has room for on one stream. */
const followersMax = 1_000

const makeIt = 'an operator makes it: `warrant nats init`'
const lookWithMore = 'use a credential that may, such as an auditor’s'

export function eraFindings(realm: string, seen: EraSeen): readonly DoctorFinding[] {
  const place = { realm, era: seen.era }
  const { log } = streamNames(place)
  const mirrors = seen.mirrors.flatMap((one) => mirrorFindings(place, one))
  return [...logFindings(place, log, seen.log), ...mirrors]
}

interface Place {
  readonly realm: string
  readonly era: number
}

function logFindings(
  place: Place,
  about: string,
  seen: Seen<StreamInfo>,
): readonly DoctorFinding[] {
  const info = infoIn('stream', about, seen)
  if (!('config' in info)) return [info]
  const { first_seq: _first, ...config } = info.config
  const wanted = { ...logLike(place, config), sealed: config['sealed'] === true }
  return [
    fieldsFinding('stream', about, differencesIn(wanted, config)),
    persistenceFinding(about, config['persist_mode'] ?? 'default'),
    replicasFinding(about, info),
    factsFinding(about, info),
  ]
}

function mirrorFindings(place: Place, seen: MirrorSeen): readonly DoctorFinding[] {
  const { mirror } = streamNames(place)
  const isOneOfTwo = seen.of === 'workers' || seen.of === 'people'
  const about = isOneOfTwo ? `${mirror} of ${seen.of}` : mirror
  const info = infoIn('mirror', about, seen.info)
  if (!('config' in info)) return [info]
  const differences = differencesInMirror(mirrorLike(place, info.config), info.config)
  return [
    fieldsFinding('mirror', about, differences),
    copyFinding(about, info, seen.strayedAt),
    followersFinding(about, info),
  ]
}

/** Apart from the mirror: neither is a reason for a worker not to start. */
function followersFinding(about: string, { config, state }: StreamInfo): DoctorFinding {
  const { consumer_count: count } = state
  const fix = 'have the operator make it again: `warrant nats init --remake-mirrors`'
  const found = `${count} follow it, of at most ${followersMax}`
  if (count > followersMax / 2) {
    const who = 'find out whose they are: when it is full, no one more can follow'
    return warning('followers', found, { about, fix: `${who}; ${fix}` })
  }
  if (limitsFollowers(config)) return ok('followers', found, about)
  return warning('followers', `${found}, and it keeps those who are gone`, { about, fix })
}

/** The stream, or the finding that it cannot be looked at. */
export function infoIn(
  check: Check,
  about: string,
  seen: Seen<StreamInfo>,
): StreamInfo | DoctorFinding {
  switch (seen.is) {
    case 'there':
      return seen.value
    case 'missing':
      return failure(check, 'it is not there', { about, fix: makeIt })
    case 'hidden':
      return warning(check, `not seen: ${seen.why}`, { about, fix: lookWithMore })
  }
}

export function fieldsFinding(
  check: Check,
  about: string,
  differences: readonly StreamDifference[],
): DoctorFinding {
  if (differences.length === 0) return ok(check, 'every field is as it was made', about)
  const found = differences
    .map(({ field, wanted, found: is }) => `${field} is ${is} and not ${wanted}`)
    .join('; ')
  const fix =
    'someone with an operator’s power changed it: find out who, replay the log against a copy, ' +
    'and have the operator set the fields back'
  return failure(check, found, { about, fix })
}

function persistenceFinding(about: string, mode: unknown): DoctorFinding {
  if (mode === 'default') {
    return ok('persistence', 'written before it is acknowledged', about)
  }
  const fix = 'it can only be chosen when a stream is made: rotate into an era without it'
  const found = `persist_mode is ${JSON.stringify(mode)}: acknowledged before it is written`
  return failure('persistence', found, { about, fix })
}

function replicasOf({ config }: StreamInfo): number {
  return Number(config['num_replicas'] ?? 1)
}

function replicasFinding(about: string, info: StreamInfo): DoctorFinding {
  const { cluster } = info
  const count = replicasOf(info)
  const peers = cluster?.replicas ?? []
  const behind = peers.filter(({ current, offline }) => !current || offline)
  if (cluster?.leader === '') {
    const fix = 'start the servers of its cluster: more than half of them must run'
    return failure('replicas', 'it has no leader, so it takes no fact', { about, fix })
  }
  if (behind.length > 0) {
    const names = behind.map(({ name, offline, lag }) => {
      return `${name} (${offline ? 'offline' : `${lag} behind`})`
    })
    const fix = 'start those servers, or wait until they have caught up'
    return warning('replicas', `not current: ${names.join(', ')}`, { about, fix })
  }
  if (count >= replicasMin && peers.length >= replicasMin - 1) {
    return ok('replicas', `${count} servers hold every fact, all current`, about)
  }
  const found =
    count === 1
      ? 'one server holds the log: if its disk is lost, so is everything'
      : `${count} servers hold the log: one that is lost stops it`
  const fix = 'run three servers as a cluster, and have the operator set three replicas'
  return warning('replicas', found, { about, fix })
}

function factsFinding(about: string, info: StreamInfo): DoctorFinding {
  const missing = missingIn(info)
  const { messages, first_seq: first, last_seq: last } = info.state
  if (missing !== null) {
    const fix = 'an operator removed facts: stop, and restore the stream from a backup'
    return failure('facts', missing, { about, fix })
  }
  const where = messages === 0 ? 'no fact yet' : `${messages} facts, ${first} to ${last}`
  return ok('facts', `${where}, none missing; made at ${info.created}`, about)
}

function copyFinding(
  about: string,
  { mirror, state }: StreamInfo,
  strayedAt: number | null,
): DoctorFinding {
  if (mirror === undefined) {
    const fix = 'have the operator remove it and make it again: it holds nothing of its own'
    return failure('mirror', 'it copies nothing', { about, fix })
  }
  const { messages, num_subjects: names } = state
  if (strayedAt !== null || names !== messages) {
    const where = strayedAt === null ? 'twice what the log has once' : `another at ${strayedAt}`
    const found = `it has facts that the log has not (${where}), as after the log was restored`
    const fix =
      'stop who follows it, and have the operator make it again: `warrant nats init ' +
      '--remake-mirrors`; docs/run/deploy.md says how a log is restored'
    return failure('mirror', found, { about, fix })
  }
  const { lag } = mirror
  if (lag <= mirrorLagMax) return ok('mirror', `${lag} facts behind the log`, about)
  const fix = 'look at the load and the disks of the servers: readers are that far behind'
  return warning('mirror', `${lag} facts behind the log`, { about, fix })
}
