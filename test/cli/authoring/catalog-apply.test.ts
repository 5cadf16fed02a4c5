// Operations on the catalog and whole files: one file, one change set, one revision; what would
// leave a name that leads nowhere, or no one who may sign, is refused and binds nothing.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { adding, changed, put } from '../../support/edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const catalog = (...args: string[]) => run(['catalog', ...args], { cwd })
const applied = (operations: readonly object[], ...words: string[]) =>
  changed('catalog', operations, { cwd }, ...words)
const putting = (collection: string, entry: object) => ({ op: 'put', collection, entry })
const set = (key: string, value: unknown) => ({ op: 'set', key, value })
const removal = (collection: string, id: string) => ({ op: 'remove', collection, id })
const head = async () => JSON.parse((await run(['log', '--json', '--from', '-1'], { cwd })).stdout)
const exported = async () => JSON.parse((await catalog('export')).stdout)
const entry = async (collection: string, id: string) =>
  (await exported())[collection].find((each: { id: string }) => each.id === id)

/** What it is refused with, having bound nothing. */
async function refused(run: () => Promise<Ran>): Promise<string> {
  const before = await head()
  const { code, stdout, stderr } = await run()
  expect(code, stdout).not.toBe(0)
  expect(await head()).toEqual(before)
  return stderr
}

const refusedOf = (operation: object, ...words: string[]) =>
  refused(() => applied([operation], ...words))

async function newKey(name: string): Promise<string> {
  const { stdout } = await run(['keys', 'new', name, '--json'], { cwd })
  return JSON.parse(stdout).publicKey
}

beforeEach(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
})

const desk = putting('groups', { id: 'desk', members: ['you'] })
const four = putting('confirmations', { id: 'four', tier: 'four_eyes', group: 'desk', quorum: 1 })

describe('putting', () => {
  test('what is no entry, or names what is not there, is refused', async () => {
    const principal = (one: object) => refusedOf(putting('principals', one))
    expect(await refusedOf(putting('agents', { id: 'x' }))).toContain('operation 1 at collection')
    expect(await principal({ roles: ['a'] })).toContain('operation 1 at entry/id')
    expect(await principal({ id: 'x', colour: 'red' })).toContain('`colour`')
    expect(await principal({ id: 'x', owner: 'unknown' })).toContain('no principal')
    expect(await refusedOf(putting('groups', { id: 'g', members: ['x'] }))).toContain('`x`')
    const none = putting('capabilities', { id: 'c', safetyClass: 'NONE' })
    expect(await refusedOf(none)).toContain('operation 1 at entry/safetyClass')
  })

  test('what would leave no policy admin is refused, no matter who asks', async () => {
    const lost = 'at least one policy admin'
    const putOver = (id: string, more: object, ...words: string[]) =>
      refused(() => put('principals', [{ id, ...more }], { cwd }, ...words))
    expect(await putOver('you', { roles: ['writer'] })).toContain(lost)
    expect(await putOver('you', { keys: [] })).toContain(lost)
    expect(await refusedOf(putting('principals', { id: 'you' }))).toContain(lost)
    for (const args of [
      ['suspend', 'you'],
      ['keys', 'retire', 'you', (await entry('principals', 'you')).keys[0]],
    ]) {
      const stopped = await run(args, { cwd })
      expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining(lost)])
    }
    const olga = { id: 'olga', roles: ['policy-admin'], keys: [await newKey('olga')] }
    expect((await applied([putting('principals', olga)])).code).toBe(0)
    expect((await put('principals', [{ id: 'you', roles: ['writer'] }], { cwd })).code).toBe(0)
    expect(await putOver('olga', { roles: ['writer'] }, '--as', 'olga')).toContain(lost)
  })

  test('is of the whole entry, and of several together where one names another', async () => {
    const c = { id: 'c', safetyClass: 'READ', concepts: ['send', 'email'], minDepth: 1 }
    const said = await applied([putting('capabilities', c)])
    expect(lines(said.stdout)[0]).toBe('revision 2 of the catalog')
    expect(await entry('capabilities', 'c')).toMatchObject(c)
    expect((await applied([putting('capabilities', { id: 'c', safetyClass: 'WRITE' })])).code).toBe(
      0,
    )
    expect(await entry('capabilities', 'c')).toMatchObject({ safetyClass: 'WRITE', concepts: [] })
    expect((await applied([desk, four])).code).toBe(0)
    expect(await entry('confirmations', 'four')).toMatchObject({ group: 'desk', quorum: 1 })
  })
})

describe('removing', () => {
  test('what is not there, or still named, is refused', async () => {
    expect(await refusedOf(removal('capabilities', 'send_emial'))).toContain('`send_email`?')
    expect(await refusedOf(removal('principals', 'you'))).toContain('still names it')
    await applied([desk, four])
    expect(await refusedOf(removal('groups', 'desk'))).toContain('`confirmations/four` still names')
  })

  test('takes the entry away', async () => {
    expect((await applied([removal('capabilities', 'send_email')])).code).toBe(0)
    expect(await entry('capabilities', 'send_email')).toBeUndefined()
  })
})

describe('settings', () => {
  test('that there are not, or of another shape, are refused', async () => {
    expect(await refusedOf(set('colour', 1))).toContain('operation 1 at key')
    expect(await refusedOf(set('learning', 'maybe'))).toContain('operation 1 at value')
    const limits = [{ capability: 'nothing', uses: 1, windowMs: 1 }]
    expect(await refusedOf(set('limits', limits))).toContain('no tool `nothing`')
  })

  test('are replaced whole', async () => {
    const now = '2026-05-01T00:00:00Z'
    const knownConstraints = ['a', 'b']
    const all = Object.entries({ learning: true, now, knownConstraints })
    expect((await applied(all.map(([key, value]) => set(key, value)))).code).toBe(0)
    expect(await exported()).toMatchObject({ learning: true, now, knownConstraints })
    await applied([set('now', null)])
    expect(Object.hasOwn(await exported(), 'now')).toBe(false)
  })
})

