// Edits of the catalog by hand: one command, one change set, one revision; what would leave a name
// that leads nowhere, or no one who may sign, is refused and binds nothing.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { sqliteLog } from '#adapters/sqlite/log'
import { beginKnowing } from '../../../support/samples/known-tool.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let cwd = ''
const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const catalog = (...args: string[]) => run(['catalog', ...args], { cwd })
const head = async () => JSON.parse((await run(['log', '--json', '--from', '-1'], { cwd })).stdout)
const exported = async () => JSON.parse((await catalog('export')).stdout)
const entry = async (collection: string, id: string) =>
  (await exported())[collection].find((each: { id: string }) => each.id === id)

/** What it is refused with, having bound nothing. */
async function refused(...args: string[]): Promise<string> {
  const before = await head()
  const { code, stdout, stderr } = await catalog(...args)
  expect(code, stdout).not.toBe(0)
  expect(await head()).toEqual(before)
  return stderr
}

async function newKey(name: string): Promise<string> {
  const { stdout } = await run(['keys', 'new', name, '--json'], { cwd })
  return JSON.parse(stdout).publicKey
}

beforeEach(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
})

describe('putting', () => {
  test('what is no entry, or names what is not there, is refused', async () => {
    expect(await refused('put', 'agent', 'id=x')).toContain('principal, group, capability')
    expect(await refused('put', 'principal', 'roles=a')).toContain('give its id: id=')
    expect(await refused('put', 'principal', 'id=x', 'colour=red')).toContain('`colour`')
    expect(await refused('put', 'principal', 'id=x', 'owner=unknown')).toContain('no principal')
    expect(await refused('put', 'group', '{"id":"g"')).toContain('is not JSON')
    expect(await refused('put', 'group', '{"id":"g","members":["x"]}')).toContain('`x`')
    expect(await refused('put', 'group', 'a.json', 'b.json')).toContain('one file')
    expect(await refused('put', 'group', 'nowhere.json')).toContain(
      '`nowhere.json`: there is no such file',
    )
    await writeFile(join(cwd, 'cap.json'), '{"id":"c","safetyClass":"NONE"}')
    expect(await refused('put', 'capability', 'cap.json')).toContain('the entry at safetyClass')
  })

  test('what would leave no policy admin is refused, no matter who asks', async () => {
    const lost = 'at least one policy admin'
    expect(await refused('put', 'principal', 'id=you', 'roles=writer')).toContain(lost)
    expect(await refused('put', 'principal', 'id=you', 'keys=')).toContain(lost)
    expect(await refused('put', 'principal', '{"id":"you"}')).toContain(lost)
    const stopped = await run(['suspend', 'you'], { cwd })
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining(lost)])
    const keys = `keys=${await newKey('olga')}`
    await catalog('put', 'principal', 'id=olga', 'roles=policy-admin', keys)
    expect((await catalog('put', 'principal', 'id=you', 'roles=writer')).code).toBe(0)
    expect(await refused('put', 'principal', 'id=olga', 'roles=writer', '--as', 'olga')).toContain(
      lost,
    )
  })

  test('key=value changes what it names, and JSON or a file is the whole entry', async () => {
    await catalog(
      'put',
      'capability',
      'id=c',
      'safetyClass=READ',
      'concepts=send,email',
      'minDepth=1',
    )
    expect(await entry('capabilities', 'c')).toMatchObject({
      safetyClass: 'READ',
      concepts: ['send', 'email'],
      minDepth: 1,
    })
    const said = await catalog('put', 'capability', 'id=c', 'description=42', 'minDepth=null')
    expect(lines(said.stdout)[0]).toBe('revision 3 of the catalog')
    const changed = await entry('capabilities', 'c')
    expect(changed).toMatchObject({ safetyClass: 'READ', concepts: ['send', 'email'] })
    expect([changed.description, changed.minDepth]).toEqual(['42', undefined])
    await writeFile(join(cwd, 'c.json'), '{\n"id": "c",\n"safetyClass": "WRITE"\n}')
    expect((await catalog('put', 'capability', 'c.json')).code).toBe(0)
    expect(await entry('capabilities', 'c')).toMatchObject({ safetyClass: 'WRITE', concepts: [] })
    expect((await catalog('put', 'group', '{"id":"desk","members":["you"]}')).code).toBe(0)
    const four = ['id=four', 'tier=four_eyes', 'group=desk', 'quorum=1']
    expect((await catalog('put', 'confirmation', ...four)).code).toBe(0)
    expect(await entry('confirmations', 'four')).toMatchObject({ group: 'desk', quorum: 1 })
  })
})

