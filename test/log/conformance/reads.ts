// Cases of what is read: ranges, patterns, and a model that answers alike.
import fc from 'fast-check'
import { expect } from 'vitest'
import { covering } from '#record/pattern'
import type { Fact, Range } from '#ports/log'
import {
  type Cases,
  utf8,
  entryOf,
  upTo,
  numbered,
  plain,
  positions,
  codeOf,
  gather,
  appendAll,
} from './cases.ts'

export const readCases: Cases = {
  'a range has both its ends, and may lie beyond the log': async ({ log }) => {
    await appendAll(log, numbered(10))
    const ranges: readonly (readonly [Range, readonly number[]])[] = [
      [{}, upTo(10)],
      [{ from: 4 }, upTo(10, 4)],
      [{ to: 4 }, upTo(4)],
      [{ from: 4, to: 4 }, [4]],
      [{ from: 0, to: 99 }, upTo(10)],
      [{ from: 5, to: 4 }, []],
      [{ from: 11 }, []],
    ]
    for (const [range, expected] of ranges) {
      expect(positions(await gather(log.read(range))), JSON.stringify(range)).toEqual(expected)
    }
  },

  'patterns choose the facts, in order and each once': async ({ log }) => {
    const names = [
      'main.1.vlp.a.s.1',
      'main.1.verdict.a.s.1',
      'main.1.vlp.b.s.1',
      'main.2.vlp.a.s.1',
    ]
    await appendAll(
      log,
      [...names, 'main.1.vlp.a.t.1'].map((name) => ({ name, bytes: utf8.encode(name) })),
    )
    const cases: readonly (readonly [readonly string[], readonly number[]])[] = [
      [[], []],
      [['main.1.vlp.a.s.1'], [1]],
      [['main.1.vlp.a.s'], []],
      [['main.1.vlp.a.*.1'], [1, 5]],
      [['main.1.vlp.a.>'], [1, 5]],
      [['main.1.vlp.a.s.1.>'], []],
      [['main.1.*.a.s.1'], [1, 2]],
      [['*.*.vlp.*.*.*'], [1, 3, 4, 5]],
      [['main.1.vlp.*'], []],
      [['>'], upTo(5)],
      [
        ['main.1.vlp.>', 'main.1.vlp.a.>', 'main.2.>'],
        [1, 3, 4, 5],
      ],
    ]
    for (const [patterns, expected] of cases) {
      expect(positions(await gather(log.read({}, patterns))), patterns.join(' ')).toEqual(expected)
    }
    expect(positions(await gather(log.read({ from: 2, to: 4 }, ['main.1.>'])))).toEqual([2, 3])
  },

  'an invalid pattern is refused': async ({ log }) => {
    for (const pattern of ['', 'main..x', 'main.1.a*', 'main.>.x', 'main.1.', "main.1.'"]) {
      expect(await codeOf(gather(log.read({}, [pattern]))), pattern).toBe('pattern_invalid never')
    }
  },

  'thousands of facts are read in order, and a few among them found': async ({ log }) => {
    const entries = upTo(6000).map((index) => entryOf(index, index % 500 === 0 ? 'rare' : 'note'))
    await appendAll(log, entries)
    expect((await gather(log.read({}))).map((fact) => fact.name)).toEqual(
      entries.map((e) => e.name),
    )
    expect(positions(await gather(log.read({}, ['main.1.rare.*'])))).toEqual(
      upTo(12).map((i) => i * 500),
    )
    expect(positions(await gather(log.read({ from: 5990 }, ['main.1.note.>'])))).toEqual(
      upTo(5999, 5990),
    )
  },

  'any mix of appends and reads on two handles answers as a list of facts would': async ({
    log,
    harness,
  }) => {
    let era = 0
    const word = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({
        act: fc.constant('append' as const),
        word,
        other: word,
        byte: fc.nat(255),
        handle: fc.nat(1),
      }),
      fc.record({ act: fc.constant('get' as const), word, other: word, handle: fc.nat(1) }),
      fc.record({
        act: fc.constant('read' as const),
        handle: fc.nat(1),
        from: fc.nat(8),
        length: fc.nat(8),
        pattern: fc.constantFrom('*.*', '>', 'a.*', '*.b', 'a.b', 'c.>'),
      }),
    )
    const handles = [log, await harness.open()]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        era += 1
        const base = (await log.head()).position
        const model: Fact[] = []
        for (const move of steps) {
          const handle = handles[move.handle] ?? log
          if (move.act === 'read') {
            const pattern = `main.${era}.${move.pattern}`
            const from = base + move.from
            const range = { from, to: from + move.length }
            const covered = covering([pattern])
            const expected = model.filter(
              (fact) => fact.position >= from && fact.position <= range.to && covered(fact.name),
            )
            const facts = await gather(handle.read(range, [pattern]))
            expect(facts.map(plain)).toEqual(expected.map(plain))
            continue
          }
          const name = `main.${era}.${move.word}.${move.other}`
          const bound = model.find((fact) => fact.name === name)
          if (move.act === 'get') {
            expect(plain(await handle.get(name))).toEqual(plain(bound))
            continue
          }
          const answer = await handle.append({ name, bytes: new Uint8Array([move.byte]) })
          expect(answer.appended).toBe(bound === undefined)
          if (bound === undefined) {
            const last = model.at(-1)
            expect(answer.fact.position).toBe(base + model.length + 1)
            expect(answer.fact.appendedAt).toBeGreaterThanOrEqual(last?.appendedAt ?? 0)
            expect([...answer.fact.bytes]).toEqual([move.byte])
            model.push(answer.fact)
          } else expect(plain(answer.fact)).toEqual(plain(bound))
        }
      }),
      { numRuns: 40 },
    )
  },
}
