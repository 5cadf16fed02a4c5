// Whether a log goes on from what was seen of it: for every mark, every cut and every change of a
// fact, and for what is kept while it is followed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import type { Fact, LogReader } from '#ports/log'
import { settledIn } from '#replay/marks/keep-mark'
import { writeMark, keptMark, whyNotKept } from '#replay/marks/mark-files'
import { markAt, markSeen } from '#replay/marks/rolled-back'
import { utf8 } from '#platform/bytes'
import { newState } from '#state/state'
import type { FoldListener } from '#runtime/engine/follower'
import { count, seedMeant } from '../../support/vitest/counts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const log = digestOf('a log')
const drawn = {
  numRuns: count(300, 40),
  ...(seedMeant !== undefined && { seed: seedMeant }),
}

function facts(many: number): readonly Fact[] {
  return Array.from({ length: many }, (_, index) => {
    const position = index + 1
    const bytes = utf8(`{"n":${position}}`)
    return { position, name: `main.1.x.${position}`, appendedAt: 1_000 * position, bytes }
  })
}

function reader(all: readonly Fact[]): LogReader {
  return {
    get: (name) => Promise.resolve(all.find((fact) => fact.name === name)),
    head: () => Promise.resolve(all.at(-1) ?? { position: 0, appendedAt: 0 }),
    async *read({ from = 1, to = Infinity }) {
      for (const fact of all) if (fact.position >= from && fact.position <= to) yield fact
    },
  }
}

const at = fc.integer({ min: 1, max: 20 })

describe('a log', () => {
  test('is refused if and only if it departs at its mark or before', async () => {
    const change = fc.constantFrom('none', 'cut', 'bytes', 'name', 'archived')
    await fc.assert(
      fc.asyncProperty(at, at, change, async (marked, touched, what) => {
        const folder = await temporaryFolder()
        const of = { folder, realm: 'main', log }
        const before = facts(20)
        const [seen] = before.slice(marked - 1)
        if (seen !== undefined) await writeMark(of, markAt(of, seen, 0))
        const now = before.flatMap((fact): readonly Fact[] => {
          const { position } = fact
          if (what === 'cut' && position > touched) return []
          // Its first eras were taken away.
          if (what === 'archived' && position < touched) return []
          if (position !== touched) return [fact]
          if (what === 'bytes') return [{ ...fact, bytes: utf8('{"n":0}') }]
          return what === 'name' ? [{ ...fact, name: 'main.1.y' }] : [fact]
        })
        const head = now.at(-1)?.position ?? 0
        const { rolledBack } = await markSeen(of, { log: reader(now), head, accepted: () => 0 })
        const departs =
          (what === 'cut' && touched < marked) ||
          ((what === 'bytes' || what === 'name') && touched === marked)
        expect({ what, departs: rolledBack !== null }).toEqual({ what, departs })
        if (rolledBack === null) return
        expect(rolledBack.fault).toMatchObject({ code: 'log_rolled_back', retry: 'never' })
        expect(rolledBack.isShorter).toBe(what === 'cut')
        expect(rolledBack.seen.position).toBe(marked)
      }),
      drawn,
    )
  })

  test('is accepted only by more rollbacks than were known', async () => {
    const rollbacks = fc.integer({ min: 0, max: 5 })
    await fc.assert(
      fc.asyncProperty(rollbacks, rollbacks, async (known, accepted) => {
        const folder = await temporaryFolder()
        const of = { folder, realm: 'main', log }
        const [seen] = facts(9).slice(-1)
        if (seen !== undefined) await writeMark(of, markAt(of, seen, known))
        const now = { log: reader(facts(5)), head: 5, accepted: () => accepted }
        const found = await markSeen(of, now)
        expect(found.rolledBack === null).toBe(accepted > known)
        expect(found.isAccepted).toBe(accepted > known)
      }),
      drawn,
    )
  })

  test('that this user never saw is taken as it is', async () => {
    const of = { folder: await temporaryFolder(), realm: 'main', log }
    const now = { log: reader(facts(5)), head: 5, accepted: () => 0 }
    expect(await markSeen(of, now)).toEqual({ mark: null, rolledBack: null, isAccepted: false })
  })
})