describe('removing', () => {
  test('what is not there, or still named, is refused', async () => {
    expect(await refused('remove', 'capability', 'send_emial')).toContain('`send_email`?')
    expect(await refused('remove', 'principal', 'you')).toContain('still names it')
    await catalog('put', 'group', 'id=desk', 'members=you')
    await catalog('put', 'confirmation', 'id=four', 'tier=four_eyes', 'group=desk')
    expect(await refused('remove', 'group', 'desk')).toContain('`confirmations/four` still names')
  })

  test('takes the entry away', async () => {
    expect((await catalog('remove', 'capability', 'send_email')).code).toBe(0)
    expect(await entry('capabilities', 'send_email')).toBeUndefined()
  })
})

describe('settings', () => {
  test('that there are not, or of another shape, are refused', async () => {
    expect(await refused('set', 'colour', '1')).toContain('limits, trustedEvidence')
    expect(await refused('set', 'callbacks', 'null')).toContain('Allowed choices')
    expect(await refused('set', 'learning', 'maybe')).toContain('learning')
    const limits = '[{"capability":"nothing","uses":1,"windowMs":1}]'
    expect(await refused('set', 'limits', limits)).toContain('no capability `nothing`')
  })

  test('are replaced whole', async () => {
    expect((await catalog('set', 'learning', 'true')).code).toBe(0)
    expect((await catalog('set', 'now', '2026-05-01T00:00:00Z')).code).toBe(0)
    expect((await catalog('set', 'knownConstraints', '["a","b"]')).code).toBe(0)
    expect(await exported()).toMatchObject({
      learning: true,
      now: '2026-05-01T00:00:00Z',
      knownConstraints: ['a', 'b'],
    })
    await catalog('set', 'now', 'null')
    expect(Object.hasOwn(await exported(), 'now')).toBe(false)
  })
})

describe('applying', () => {
  const apply = (name: string) => catalog('apply', name)

  test('takes all operations or none, and takes back what a diff shows', async () => {
    const list = [{ op: 'put', collection: 'principals', entry: { id: 'ann' } }]
    const half = [...list, { op: 'suspend', id: 'yuo' }]
    await writeFile(join(cwd, 'half.json'), JSON.stringify(half))
    expect(await refused('apply', 'half.json')).toContain(
      '`yuo` in `principals`; did you mean `you`?',
    )
    await writeFile(join(cwd, 'wrong.json'), JSON.stringify([...list, { op: 'put' }]))
    expect(await refused('apply', 'wrong.json')).toContain('`wrong.json`: operation 2')
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
      return refused('import', 'f.json', ...more)
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
    await catalog('put', 'principal', 'id=ann', 'roles=writer')
    await catalog('put', 'principal', 'id=bot', 'owner=ann')
    await catalog('put', 'group', 'id=desk', 'members=ann,bot')
    await catalog('put', 'confirmation', 'id=four', 'tier=four_eyes', 'group=desk', 'quorum=2')
    await catalog('put', 'capability', 'id=c', 'safetyClass=READ', 'confirmation=four')
    await catalog('set', 'limits', '[{"capability":"c","uses":1,"windowMs":1000}]')
    await catalog('set', 'learning', String(!before.learning))
    await catalog('export', 'd.json')
    const changed = await exported()
    const tried = await catalog('import', 'c.json', '--exact', '--dry-run', '--json')
    expect(JSON.parse(tried.stdout)).toMatchObject({ dryRun: true, sets: 1, revisions: [] })
    expect(await exported()).toEqual(changed)
    const back = await catalog('import', 'c.json', '--exact', '--note', 'undone')
    expect(back.stdout).toContain('`c.json` is in the catalog: revision 9\n')
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
    for (const edit of [
      ['catalog', 'set', 'learning', 'true'],
      ['catalog', 'import', 'c.json'],
      ['graph', 'add', 'sun'],
    ]) {
      await catalog('export', 'c.json')
      const none = await run(edit, { cwd, env })
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('has no catalog yet')])
    }
  })
})

describe('every edit', () => {
  test('is tried without binding, built on a revision, and asked to programs', async () => {
    const before = await head()
    const tried = await catalog('put', 'principal', 'id=ann', '--dry-run')
    expect(lines(tried.stdout)[0]).toBe('this would change the catalog; nothing was changed')
    const wrong = await catalog('remove', 'principal', 'ann', '--dry-run')
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringContaining('refused: principals/ann'),
    ])
    expect(await head()).toEqual(before)
    const [reported] = lines((await catalog('put', 'principal', 'id=ann', '--json')).stdout)
    expect(JSON.parse(reported ?? '')).toMatchObject({
      revision: 2,
      by: 'you',
      kind: 'catalog',
      moved: [],
    })
    const moved = await refused('remove', 'principal', 'ann', '--base', '1')
    expect(moved).toContain(
      'the catalog has changed since revision 1: revision 2 by you: put principal ann',
    )
    expect((await catalog('remove', 'principal', 'ann', '--base', '2')).code).toBe(0)
  })
})
