// `backup`, `restore`, `export` and `verify` as people call them: a log with a callback module, and
// another folder that has nothing of it.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const graph = {
  primitives: [
    { name: 'email', depths: [{ level: 0 }] },
    {
      name: 'send',
      depths: [
        {
          level: 0,
          relata: [
            {
              type: 'APPLIES_TO',
              target: 'email',
              targetDepth: 0,
              policies: [{ name: 'inside', requiresConfirmation: false, callback: 'inside' }],
            },
          ],
        },
      ],
    },
  ],
}
const module = `export const inside = ({ intent }) => ({
  passed: String(intent.args.to).endsWith('@example.org'), message: 'it leaves the company' })`

let cwd = ''
let root = ''
let allowed = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const elsewhere = async (...args: readonly string[]): Promise<Ran & { readonly at: string }> => {
  const at = await temporaryFolder()
  return { ...(await run(args, { cwd: at })), at }
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify(graph))
  await writeFile(join(cwd, 'warrant/callbacks.ts'), module)
  expect(await warrant('seed', 'warrant')).toMatchObject({ code: 0 })
  const because = ['--justification', 'Ann asked for her invoice', '--json']
  const yes = await warrant('ask', 'send_email', '--arg', 'to=ann@example.org', ...because)
  expect(yes).toMatchObject({ code: 0 })
  allowed = String(JSON.parse(yes.stdout).intent)
  const no = await warrant('ask', 'send_email', '--arg', 'to=eve@evil.example', ...because)
  expect(no).toMatchObject({ code: 3 })
  root = String(JSON.parse((await warrant('replay', '--json')).stdout).root)
  expect(await warrant('backup', 'log.backup')).toMatchObject({ code: 0, stderr: '' })
  expect(await warrant('export', 'one.export', '--intent', allowed)).toMatchObject({ code: 0 })
})

describe('a backup', () => {
  test('replays in another folder with no difference, and counts on', async () => {
    const { code, stdout, at } = await elsewhere('restore', join(cwd, 'log.backup'))
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(stdout).toContain('reproduced, byte for byte')
    const there = (...args: readonly string[]) => run(args, { cwd: at })
    const replayed = JSON.parse((await there('replay', '--json')).stdout)
    expect(replayed).toMatchObject({ differences: 0, unchecked: 0, root })
    const source = JSON.parse((await warrant('replay', '--json')).stdout)
    expect(replayed.head).toBe(source.head)
    expect(await there('ask', 'sing')).toMatchObject({ code: 3 })
    expect(await there('replay')).toMatchObject({ code: 0 })
    expect((await readdir(join(at, '.warrant'))).toSorted()).toEqual(
      expect.arrayContaining(['callbacks', 'log.db']),
    )
  })

  test('holds no private key', async () => {
    const key = await readFile(join(cwd, '.keys/you.pem'), 'utf8')
    const [, secret = ''] = key.split('\n')
    expect(secret.length).toBeGreaterThan(20)
    const text = gunzipSync(await readFile(join(cwd, 'log.backup'))).toString('utf8')
    expect(text).not.toContain(secret)
    expect(text).not.toContain('PRIVATE KEY')
  })

  test('reports its head and its parts to programs', async () => {
    const { stdout, code } = await warrant('verify', 'log.backup', '--root-key', root, '--json')
    const found = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(found).toMatchObject({ missing: [], logs: [{ realm: 'main' }] })
    expect(found.modules).toHaveLength(1)
    expect(found.logs[0].head).toBe(found.logs[0].replay.head)
  })

  test('runs no code of others unless the root key shows who let it in', async () => {
    const { code, stdout } = await warrant('verify', 'log.backup')
    expect(code).toBe(7)
    expect(stdout).toContain('decided by a callback module cannot be checked here')
  })

  test('without a callback module reports that on both ends', async () => {
    const { at } = await elsewhere('restore', join(cwd, 'log.backup'))
    const [file = ''] = await readdir(join(at, '.warrant/callbacks'))
    const { rm } = await import('node:fs/promises')
    await rm(join(at, '.warrant/callbacks', file))
    const made = await run(['backup', 'less.backup'], { cwd: at })
    expect(made).toMatchObject({ code: 7 })
    expect(made.stdout).toContain('is not in it: it was not beside the log')
    const back = await elsewhere('restore', join(at, 'less.backup'))
    expect(back).toMatchObject({ code: 7 })
    expect(back.stdout).toContain('restored: ')
  })

  test('whose decisions were changed is restored only if that is asked', async () => {
    const { at } = await elsewhere('restore', join(cwd, 'log.backup'))
    const forged = join(at, 'forged.backup')
    await writeFile(forged, await forgedBackup())
    const refused = await elsewhere('restore', forged)
    expect(refused).toMatchObject({ code: 5 })
    expect(refused.stdout).toContain('nothing was restored')
    expect(await readdir(join(refused.at, '.warrant'))).toEqual([])
    const kept = await elsewhere('restore', forged, '--with-differences')
    expect(kept).toMatchObject({ code: 5 })
    expect((await stat(join(kept.at, '.warrant/log.db'))).size).toBeGreaterThan(0)
  })

  test.each([
    ['a file that is there', ['backup', 'log.backup'], 'nothing is replaced', 1],
    ['a log that is there', ['restore', 'log.backup'], 'nothing is replaced', 1],
    ['a server', ['restore', 'log.backup', '--log', 'nats://127.0.0.1:1'], 'stamps facts', 1],
    ['an export as a log', ['restore', 'one.export', '--log', 'x/log.db'], 'no log', 5],
    ['no file', ['restore', 'nosuch', '--log', 'x/log.db'], 'there is no such file', 1],
    ['a folder', ['verify', 'warrant'], 'it is a folder', 1],
    ['another file', ['verify', 'warrant/graph.json'], 'it is not packed by gzip', 5],
  ])('%s is refused', async (_what, args, says, code) => {
    const ran = await warrant(...args)
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' })
    expect(ran.stderr).toContain(says)
  })
})