describe('of a log that may lose its end', () => {
  test('what is kept is as old as it must be, and no older than three times that', () => {
    const settleMs = 10_000
    const steps = fc.array(fc.integer({ min: 0, max: 15_000 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 30_000 }), (gaps, later) => {
        const state = newState({ realm: 'main', era: 1 })
        const listeners: FoldListener[] = []
        const listen = (listener: FoldListener): (() => void) => {
          listeners.push(listener)
          return () => undefined
        }
        const settled = settledIn({ follower: { state, listen }, settleMs })
        const times: number[] = []
        for (const gap of gaps) {
          const appendedAt = (times.at(-1) ?? 1_000) + gap
          times.push(appendedAt)
          Object.assign(state, { position: times.length, appendedAt })
          const fact = { position: times.length, appendedAt, name: '', bytes: utf8('') }
          for (const each of listeners) each(fact, { parts: null, void: null }, state)
        }
        const now = (times.at(-1) ?? 0) + later
        const kept = settled(now)
        const timeOf = (position: number): number => times[position - 1] ?? -Infinity
        if (kept > 0) expect(now - timeOf(kept)).toBeGreaterThanOrEqual(settleMs)
        // Whatever is older than three times that is kept.
        const sure = times.filter((time) => now - time >= 3 * settleMs).length
        expect(kept).toBeGreaterThanOrEqual(sure)
      }),
      drawn,
    )
  })

  test('what is durable at once is kept at once', () => {
    const state = newState({ realm: 'main', era: 1 })
    const settled = settledIn({ follower: { state, listen: () => () => undefined }, settleMs: 0 })
    Object.assign(state, { position: 7, appendedAt: 5 })
    expect(settled(5)).toBe(7)
  })
})

// High-water marks as files: the highest stays, no matter who writes at once; what cannot be
// read is reported with its file; and where nothing can be kept nothing stands in the way.

const of = (folder: string, id = log) => ({ folder, realm: 'main', log: id })
const mark = (position: number, rollbacks = 0, id = log) => {
  const fact = { position, name: `main.1.x.${position}`, appendedAt: 7, bytes: utf8('{}') }
  return markAt({ log: id, realm: 'main' }, fact, rollbacks)
}
const inFolder = async (folder: string): Promise<readonly string[]> => {
  const [own = ''] = await readdir(folder)
  return readdir(join(folder, own))
}

