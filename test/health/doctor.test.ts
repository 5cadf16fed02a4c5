// What the doctor says of servers, streams, queues and powers: each finding, at its boundary and
// one beside it.
import { describe, expect, test } from 'vitest'
import type { PowersSeen } from '#log/nats-admin/inspect-powers'
import { logStream } from '#log/nats/stream'
import type { Kind } from '#schemas/kinds'
import { natsFindings } from '#health/doctor/examination'
import { failuresIn, inProduction, type DoctorFinding } from '#health/doctor/finding'
import { clockFinding } from '#health/doctor/server'
import { stageQueueFindings } from '#health/doctor/queues'
import {
  allSync,
  findingsOf,
  followers,
  mirrorSeen,
  monitor,
  noPowers,
  now,
  type peers,
  place,
  queueNames,
  queueSeen,
  short,
  streamSeen,
} from './doctor-sight.ts'

const minute = 60_000

test('a deployment as it should be is found so, and is fit for production', () => {
  expect(short(inProduction(findingsOf()))).toEqual([])
})

describe('the servers', () => {
  test('a plain connection is good to this machine only', () => {
    const plain = { isEncrypted: false }
    expect(short(findingsOf({ server: plain }))).toEqual(['connection warning'])
    expect(short(findingsOf({ server: { ...plain, host: '127.0.0.1:4222' } }))).toEqual([])
    expect(short(findingsOf({ server: { ...plain, host: '127.evil.example:4222' } }))).toEqual([
      'connection warning',
    ])
  })

  test('an older version fails, and a newer one is only reported', () => {
    expect(short(findingsOf({ server: { version: '2.14.9' } }))).toEqual(['server failure'])
    const newer = findingsOf({ server: { version: '2.16.0' } })
    expect(short(newer)).toEqual([])
    expect(newer.find(({ check }) => check === 'server')?.found).toContain('tried')
    expect(short(findingsOf({ server: { version: 'unknown' } }))).toEqual(['server failure'])
  })

  test('every server that holds the log must be proven to sync', () => {
    const [first, second, third] = ['n1', 'n2', 'n3'].map((name) => monitor(name, true))
    if (first === undefined || second === undefined || third === undefined) throw new Error('three')
    expect(short(findingsOf({ monitors: [first, second] }))).toEqual(['sync warning'])
    // What is proven to lose acknowledged facts fails, for production or not.
    expect(short(findingsOf({ monitors: [first, second, monitor('n3', false)] }))).toEqual([
      'sync failure',
    ])
    const twice = [first, second, third, monitor('n3', false)]
    expect(short(findingsOf({ monitors: twice }))).toEqual(['sync failure'])
    const silent = { url: 'http://n4:8222', said: null, why: 'it does not answer' }
    expect(short(findingsOf({ monitors: [...allSync, silent] }))).toEqual(['sync warning'])
    expect(failuresIn(inProduction(findingsOf({ monitors: [] })))).toHaveLength(3)
  })

  test('storage warns above 80 %, and fails where no fact fits', () => {
    const mebibyte = 1_048_576
    const used = (free: number, kind: 'storage' | 'memory') => {
      const limit = 100 * mebibyte
      const one = monitor('n1', true, { [kind]: { used: limit - free, limit } })
      return short(findingsOf({ monitors: [one, ...allSync.slice(1)] }))
    }
    for (const kind of ['storage', 'memory'] as const) {
      expect(used(20 * mebibyte, kind)).toEqual([])
      expect(used(20 * mebibyte - 1, kind)).toEqual(['storage warning'])
      expect(used(mebibyte, kind)).toEqual(['storage warning'])
      expect(used(mebibyte - 1, kind)).toEqual(['storage failure'])
    }
  })

  test('clocks may be a second apart, and half of the way there and back', () => {
    const at = (aheadMs: number, roundTripMs = 0, lastAt = 0) =>
      clockFinding({ aheadMs, roundTripMs }, { lastAt, now }).status
    expect([at(1_000), at(1_001), at(-1_001), at(1_001, 2)]).toEqual([
      'ok',
      'warning',
      'warning',
      'ok',
    ])
    expect([at(minute), at(minute + 1), at(-minute - 1)]).toEqual(['warning', 'failure', 'failure'])
    expect([at(0, 0, now + 1_000), at(0, 0, now + 1_001)]).toEqual(['ok', 'failure'])
    expect(clockFinding(null, { lastAt: 0, now }).status).toBe('warning')
  })
})

