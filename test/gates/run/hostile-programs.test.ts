// Programs of gates that want more than their copy of the work: keys, the log, the network, the
// environment of others, all of the machine, or to outlive their time. Each is tried from inside.
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gatePrograms } from '#gates/run/gate-programs'
import { readContract } from '#work/verification/contract-reading'
import { asDemanded, isApart } from '../../support/adapters/namespaces.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface Trying {
  readonly limits?: object
  readonly timeoutSeconds?: number
  readonly readable?: readonly string[]
}

/** Runs a shell's script as a gate would, on a folder with one file. */
async function tried(
  script: string,
  { limits = {}, timeoutSeconds = 20, readable = [] }: Trying = {},
) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), 'of the work')
  const { contract } = readContract({ taskId: 'T', objective: 'o', limits })
  const programs = await gatePrograms(readable)
  const run = await programs.run({
    command: ['sh', '-c', script],
    folder,
    paths: ['file'],
    overlay: new Map(),
    limits: contract.limits,
    timeoutSeconds,
  })
  return { ...run, folder, out: run.stdout.text }
}

/** The processes of this machine that have the word in their command line. */
async function runningWith(word: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (line.split('\0').includes(word)) found.push(name)
  }
  return found
}

describe.runIf(isApart)('in namespaces', () => {
  test('the work is there, may be written to, and is a copy', async () => {
    const { out, folder, exit } = await tried('cat file; echo more >> file; cat file; pwd')
    expect({ exit, out }).toEqual({ exit: 0, out: 'of the workof the workmore\n/work\n' })
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('of the work')
  })

  test('a key or a log elsewhere cannot be read or written', async () => {
    const elsewhere = await temporaryFolder()
    const key = join(elsewhere, 'key')
    await writeFile(key, 'secret', { mode: 0o666 })
    const { out } = await tried(
      `cat ${key}; echo x >> ${key}; ls /root /home /etc/shadow /var /run; :`,
    )
    expect(out).toBe('')
    expect(await readFile(key, 'utf8')).toBe('secret')
  })

  test('what may be read may not be written', async () => {
    const tools = await temporaryFolder()
    // Where the verifier is root, programs run as another user.
    await chmod(tools, 0o755)
    await mkdir(join(tools, 'bin'))
    await writeFile(join(tools, 'bin/tool'), '#!/bin/sh\necho a tool\n', { mode: 0o755 })
    const writing = [tools, '/usr', ''].map((at) => `(: > ${at}/x) && echo written`)
    const script = ['tool', ...writing, ':'].join('; ')
    expect((await tried(script, { readable: [tools] })).out).toBe('a tool\n')
  })

  test('the environment of the verifier is in no process that can be seen', async () => {
    process.env['WARRANT_TEST_CANARY'] = 'canary'
    try {
      const { out } = await tried('env; cat /proc/*/environ | tr "\\0" "\\n"; ls -d /proc/[0-9]*')
      expect(out).not.toContain('canary')
      expect(out.match(/^\/proc\/\d+$/gm)?.length).toBeLessThan(8)
    } finally {
      delete process.env['WARRANT_TEST_CANARY']
    }
  })

  test('nothing can be dialled, the machine itself included', async () => {
    let calls = 0
    const server = createServer((socket) => {
      calls += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const dial = `import socket; socket.create_connection(("127.0.0.1", ${port}), 3)`
    const { exit } = await tried(`python3 -c '${dial}'`)
    await new Promise((resolve) => server.close(resolve))
    expect({ exit, calls }).toEqual({ exit: 1, calls: 0 })
  })

  test('a server of the tests and its client find each other', async () => {
    const both = [
      'import socket',
      's = socket.create_server(("127.0.0.1", 0))',
      'c = socket.create_connection(s.getsockname())',
    ].join('\n')
    expect((await tried(`python3 -c '${both}'`)).exit).toBe(0)
  })

  test('no right comes back, and no further namespace is made', async () => {
    const making = 'unshare -U true && echo made; mount -t tmpfs t /tmp && echo mounted'
    const { out } = await tried(`grep Cap /proc/self/status; ${making}; :`)
    expect(out).not.toMatch(/made|mounted/)
    expect(out.match(/0000000000000000/g)).toHaveLength(5)
  })

  test('what is left in the background ends with the gate, whatever its session', async () => {
    const { exit, ms } = await tried('(setsid sleep 86411 &) ; sleep 86411 & exit 0')
    expect(exit).toBe(0)
    expect(ms).toBeLessThan(10_000)
    expect(await runningWith('86411')).toEqual([])
  })

  test('time ends it, whatever it ignores', async () => {
    const { ended, ms } = await tried("trap '' TERM; setsid sleep 86412 & sleep 86412", {
      timeoutSeconds: 1,
    })
    expect(ended).toBe('timed_out')
    expect(ms).toBeLessThan(15_000)
    expect(await runningWith('86412')).toEqual([])
  })

  test('a fork bomb has as many processes as it may, and ends', async () => {
    const bomb = 'b() { b | b & }; b; sleep 2; echo alive'
    const { ended, exit, ms } = await tried(bomb, { limits: { processes: 24 }, timeoutSeconds: 8 })
    expect({ hasEnded: ended === 'timed_out' || exit !== null }).toEqual({ hasEnded: true })
    expect(ms).toBeLessThan(30_000)
  })

  test('memory, files and output are bounded', async () => {
    const limits = { memoryMb: 64, diskMb: 2, fileMb: 1, outputMb: 1 }
    const memory = `python3 -c 'x = bytearray(300_000_000)'; echo $?`
    expect((await tried(memory, { limits })).out.trim()).toBe('1')
    const file = 'dd if=/dev/zero of=big bs=1M count=3 2>/dev/null; stat -c %s big'
    expect(Number((await tried(file, { limits })).out)).toBeLessThanOrEqual(1_048_576)
    const disk = 'for i in 1 2 3 4 5; do head -c 900000 /dev/zero > f$i; done; cat f* | wc -c'
    expect(Number((await tried(disk, { limits })).out)).toBeLessThanOrEqual(2_097_152)
    const { ended, stdout } = await tried('yes', { limits })
    expect(ended).toBe('output_too_large')
    expect(stdout.text.length).toBeLessThanOrEqual(16_384)
  })
})

test('where namespaces are demanded and missing, these tests fail', () => {
  const demanding = { WARRANT_NAMESPACES_REQUIRED: '1' }
  expect(() => asDemanded(false, demanding)).toThrow('required')
  expect([asDemanded(true, demanding), asDemanded(false, {})]).toEqual([true, false])
})

test('as a process of this user, what is left in its group ends with it', async () => {
  const programs = await gatePrograms([], 'process')
  const { contract } = readContract({ taskId: 'T', objective: 'o' })
  const { exit, stdout } = await programs.run({
    command: ['sh', '-c', 'sleep 86413 & env'],
    folder: await temporaryFolder(),
    paths: [],
    overlay: new Map(),
    limits: contract.limits,
    timeoutSeconds: 10,
  })
  expect(exit).toBe(0)
  expect(await runningWith('86413')).toEqual([])
  const names = stdout.text.split('\n').map((line) => line.split('=')[0] ?? '')
  const allowed = ['HOME', 'LANG', 'PATH', 'PWD', 'OLDPWD', 'TMPDIR', '_', 'SHLVL', '']
  expect(names.filter((name) => !allowed.includes(name))).toEqual([])
})