/** The backup as someone would forge it who counts and digests it again. */
async function forgedBackup(): Promise<Uint8Array> {
  const { chainFrom, headText } = await import('#replay/chain')
  const { factOf, BundleLine } = await import('#replay/backup/format')
  const text = gunzipSync(await readFile(join(cwd, 'log.backup'))).toString('utf8')
  const chain = chainFrom(null)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const forged = line.includes('.verdict.') ? line.replace('"allow\\"', '"deny\\"') : line
      const read = BundleLine.parse(JSON.parse(forged))
      if (read.is === 'fact') chain.add(factOf(read))
      if (read.is !== 'log_end') return forged
      return JSON.stringify({ ...read, head: headText(chain.head()) })
    })
  return gzipSync(`${lines.join('\n')}\n`)
}

describe('an export of one intent', () => {
  test('proves the verdict to who has only the file and the root key', async () => {
    const file = join(cwd, 'one.export')
    const { code, stdout } = await elsewhere('verify', file, '--root-key', root)
    expect(code).toBe(0)
    expect(stdout).toContain('asked to use `send_email`: allowed')
    expect(stdout).toContain(`begun by the root key ${root}`)
    expect(stdout).toContain('What this does not show')
    expect(stdout).toContain('has no key: that it asked for this is the log’s word too')
  })

  test('is not proven by another root key, and without one it shows', async () => {
    const file = join(cwd, 'one.export')
    const other = await elsewhere('verify', file, '--root-key', 'AAAAAAAAAAAAAAAA')
    expect(other).toMatchObject({ code: 1, stdout: '' })
    expect(other.stderr).toContain('did not begin this log')
    const none = await elsewhere('verify', file)
    expect(none.code).toBe(7)
    expect(none.stdout).toContain('whose that is')
    expect(none.stdout).toContain('callback modules run only with --root-key')
  })

  test('gives programs the verdict and what was left out', async () => {
    const { stdout } = await elsewhere(
      'verify',
      join(cwd, 'one.export'),
      '--root-key',
      root,
      '--json',
    )
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({
      intent: allowed,
      derives: true,
      unchecked: 0,
      rootKeyGiven: true,
    })
    expect(found.verdict).toMatchObject({ outcome: 'allow' })
    expect(found.to).toBe(found.facts + found.leftOut)
  })

  test('of an intent that is not there is refused', async () => {
    const { code, stderr } = await warrant('export', 'x.export', '--intent', 'ZZZZZZZZ')
    expect(code).toBe(1)
    expect(stderr).toContain('no intent `ZZZZZZZZ`')
    await expect(stat(join(cwd, 'x.export'))).rejects.toThrow('ENOENT')
  })
})