describe('the streams', () => {
  test('any field that was changed is a failure that names it', () => {
    for (const field of Object.keys(logStream(place, { replicas: 3 }))) {
      if (field === 'num_replicas' || field === 'sealed') continue
      const log = streamSeen({ [field]: 'other' })
      const found = findingsOf({ log }).find(({ check }) => check === 'stream')
      expect([field, found?.status]).toEqual([field, 'failure'])
      expect(found?.found).toContain(`${field} is `)
    }
    const added = findingsOf({ log: streamSeen({ republish: { src: '>', dest: 'x.>' } }) })
    expect(short(added)).toEqual(['stream failure'])
    expect(short(findingsOf({ log: streamSeen({ sealed: true }) }))).toEqual([])
    const narrowed = { subjects: ['main.1.verdict.*.*.*'] }
    expect(short(findingsOf({ log: streamSeen(narrowed) }))).toEqual(['stream failure'])
  })

  test('a mirror is held to its fields, and to how far it is behind', () => {
    const changed = mirrorSeen({ max_age: 1 })
    expect(short(findingsOf({ mirror: changed }))).toEqual(['mirror failure'])
    expect(short(findingsOf({ mirror: mirrorSeen({ mirror_direct: true }) }))).toEqual([])
    expect(short(findingsOf({ mirror: mirrorSeen({}, 1_000) }))).toEqual([])
    expect(short(findingsOf({ mirror: mirrorSeen({}, 1_001) }))).toEqual(['mirror warning'])
    const { mirror: _mirror, ...alone } = mirrorSeen()
    expect(short(findingsOf({ mirror: alone }))).toEqual(['mirror failure'])
  })

  test('a mirror warns above half of its followers, or where they stay for ever', () => {
    const followed = (count: number, config = {}) => {
      const { state, ...mirror } = mirrorSeen(config)
      const counted = { ...mirror, state: { ...state, consumer_count: count } }
      return short(findingsOf({ mirror: counted }))
    }
    expect([followed(500), followed(501)]).toEqual([[], ['followers warning']])
    // As a version before this one made it: reported, and no reason for a worker not to start.
    const unlimited = findingsOf({ mirror: mirrorSeen({ consumer_limits: {} }) })
    expect(short(unlimited)).toEqual(['followers warning'])
    expect(failuresIn(inProduction(unlimited))).toEqual([])
    const briefly = { consumer_limits: { inactive_threshold: 1_000_000_000 } }
    expect(followed(1, briefly)).toEqual(['mirror failure'])
  })

  test('persist_mode fails, whatever the monitoring reports', () => {
    const log = streamSeen({ persist_mode: 'async' })
    expect(short(findingsOf({ log }))).toContain('persistence failure')
  })

  test('three current servers hold the log, or production has none', () => {
    const holding = (count: number, replicas: typeof peers, leader = 'n1') =>
      short(
        findingsOf({ log: streamSeen({ num_replicas: count }, { cluster: { leader, replicas } }) }),
      )
    const [one, two] = followers
    if (one === undefined || two === undefined) throw new Error('two')
    expect(holding(3, [one, two])).toEqual([])
    expect(holding(3, [one])).toEqual(['replicas warning'])
    expect(holding(3, [one, { ...two, current: false }])).toEqual(['replicas warning'])
    expect(holding(3, [one, { ...two, offline: true }])).toEqual(['replicas warning'])
    expect(holding(1, [])).toEqual(['replicas warning'])
    expect(holding(3, [one, two], '')).toContain('replicas failure')
  })

  test('a fact that is missing is a failure', () => {
    const { state } = streamSeen({})
    const missing = [
      { ...state, messages: 11 },
      { ...state, num_subjects: 11 },
      { ...state, first_seq: 2 },
      { ...state, num_deleted: 1 },
    ]
    for (const each of missing) {
      expect(short(findingsOf({ log: streamSeen({}, { state: each }) }))).toEqual(['facts failure'])
    }
  })

  test('no log, and one that may not be looked at, are distinguished', () => {
    const server = { name: 'n1', version: '2.15.2', host: '127.0.0.1:1', isEncrypted: false }
    const absent = { intakes: [], shared: null, clock: null, powers: null }
    const none = { server, api: '$JS.API', eras: [], ...absent }
    expect(short(natsFindings({ realm: 'main', seen: none, monitors: [], now }))).toEqual([
      'log failure',
    ])
    const mirrors = [{ of: 'own', info: { is: 'missing' }, strayedAt: null }] as const
    const eras = [{ era: 1, log: { is: 'hidden', why: 'no' }, mirrors, queues: [] }] as const
    const seen = { ...none, eras, powers: noPowers }
    expect(short(natsFindings({ realm: 'main', seen, monitors: [], now }))).toEqual([
      'sync warning',
      'stream warning',
      'mirror failure',
      'clock warning',
    ])
  })
})

