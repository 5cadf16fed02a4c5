// What the doctor says of a log on this machine, of the files beside it, and of the work: each
// finding, at its boundary and one beside it.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LogFileSeen } from '#log/sqlite/inspect'
import { logFileFindings, memoryFinding } from '#health/doctor/embedded'
import { checks, inProduction } from '#health/doctor/finding'
import { secretFindings } from '#health/doctor/examination'
import { versionsFinding } from '#health/doctor/versions'
import { workFindings, type OpenSeen } from '#cli/run/doctor/work'
import { short } from './doctor-sight.ts'

const minute = 60_000

test('files of secrets are for their owner alone', () => {
  const statusOf = (mode: number | null) => secretFindings([{ file: 'x.nk', mode }])[0]?.status
  expect([0o600, 0o400, 0o700, null].map(statusOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect([0o640, 0o604, 0o620, 0o601].map(statusOf)).toEqual(
    Array.from({ length: 4 }, () => 'failure'),
  )
})

describe('a log on this machine', () => {
  const file: LogFileSeen = {
    file: 'log.db',
    bytes: 4_096,
    mode: 0o644,
    links: 1,
    writesAhead: true,
    synchronous: 2,
    isWritable: true,
    pages: 'ok',
    fileSystem: 0xef53,
    freeBytes: 1_024 ** 3,
    head: { position: 1, appendedAt: 1_000_000 },
    now: 1_000_000,
  }
  const found = (more: Partial<LogFileSeen>) => short(logFileFindings({ ...file, ...more }))

  test('is durable where its file is whole, private to write, and on a disk of its own', () => {
    expect(found({})).toEqual([])
    expect(found({ writesAhead: false })).toEqual(['durability failure'])
    expect(found({ synchronous: 1 })).toEqual(['durability failure'])
    expect(found({ pages: 'a page is torn' })).toEqual(['file failure'])
    expect(found({ pages: null })).toEqual([])
    expect(found({ mode: 0o664 })).toEqual(['file failure'])
    expect(found({ fileSystem: 0x6969 })).toEqual(['disk failure'])
    expect(found({ fileSystem: 0x01021994 })).toEqual(['disk warning'])
  })

  test('has a clock that its appends are stamped by', () => {
    const at = (ms: number) => found({ now: 1_000_000 + ms })
    const month = 30 * 86_400_000
    expect([at(-5_000), at(month)]).toEqual([[], []])
    expect(at(-5_001)).toEqual(['clock failure'])
    expect(at(month + 1)).toEqual(['clock warning'])
    expect(found({ head: { position: 0, appendedAt: 0 } })).toEqual([])
  })

  test('that this user may only read is no failure', () => {
    expect(found({ isWritable: false, synchronous: null })).toEqual(['file warning'])
  })

  test('needs room: a gibibyte is enough, and 64 mebibytes are the least', () => {
    const mebibyte = 1_024 ** 2
    expect(found({ freeBytes: 1_024 * mebibyte - 1 })).toEqual(['disk warning'])
    expect(found({ freeBytes: 64 * mebibyte })).toEqual(['disk warning'])
    expect(found({ freeBytes: 64 * mebibyte - 1 })).toEqual(['disk failure'])
  })

  test('in memory promises nothing, which production refuses', () => {
    expect(short([memoryFinding()])).toEqual(['durability warning'])
    expect(short(inProduction([memoryFinding()]))).toEqual(['durability failure'])
  })
})

describe('the work', () => {
  const waiting = (whom: OpenSeen['waits']['for'], ageMs: number): OpenSeen => {
    return { address: 'a.-.1', ageMs, waits: { for: whom, text: 'them' } }
  }
  const nothing = { openIntents: [], faults: [], keyless: [], keys: [] }
  const seen = { position: 3, foldMs: 1, log: null, root: null, dev: false, ...nothing }
  const found = (openIntents: readonly OpenSeen[], faults: readonly string[] = []) =>
    short(workFindings({ ...seen, openIntents, faults }))

  test('an intent waits a minute for a stage, and for people as long as they take', () => {
    expect(found([])).toEqual([])
    expect(found([waiting('policy', minute)])).toEqual([])
    expect(found([waiting('policy', minute + 1)])).toEqual(['intents warning'])
    const people = waiting('people', 90 * minute)
    expect(found([people, waiting('learning', 90 * minute)])).toEqual([])
    expect(found([people, waiting('confirmation', 2 * minute)])).toEqual(['intents warning'])
  })

  test('a job that was set aside is reported', () => {
    expect(found([], ['a.-.1'])).toEqual(['faults warning'])
  })

  test('a principal that had a key and has none is named', () => {
    expect(short(workFindings({ ...seen, keyless: ['tools'] }))).toEqual(['keyless warning'])
  })

  test('a key that any process here could sign with is no second person', () => {
    const key = { file: 'you.pem', principal: 'you', isSealed: false }
    const open = workFindings({ ...seen, keys: [key] })
    expect(short(open)).toEqual(['keys warning'])
    expect(short(inProduction(open))).toEqual(['keys failure'])
    expect(short(workFindings({ ...seen, keys: [{ ...key, isSealed: true }] }))).toEqual([])
  })

  test('Node must be new enough', () => {
    const status = (node: string) => versionsFinding('0.1.0', node).status
    expect(['20.19.0', '22.0.0', '20.18.9', '18.20.0'].map(status)).toEqual([
      'ok',
      'ok',
      'failure',
      'failure',
    ])
  })
})

test('every check is in the manual, with whether production requires it', () => {
  const manual = readFileSync(new URL('../../docs/run/doctor.md', import.meta.url), 'utf8')
  for (const [check, { isRequired }] of Object.entries(checks)) {
    expect(manual).toContain(`\n- \`${check}\`${isRequired ? ' (required)' : ''}: `)
  }
})