describe('a mark', () => {
  test('is the highest that anyone wrote, in any order', async () => {
    const height = fc.record({
      position: fc.integer({ min: 1, max: 30 }),
      rollbacks: fc.integer({ min: 0, max: 2 }),
    })
    const heights = fc.array(height, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(heights, fc.boolean(), async (all, together) => {
        const folder = await temporaryFolder()
        const write = ({ position, rollbacks }: (typeof all)[number]): Promise<void> =>
          writeMark(of(folder), mark(position, rollbacks))
        if (together) await Promise.all(all.map(write))
        else for (const each of all) await write(each)
        const highest = all.toSorted((one, other) => {
          return other.rollbacks - one.rollbacks || other.position - one.position
        })[0]
        expect(await keptMark(of(folder))).toMatchObject(highest ?? {})
        expect(await inFolder(folder)).not.toContainEqual(expect.stringContaining('half'))
        if (!together) expect(await inFolder(folder)).toHaveLength(1)
      }),
      { numRuns: count(200, 20), ...(seedMeant !== undefined && { seed: seedMeant }) },
    )
  })

  test('is read while others raise it', async () => {
    const folder = await temporaryFolder()
    await writeMark(of(folder), mark(1))
    const raising = async (): Promise<void> => {
      for (let position = 2; position < 40; position += 1) {
        await writeMark(of(folder), mark(position))
      }
    }
    let last = 1
    const reading = async (): Promise<void> => {
      for (let times = 0; times < 40; times += 1) {
        const { position = 0 } = (await keptMark(of(folder))) ?? {}
        expect(position).toBeGreaterThanOrEqual(last)
        last = position
      }
    }
    await Promise.all([raising(), raising(), reading()])
    expect(await keptMark(of(folder))).toMatchObject({ position: 39 })
  })

  test('is of one log', async () => {
    const folder = await temporaryFolder()
    const other = digestOf('another')
    await writeMark(of(folder), mark(9))
    expect(await keptMark(of(folder, other))).toBeNull()
    await writeMark(of(folder, other), mark(3, 0, other))
    expect(await keptMark(of(folder))).toMatchObject({ position: 9 })
  })

  test('goes, once a thousand other logs were opened since', async () => {
    const folder = await temporaryFolder()
    await writeMark(of(folder), mark(9))
    const [own = ''] = await readdir(folder)
    await utimes(join(folder, own), 1, 1)
    for (let index = 0; index < 999; index += 1) await mkdir(join(folder, `other.${index}`))
    expect(await keptMark(of(folder))).toMatchObject({ position: 9 })
    const next = digestOf('one more')
    await writeMark(of(folder, next), mark(1, 0, next))
    expect(await keptMark(of(folder))).toBeNull()
    expect(await readdir(folder)).toHaveLength(1_000)
  })
})

describe('what cannot be read', () => {
  test.each([
    ['nothing', ''],
    ['half of it', JSON.stringify(mark(9)).slice(0, 40)],
    ['another fact', JSON.stringify(mark(8))],
    ['another log', JSON.stringify(mark(9, 0, digestOf('another')))],
    ['no object', 'null'],
    ['what a newer version wrote', JSON.stringify({ ...mark(9), format: 2 })],
  ])('is reported with its file: %s', async (what, text) => {
    const folder = await temporaryFolder()
    await writeMark(of(folder), mark(9))
    const [own = ''] = await readdir(folder)
    const file = join(folder, own, '0.9.json')
    await writeFile(file, text)
    const reading = keptMark(of(folder))
    await expect(reading).rejects.toMatchObject({ code: 'mark_unreadable', retry: 'never' })
    await expect(reading).rejects.toThrow(`remove \`${file}\``)
    const why = what.includes('newer') ? 'a newer version wrote it' : /damaged|something else/
    await expect(reading).rejects.toThrow(why)
    // Once it is gone all goes on.
    await rm(file)
    expect(await keptMark(of(folder))).toBeNull()
    await writeMark(of(folder), mark(2))
    expect(await keptMark(of(folder))).toMatchObject({ position: 2 })
  })

  test('is reported where it is a folder, or leads nowhere', async () => {
    const folder = await temporaryFolder()
    await writeMark(of(folder), mark(1))
    const [own = ''] = await readdir(folder)
    await mkdir(join(folder, own, '0.2.json'))
    await expect(keptMark(of(folder))).rejects.toMatchObject({ code: 'mark_unreadable' })
    await rm(join(folder, own, '0.2.json'), { recursive: true })
    await symlink('0.3.json', join(folder, own, '0.3.json'))
    await expect(keptMark(of(folder))).rejects.toMatchObject({ code: 'mark_unreadable' })
  })
})

test('where there is no place for marks there is none, and why is known', async () => {
  const folder = '/dev/null/marks'
  expect(await keptMark(of(folder))).toBeNull()
  await expect(writeMark(of(folder), mark(1))).rejects.toThrow('ENOTDIR')
  expect(await whyNotKept(folder)).toContain('`/dev/null')
  expect(await whyNotKept(join(await temporaryFolder(), 'not/there/yet'))).toBeNull()
})
