// High-water marks as files: the highest stays, no matter who writes at once; what cannot be
// read is reported with its file; and where nothing can be kept nothing stands in the way.
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { keptMark, whyNotKept, writeMark } from '#replay/marks/mark-files'
import { markAt } from '#replay/marks/rolled-back'
import { utf8 } from '#platform/bytes'
import { count, seedMeant } from '../../support/vitest/counts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const log = digestOf('a log')
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
