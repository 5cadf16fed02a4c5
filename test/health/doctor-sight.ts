// What the doctor sees of a deployment on NATS that is as it should be, but for what a test gives.
import { expect } from 'vitest'
import type { QueueInfo, StreamInfo } from '#log/nats/api'
import type { NatsSeen, QueueSeen } from '#log/nats-admin/inspect'
import type { Monitored, MonitorSeen } from '#log/nats-admin/inspect-monitor'
import type { PowersSeen } from '#log/nats-admin/inspect-powers'
import { intakeName } from '#log/nats/intake'
import { intakeStream, logStream, mirrorStream, queueConfig } from '#log/nats/stream'
import { natsFindings } from '#health/doctor/examination'
import type { DoctorFinding } from '#health/doctor/finding'

export const now = Date.parse('2026-03-01T12:00:00Z')
export const place = { realm: 'main', era: 1 }

export const peers = ['n1', 'n2', 'n3'].map((name) => ({
  name,
  current: true,
  offline: false,
  lag: 0,
}))
export const [, ...followers] = peers

const intakes = 2
const intakeNames = Array.from({ length: intakes }, (_, index) => intakeName(place.realm, index))

export function intakesSeen(config: object = {}): NatsSeen['intakes'] {
  return intakeNames.map((name, index) => {
    const made = intakeStream(place.realm, index, { replicas: 3, intakes })
    const value = { ...streamSeen({}), config: { ...made, ...config } }
    return { name, info: { is: 'there', value }, claimed: 12, queues: [], standing: null }
  })
}

export function streamSeen(config: object, more: Partial<StreamInfo> = {}): StreamInfo {
  return {
    config: { ...logStream(place, { replicas: 3, intakes }), ...config },
    sources: intakeNames.map((name) => ({ name, lag: 0, seq: 12 })),
    created: '2026-01-01T00:00:00Z',
    state: {
      messages: 12,
      first_seq: 1,
      last_seq: 12,
      last_ts: '2026-03-01T11:00:00Z',
      num_subjects: 12,
      num_deleted: 0,
      consumer_count: 0,
    },
    cluster: { leader: 'n1', replicas: followers },
    ts: '2026-03-01T12:00:00Z',
    ...more,
  }
}

export function mirrorSeen(config: object = {}, lag = 0): StreamInfo {
  const made = { ...mirrorStream(place, { replicas: 3 }), ...config }
  return { ...streamSeen({}), config: made, mirror: { lag, active: 0 } }
}

export const queueNames = ['main.1.vlp.>']

export function queueSeen(config: object = {}, pending = 0): QueueSeen {
  const info: QueueInfo = {
    config: { ack_wait: 30_000_000_000, ...queueConfig('grounding', queueNames), ...config },
    delivered: { stream_seq: 0 },
    num_pending: pending,
    num_ack_pending: 0,
    num_redelivered: 0,
  }
  return { name: 'grounding', wanted: queueNames, info: { is: 'there', value: info } }
}

export const noPowers: PowersSeen = {
  stream: 'may_not',
  readers: 'may_not',
  others: 'may_not',
  binds: ['grounding'],
  isWhole: true,
}

interface Sight {
  readonly log?: StreamInfo
  readonly mirror?: StreamInfo
  readonly intakes?: NatsSeen['intakes']
  readonly shared?: NatsSeen['shared']
  readonly queue?: QueueSeen
  readonly powers?: PowersSeen
  readonly server?: Partial<NatsSeen['server']>
  readonly monitors?: readonly MonitorSeen[]
}

export function monitor(
  name: string,
  syncsAlways: boolean,
  rooms: Partial<Monitored['rooms']> = {},
): MonitorSeen {
  const empty = { used: 0, limit: 1_000_000_000 }
  const has = { storage: empty, memory: empty, ...rooms }
  const said = { name, version: '2.15.2', syncsAlways, rooms: has }
  return { url: `http://${name}:8222`, said, why: '' }
}

export const allSync = peers.map(({ name }) => monitor(name, true))

/** Of a deployment that is as it should be, but for what is given. */
export function findingsOf(sight: Sight = {}): readonly DoctorFinding[] {
  const { monitors = allSync } = sight
  const server = { name: 'n1', version: '2.15.2', host: 'nats.example:4222', isEncrypted: true }
  const { log = streamSeen({}), mirror = mirrorSeen(), queue = queueSeen() } = sight
  const seen: NatsSeen = {
    server: { ...server, ...sight.server },
    api: 'LOG.API',
    eras: [
      {
        era: 1,
        log: { is: 'there', value: log },
        mirrors: [{ of: 'own', info: { is: 'there', value: mirror }, strayedAt: null }],
        queues: [queue],
      },
    ],
    intakes: sight.intakes ?? intakesSeen(),
    shared: sight.shared ?? null,
    clock: { aheadMs: 0, roundTripMs: 1 },
    powers: sight.powers ?? noPowers,
  }
  return natsFindings({ realm: 'main', seen, monitors, now })
}

/** What is not as it should be, as `check status`. */
export function short(findings: readonly DoctorFinding[]): readonly string[] {
  return findings.flatMap(({ check, status, fix }) => {
    expect(status === 'ok' || fix !== null).toBe(true)
    return status === 'ok' ? [] : [`${check} ${status}`]
  })
}