describe('applying', () => {
  const apply = (name: string) => catalog('apply', name)

  test('takes all operations or none, and takes back what a diff shows', async () => {
    const list = [{ op: 'put', collection: 'principals', entry: { id: 'ann' } }]
    const half = [...list, { op: 'suspend', id: 'yuo' }]
    await writeFile(join(cwd, 'half.json'), JSON.stringify(half))
    expect(await refused(() => apply('half.json'))).toContain(
      '`yuo` in `principals`; did you mean `you`?',
    )
    await writeFile(join(cwd, 'wrong.json'), JSON.stringify([...list, { op: 'put' }]))
    expect(await refused(() => apply('wrong.json'))).toContain('`wrong.json`: operation 2')
    await writeFile(join(cwd, 'all.json'), JSON.stringify(list))
    expect((await apply('all.json')).code).toBe(0)
    const reported = await catalog('diff', 'r2', 'r1', '--json')
    await writeFile(join(cwd, 'back.json'), reported.stdout)
    expect((await apply('back.json')).stdout).toContain('revision 3 of the catalog')
    expect(await entry('principals', 'ann')).toBeUndefined()
  })
})

describe('files', () => {
  test('a mistake anywhere is refused with its place, and nothing of it comes in', async () => {
    const file = async (content: unknown, ...more: string[]) => {
      await writeFile(join(cwd, 'f.json'), JSON.stringify(content))
      return refused(() => catalog('import', 'f.json', ...more))
    }
    expect(await file({ principal: [] })).toContain('`f.json`: no such key: `principal`')
    const principals = [{ id: 'a' }, { id: 'b', owner: 'c' }]
    expect(await file({ principals })).toContain('`f.json`: principals/b/owner: no principal `c`')
    const { principals: all } = await exported()
    const others = all.filter(({ id }: { id: string }) => id !== 'you')
    const orphans = others.map((each: object) => ({ ...each, owner: undefined }))
    expect(await file({ principals: orphans }, '--exact')).toContain('at least one policy admin')
  })

  test('what is exported comes in again, and exactly where it is to be exact', async () => {
    const before = await exported()
    expect((await catalog('export', 'c.json')).stdout).toBe('revision 1 is in c.json\n')
    expect((await catalog('import', 'c.json', '--exact')).stdout).toContain('up to date')
    await applied([
      putting('principals', { id: 'ann', roles: ['writer'] }),
      putting('principals', { id: 'bot', owner: 'ann' }),
      putting('groups', { id: 'desk', members: ['ann', 'bot'] }),
      putting('confirmations', { id: 'four', tier: 'four_eyes', group: 'desk', quorum: 2 }),
      putting('capabilities', { id: 'c', safetyClass: 'READ', confirmation: 'four' }),
      set('limits', [{ capability: 'c', uses: 1, windowMs: 1000 }]),
      set('learning', before.learning !== true),
    ])
    await catalog('export', 'd.json')
    const changed = await exported()
    const tried = await catalog('import', 'c.json', '--exact', '--dry-run', '--json')
    expect(JSON.parse(tried.stdout)).toMatchObject({ dryRun: true, sets: 1, revisions: [] })
    expect(await exported()).toEqual(changed)
    const back = await catalog('import', 'c.json', '--exact', '--note', 'undone')
    expect(back.stdout).toContain('`c.json` is in the catalog: revision 3\n')
    expect(await exported()).toEqual(before)
    expect((await head()).fact.data.note).toBe('undone')
    expect((await catalog('import', 'd.json')).code).toBe(0)
    expect(await exported()).toEqual(changed)
  })

  test('a catalog can only be changed where there is one', async () => {
    const env = { WARRANT_LOG: join(await temporaryFolder(), 'log.db') }
    const log = await sqliteLog(env.WARRANT_LOG)
    await log.append({ name: 'main.1.what.ever', bytes: Buffer.from('{}') })
    await log.close()
    await catalog('export', 'c.json')
    for (const none of [
      await changed('catalog', [set('learning', true)], { cwd, env }),
      await run(['catalog', 'import', 'c.json'], { cwd, env }),
      await changed('graph', adding('sun'), { cwd, env }),
    ]) {
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('has no catalog yet')])
    }
  })
})

describe('every edit', () => {
  const ann = [putting('principals', { id: 'ann' })]
  const gone = removal('principals', 'ann')

  test('is tried without binding, built on a revision, and asked to programs', async () => {
    const before = await head()
    const tried = await applied(ann, '--dry-run')
    expect(lines(tried.stdout)[0]).toBe('this would change the catalog; nothing was changed')
    const wrong = await applied([gone], '--dry-run')
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringContaining('refused: principals/ann'),
    ])
    expect(await head()).toEqual(before)
    const [reported] = lines((await applied(ann, '--json')).stdout)
    expect(JSON.parse(reported ?? '')).toMatchObject({
      revision: 2,
      by: 'you',
      kind: 'catalog',
      moved: [],
    })
    const moved = await refusedOf(gone, '--base', '1')
    expect(moved).toContain(
      'the catalog has changed since revision 1: revision 2 by you: put principal ann',
    )
    expect((await applied([gone], '--base', '2')).code).toBe(0)
  })
})