describe('the queues', () => {
  test('what hands out jobs in another way fails', () => {
    const changes = [
      { filter_subject: 'main.1.verdict.>' },
      { filter_subject: undefined },
      { ack_policy: 'none' },
      { max_deliver: 5 },
      { max_ack_pending: 1 },
      { deliver_subject: 'elsewhere' },
      { inactive_threshold: 1 },
      { backoff: [1] },
    ]
    for (const change of changes) {
      expect(short(findingsOf({ queue: queueSeen(change) }))).toEqual(['queue failure'])
    }
    const names = { filter_subject: undefined, filter_subjects: queueNames }
    expect(short(findingsOf({ queue: queueSeen(names) }))).toEqual([])
  })

  test('its wait is an operator’s choice within bounds, and many jobs are a warning', () => {
    const second = 1_000_000_000
    const waiting = (ack_wait: number) => short(findingsOf({ queue: queueSeen({ ack_wait }) }))
    expect([waiting(5 * second), waiting(300 * second)]).toEqual([[], []])
    expect([waiting(5 * second - 1), waiting(301 * second)]).toEqual([
      ['queue warning'],
      ['queue warning'],
    ])
    expect(short(findingsOf({ queue: queueSeen({}, 10_000) }))).toEqual([])
    expect(short(findingsOf({ queue: queueSeen({}, 10_001) }))).toEqual(['queue warning'])
  })

  test('consumers of the log beside its queues are counted', () => {
    const counted = (consumer_count: number) => {
      const { state } = streamSeen({})
      return short(findingsOf({ log: streamSeen({}, { state: { ...state, consumer_count } }) }))
    }
    expect([counted(1), counted(2)]).toEqual([[], ['consumers warning']])
  })

  test('one that is missing fails; those that are for others to see are one line, and no warning', () => {
    const queue = { name: 'grounding', wanted: queueNames }
    const missing = findingsOf({ queue: { ...queue, info: { is: 'missing' } } })
    const hidden = findingsOf({ queue: { ...queue, info: { is: 'hidden', why: 'no' } } })
    expect(short(missing)).toEqual(['queue failure'])
    expect(short(hidden)).toEqual([])
    const is = { is: 'hidden', why: 'no' } as const
    const two = ['grounding', 'policy'].map((name) => ({ name, wanted: queueNames, info: is }))
    expect(stageQueueFindings('log', two)).toMatchObject([
      { check: 'queue', status: 'ok', about: 'grounding, policy' },
    ])
  })
})

describe('the powers', () => {
  test('an operator’s credential is for no runtime', () => {
    const powers = (more: Partial<PowersSeen>) =>
      short(findingsOf({ powers: { ...noPowers, ...more } }))
    expect(powers({ stream: 'may' })).toEqual(['operator warning'])
    expect(powers({ readers: 'may' })).toEqual(['operator warning'])
    expect(powers({ stream: 'unknown' })).toEqual(['operator warning'])
  })

  test('a credential binds what one role may, and never more', () => {
    const binding = (...binds: readonly Kind[]) =>
      short(findingsOf({ powers: { ...noPowers, binds } }))
    expect(binding()).toEqual([])
    expect(binding('rate', 'hold', 'review', 'verdict')).toEqual([])
    expect(binding('graph', 'catalog', 'snapshot')).toEqual([])
    expect(binding('grounding', 'verdict')).toEqual(['accounts warning'])
    // Each agent binds messages, and none those of others.
    expect(binding('vlp')).toEqual(['accounts warning'])
    expect(short(findingsOf({ powers: { ...noPowers, others: 'unheard' } }))).toEqual([
      'accounts warning',
    ])
    expect(binding('verdict', 'decision')).toEqual(['accounts warning'])
    expect(short(findingsOf({ powers: { ...noPowers, isWhole: false } }))).toEqual([
      'accounts warning',
    ])
  })
})

test('production turns a warning into a failure where it is required, and only there', () => {
  const warned = (check: DoctorFinding['check']): DoctorFinding => {
    return { check, about: '', status: 'warning', found: '', fix: '' }
  }
  const named = inProduction([warned('sync'), warned('faults')]).map(({ status }) => status)
  expect(named).toEqual(['failure', 'warning'])
})
