// What the doctor makes of the streams that take in what speakers publish: changed, behind, taken
// in by no one, at a standstill, or in turns where that is not safe.
import { describe, expect, test } from 'vitest'
import { logStream } from '#log/nats/stream'
import { laneTransform } from '#log/nats/intake'
import { shapesOf } from '#record/names'
import { findingsOf, intakesSeen, place, short, streamSeen } from './doctor-sight.ts'

describe('the doctor', () => {
  test('intakes that were changed, are behind, or are taken in by no one, are found', () => {
    const intakes = intakesSeen({ max_msgs_per_subject: 2 })
    expect(short(findingsOf({ intakes }))).toEqual(['intake failure', 'intake failure'])
    const hidden = intakesSeen().map((one) => ({ ...one, info: { is: 'missing' as const } }))
    expect(short(findingsOf({ intakes: hidden }))).toEqual(['intake failure', 'intake failure'])
    const behind = [{ name: 'INTAKE-main-0', lag: 10_001, seq: 1 }]
    expect(short(findingsOf({ log: streamSeen({}, { sources: behind }) }))).toEqual([
      'intake warning',
    ])
    const failed = [{ name: 'INTAKE-main-0', lag: 0, seq: 1, error: { description: 'no stream' } }]
    expect(short(findingsOf({ log: streamSeen({}, { sources: failed }) }))).toEqual([
      'intake failure',
    ])
    const { sources: _sources, ...config } = logStream(place, { replicas: 3, intakes: 2 })
    const interrupted = { ...streamSeen({}, { sources: [] }), config }
    expect(short(findingsOf({ log: interrupted }))).toEqual(['intake failure'])
    const subjects = shapesOf(place)
    const direct = { ...config, subjects, max_msg_size: 262_144 }
    expect(short(findingsOf({ log: { ...interrupted, config: direct }, intakes: [] }))).toEqual([
      'intake warning',
    ])
  })

  const stands = { subjects: 'main.in.*.7.>', taken: 17, waiting: 3 }

  test('of an intake that a server left standing no message is to be removed', () => {
    const standing = { ...stands, isSure: true, isStalled: true }
    const intakes = intakesSeen().map((one) => ({ ...one, standing }))
    const [found] = findingsOf({ intakes }).filter((each) => each.status !== 'ok')
    expect(found).toMatchObject({ check: 'intake', status: 'failure' })
    expect(found?.fix).toContain('`warrant nats init`')
    expect(found?.fix).not.toContain('remove')
  })

  test('an intake that stands still is a failure, and a warning where it is not sure', () => {
    for (const [isSure, status] of [
      [true, 'failure'],
      [false, 'warning'],
    ] as const) {
      const standing = { ...stands, isSure, isStalled: false }
      const intakes = intakesSeen().map((one, index) => (index === 1 ? { ...one, standing } : one))
      const [found, ...others] = findingsOf({ intakes }).filter((each) => each.status !== 'ok')
      expect(others).toEqual([])
      expect(found).toMatchObject({ check: 'intake', about: 'INTAKE-main-1', status })
      expect(found?.found).toContain('nothing after 17 of its subjects `main.in.*.7.>` for 10 s')
      expect(found?.found).toContain('up to 3 messages wait')
    }
  })

  test('a log that takes intakes in turns must not have replicas', () => {
    const { sources } = logStream(place, { replicas: 1, intakes: 2 })
    const alone = streamSeen({ sources, num_replicas: 1 })
    const intakes = intakesSeen({ subject_transform: laneTransform(place.realm) })
    expect(short(findingsOf({ log: alone, intakes }))).not.toContain('intake failure')
    const log = streamSeen({ sources })
    expect(short(findingsOf({ log, intakes }))).toEqual(['intake failure'])
    // Nor may one of them lose its lanes, which a log that goes by lanes would take nothing of.
    const bare = findingsOf({ log: alone, intakes: intakesSeen() })
    expect(bare.find(({ status }) => status === 'failure')?.found).toContain(
      'subject_transform is ',
    )
  })
})
