// Programs of gates where the verifier is no root, or where its system is stricter than usual: the
// same holds, and the work is as readable as it is for root.
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isolationParts } from '#schemas/work/contract'
import { isApart } from '../../support/adapters/namespaces.ts'
import { builtFile } from '../../support/vitest/built.ts'

const program = builtFile('test/gates/run/gates-as-user.ts')
const Answer = z.object({
  isolation: z.object({ kind: z.string(), held: z.array(z.string()) }),
  outside: z.number(),
  exit: z.number().nullable(),
  out: z.string(),
})
/** Root, and a user whom no process of this machine is likely to have. */
const users = [0, 54_321]
const isRoot = process.getuid?.() === 0

/** What the kernel of this machine calls `add_key` and `keyctl`. */
const [addKey, keyctl] = process.arch === 'arm64' ? [217, 219] : [248, 250]

/** Adds a key to a new keyring of its session, and becomes what it is given. */
const withKey = `import ctypes, os, sys
call = ctypes.CDLL(None).syscall
call(${keyctl}, 1, None)
call(${addKey}, b"user", b"canary", b"secret", 6, ctypes.c_int(-3))
os.execvp(sys.argv[1], sys.argv[1:])`

const foundKey = `import ctypes
call = ctypes.CDLL(None).syscall
key = call(${keyctl}, 10, ctypes.c_int(-3), b"user", b"canary", 0)
text = ctypes.create_string_buffer(6)
print(text.raw if key > 0 and call(${keyctl}, 11, key, text, 6) == 6 else "not found")`

interface Asked {
  readonly script: string
  readonly readable?: readonly string[]
  /** What starts it. */
  readonly by?: readonly string[]
}

function tried(user: number, { script, readable = [], by = [] }: Asked) {
  const [command, ...args] = [...by, process.execPath, program, String(user), script]
  const options = { encoding: 'utf8', cwd: '/' } as const
  const { stdout, stderr } = spawnSync(command, [...args, ...readable], options)
  expect(stderr).toBe('')
  return Answer.parse(JSON.parse(stdout))
}

function asUser(user: number, asked: Asked) {
  const answer = tried(user, asked)
  expect(answer).toMatchObject({ outside: user, isolation: { kind: 'namespaces' } })
  expect(answer.isolation.held).toEqual(isolationParts)
  return answer
}

/** A folder that belongs to the user, where others could get to it but for its mode. */
async function folderOf(user: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-user-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  await chown(folder, user, user)
  return folder
}

describe.runIf(isApart && isRoot).each(users)('as the user %i', (user) => {
  test('all parts hold, and a strict umask hides nothing of the work', () => {
    const seeing = 'cat a/file tests/own; echo more >> a/file; echo; ls -A /; ls -A /tmp'
    const { exit, out } = asUser(user, { script: seeing })
    expect(exit).toBe(0)
    expect(out).toMatch(/^of the workof the issuer\n/)
    expect(out).not.toMatch(/^(?:home|root|run|var|warrant.*)$/m)
  })

  test('a key of that user is neither read nor written', async () => {
    const folder = await folderOf(user)
    const key = join(folder, 'key')
    await writeFile(key, 'secret', { mode: 0o600 })
    await chown(key, user, user)
    const { out } = asUser(user, { script: `cat ${key}; echo x >> ${key}; :` })
    expect(out).toBe('')
    expect(await readFile(key, 'utf8')).toBe('secret')
  })

  test('a key that the kernel keeps for the session is out of reach', (context) => {
    const by = ['python3', '-c', withKey]
    const find = `python3 -c '${foundKey}'`
    const bare = spawnSync('python3', ['-c', withKey, 'sh', '-c', find], { encoding: 'utf8' })
    if (bare.stdout !== "b'secret'\n") return context.skip('the kernel keeps no keys here')
    expect(asUser(user, { script: find, by }).out).toBe('not found\n')
  })

  test('no right is left, and no process of the machine is seen', () => {
    const trying = [
      'grep Cap /proc/self/status',
      'unshare -U true && echo made',
      'mount -t tmpfs t /tmp && echo mounted',
      'ls -d /proc/[0-9]*',
    ]
    const { out } = asUser(user, { script: `${trying.join('; ')}; :` })
    expect(out.match(/0000000000000000/g)).toHaveLength(5)
    expect(out).not.toMatch(/made|mounted/)
    expect(out.match(/^\/proc\/\d+$/gm)?.length).toBeLessThan(8)
  })

  test('a folder that it may read is read-only, with what is mounted on it and however', async () => {
    const folder = await folderOf(user)
    const tools = join(folder, 'some tools')
    const inner = join(tools, 'in it')
    for (const at of [folder, inner]) {
      const options = ['-t', 'tmpfs', '-o', 'nosuid,nodev,noexec,noatime,mode=777', 'tmpfs', at]
      await mkdir(at, { recursive: true })
      expect(spawnSync('mount', options).status).toBe(0)
      onTestFinished(() => void spawnSync('umount', ['-l', at]))
    }
    await chmod(tools, 0o777)
    await writeFile(join(inner, 'file'), 'a tool')
    const writing = [tools, inner].map((at) => `(: > '${at}/new') && echo written`)
    const script = [`cat '${inner}/file'`, ...writing, ':'].join('; ')
    expect(asUser(user, { script, readable: [tools] }).out).toBe('a tool')
  })

  test('where fewer files and processes are allowed, programs have no more', () => {
    const script = 'ulimit -Hn; ulimit -Sn'
    const { out } = asUser(user, { script, by: ['prlimit', '--nofile=512:512', '--'] })
    expect(out).toBe('512\n512\n')
    expect(asUser(user, { script }).out).toBe('1024\n1024\n')
  })
})

test.runIf(isApart && isRoot)('a root who can become no one else holds nothing apart', () => {
  const by = ['unshare', '--user', '--map-root-user', '--']
  const { isolation, exit, out } = tried(0, { script: 'cat a/file', by })
  expect({ isolation, exit, out }).toEqual({
    isolation: { kind: 'process', held: ['limits'] },
    exit: 0,
    out: 'of the work',
  })
})
