// What `warrant replay` prints.
import { describe, expect, test } from 'vitest'
import type { ReplayDifference } from '#replay/differences'
import type { ReplayReport } from '#replay/replay'
import { noFindings } from '#replay/findings'
import { replayLines } from '#cli/run/replay/print'

describe('a replay', () => {
  const none = {
    given: 0,
    faults: 0,
    readBack: 0,
    voids: [],
    voidCount: 0,
    open: 0,
    unchecked: 0,
    start: null,
    stopped: 0,
    missingModules: [],
  }
  const findings = noFindings()
  const identity = { log: 'sha256:0', root: 'key' }
  const report = {
    ...none,
    findings,
    head: '9:sha256:abc',
    hasHead: null,
    facts: 9,
    derived: 6,
    eras: 1,
    ...identity,
  }
  const shown = (
    differences: number,
    first: ReplayDifference | null,
    more?: Partial<ReplayReport>,
  ) =>
    replayLines(
      { ...report, differences, first, ...more },
      { ms: 500, hints: (command) => command, folder: '/srv/x' },
    )
      .map((line) => (typeof line === 'string' ? line : line.text))
      .join('\n')

  test('that finds nothing shows how much it read and derived, and how fast', () => {
    expect(shown(0, null)).toBe(
      'every verdict was reproduced, byte for byte\n' +
        '  9 facts read, 6 derived in 500 ms: 12 a second\n' +
        '  the log sha256:0, begun by the key key\n' +
        '  head 9:sha256:abc',
    )
  })

  test('counts what is late or overtaken, and explains the first', () => {
    const late = { kind: 'late' as const, position: 7, name: 'main.1.verdict.a.-.b' }
    const findings = {
      counts: { ...noFindings().counts, late: 12, overtaken: 1 },
      shown: [
        { ...late, why: 'time_ahead' as const },
        { ...late, kind: 'overtaken' as const, position: 9 },
      ],
    }
    const text = shown(0, null, { findings })
    expect(text).toContain('12 facts carry a time that the log’s clock contradicts')
    expect(text).toContain('7 main.1.verdict.a.-.b: its time is after it was appended')
    expect(text).toContain('and 11 more')
    expect(text).toContain('1 fact was bound although something since')
    expect(text).toContain('9 main.1.verdict.a.-.b')
  })

  test('shows how many eras it crossed, and which snapshot stood for those that are gone', () => {
    const start = {
      era: 2,
      position: 40,
      by: 'root',
      key: 'k3y',
      digest: 'sha256:abc',
      isRooted: false,
    }
    expect(shown(0, null, { eras: 3 })).toContain('\n  3 eras, each of which opened with')
    const cut = shown(0, null, { eras: 3, start, unchecked: 2 })
    expect(cut).toContain('from the snapshot of era 2')
    expect(cut).toContain('`root` signed it with the key `k3y`: whether that is right')
    const rooted = { ...start, isRooted: true }
    const proven = shown(0, null, { eras: 3, start: rooted })
    expect(proven).toContain('with the key `k3y`, as the root key lets it')
    expect(proven).not.toContain('cannot tell')
    expect(cut).toContain('2 facts may come from what earlier eras said')
    expect(cut).not.toContain('every verdict derives again')
  })

  test('names each callback module that is not here, and counts what it decided', () => {
    const missingModules = [{ module: 'sha256:abc', facts: 2 }]
    const text = shown(0, null, { unchecked: 2, missingModules })
    expect(text).toContain('every verdict that could be checked here was reproduced')
    expect(text).toContain('2 facts decided by a callback module cannot be checked here')
    expect(text).toContain('sha256:abc is not in /srv/x/callbacks')
    expect(text).not.toContain('may come from what earlier eras said')
  })

  test('notifies the first difference: where, from which basis, and each member that differs', () => {
    const at = { position: 7, name: 'main.1.verdict.a.-.b', basis: 6 }
    const recorded = '{"data":{"outcome":"allow","same":1}}'
    const derived = '{"data":{"outcome":"deny","same":1}}'
    const text = shown(2, { ...at, kind: 'differs', recorded, derived })
    expect(text).toContain('2 differences')
    expect(text).toContain('at position 7, main.1.verdict.a.-.b, derives differently, from basis 6')
    expect(text).toContain('/data/outcome\n    recorded "allow"\n    derived  "deny"')
    expect(text).not.toContain('same')
    const gone = { position: 3, name: '', basis: null, derived: null }
    const missing = shown(1, { ...gone, kind: 'missing', recorded: 'positions 3 to 4 are gone' })
    expect(missing).toContain('first: missing at position 3\n  positions 3 to 4 are gone')
  })
})
