// Hooks that only observe, as a person sets them up: nothing blocks, whatever is gone, and what was
// not recorded is counted on this machine.
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { missedCalls, noteMissed } from '#health/missed-calls'
import { sendHook } from '#hooks/send'
import { beforeCommand } from '../../../shell/hooks/host-events.ts'
import { builtFile } from '../../../support/vitest/built.ts'
import { runChild } from '../../../support/cli-process.ts'
import { keysOf, run, type Ran } from '../../../support/cli-runner.ts'
import { hookedLogIn } from '../../../support/hooked-log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const gone = 'http://127.0.0.1:1'

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const event = (command: string, id: string) =>
  JSON.stringify(beforeCommand('codex', { command, id, cwd }))
const hooked = (command: string, id: string, ...more: readonly string[]): Promise<Ran> => {
  const own = ['--log', '.warrant/log.db', '--as', 'coding-agent', '--observe']
  const options = more.length === 0 ? own : [...more, '--observe']
  // One that comes too late ends its process.
  return runChild(['hook', 'run', '--for', 'codex', ...options], { cwd, input: event(command, id) })
}
const missed = () => missedCalls(join(keysOf(cwd), 'missed-calls.ndjson'))

beforeAll(async () => {
  cwd = await temporaryFolder()
  await hookedLogIn(cwd)
})

test('each call is recorded on a log in a file, and none is stopped', async () => {
  const commands = ['ls', 'npm test', 'rm -rf /etc']
  for (const [index, command] of commands.entries()) {
    const ran = await hooked(command, `call-${index}`)
    expect(ran).toMatchObject({ code: 0, stdout: '' })
  }
  const { stdout } = await warrant('stats', '--observed', '--json')
  const counts = JSON.parse(stdout)
  expect((await warrant('reviews')).stdout).not.toContain('coding-agent')
  // A machine that takes too long for a hook misses a call, and counts that.
  const late = missed()?.count ?? 0
  if (late === 0) expect(counts).toMatchObject({ calls: 3, allow: 1, ask: 1, deny: 1 })
  expect(counts.calls + late).toBeGreaterThanOrEqual(3)
})

test('a log, a server or a login that is gone lets the call go by, and counts it', async () => {
  const before = missed()?.count ?? 0
  const away = await hooked('ls', 'a', '--log', 'nowhere/log.db', '--as', 'coding-agent')
  const silent = await hooked('ls', 'b', '--url', gone)
  await writeFile(join(cwd, 'token'), 'wrt_x\n')
  const closed = await hooked('ls', 'c', '--url', gone, '--token-file', 'token')
  const offline = await hooked('ls', 'd', '--offline')
  for (const ran of [away, silent, closed, offline]) {
    expect(ran).toMatchObject({ code: 0, stdout: '' })
    expect(ran.stderr).toContain('observed only, and not recorded')
  }
  expect(missed()).toMatchObject({ count: before + 4, last: { door: 'hook codex' } })
})

test('what is installed blocks on no failure, reports that, and is replaced by what enforces', async () => {
  const at = ['hook', 'install', '--for', 'claude-code', '--url', gone]
  const installed = await warrant(...at, '--observe')
  expect(installed.stderr).toContain('NOTHING IS ENFORCED')
  const file = join(cwd, '.claude/settings.json')
  const observing = await readFile(file, 'utf8')
  const address = new URLSearchParams({ observe: 'true', root: await realpath(cwd) })
  expect(observing).toContain(`/v1/hooks/claude-code?${address.toString()}"`)
  expect(observing).not.toContain('onFailure')
  const played = await warrant('hook', 'test', '--for', 'claude-code')
  expect(played).toMatchObject({ code: 5, stdout: expect.stringContaining('NOTHING IS ENFORCED') })
  expect(await warrant(...at)).toMatchObject({ code: 0 })
  const enforcing = await readFile(file, 'utf8')
  expect(enforcing).not.toContain('observe')
  expect(enforcing.match(/onFailure/gu)).toHaveLength(1)
})

// On a busy machine the host would stop waiting, and the call runs as well.
const notBlocking = /^(?:nothing(?:, not recorded)?|runs, since the hook failed)$/u

test('`hook test` proves that an observing hook never blocks', async () => {
  const own = ['--log', '.warrant/log.db', '--as', 'coding-agent', '--observe']
  const installed = await runChild(['hook', 'install', '--for', 'gemini', ...own], { cwd })
  expect(installed.stderr).toContain('NOTHING IS ENFORCED')
  const played = await run(['hook', 'test', '--for', 'gemini', '--json'], { cwd })
  const { rows, enforces, failsClosed } = JSON.parse(played.stdout)
  for (const { found } of rows) expect(found).toMatch(notBlocking)
  expect([rows.length, enforces, failsClosed]).toEqual([5, false, false])
})

test('the file that is started alone passes the call too, and counts it', async () => {
  const misses = join(cwd, 'own/missed-calls.ndjson')
  const { spawnSync } = await import('node:child_process')
  const words = [builtFile('services/hooks/send.ts'), 'gemini', gone, 'no-token', misses]
  const ran = spawnSync(process.execPath, words, { cwd, input: '{}', encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 0, stdout: '{}\n' })
  expect(missedCalls(misses)).toMatchObject({ count: 1, last: { door: 'hook gemini' } })
})

test('a hook that is to observe and has no log that records is refused', async () => {
  const install = ['hook', 'install', '--for', 'cursor', '--observe', '--dry-run']
  const ran = await run(install, { cwd: await temporaryFolder() })
  expect(ran.code).not.toBe(0)
  expect(ran.stderr).toContain('--url or --log')
  // Beside a log it is that one which records.
  expect(await warrant(...install)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--log'),
  })
})

test('the answer of a server that does not know how to observe does not count', async () => {
  const { createServer } = await import('node:http')
  const denial = JSON.stringify({ stdout: '', stderr: 'no\n', exit: 2 })
  const server = createServer((_request, response) => response.end(denial))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sending = { host: 'codex', url: `http://127.0.0.1:${port}`, token: 't', event: '{}' }
  const answers = [
    await sendHook({ ...sending, timeoutMs: 60_000, observes: true }),
    await sendHook({ ...sending, timeoutMs: 60_000 }),
  ]
  server.close()
  expect(answers).toMatchObject([{ exit: 0, missed: expect.any(String) }, { exit: 2 }])
})

test('what cannot be counted stops nothing, and the file has an end', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'missed.ndjson')
  await mkdir(file)
  const one = { at: 1, door: 'mcp', why: 'x' }
  noteMissed(file, one)
  expect(missedCalls(file)).toBeNull()
  await rename(file, join(folder, 'other'))
  noteMissed(file, one)
  noteMissed(file, { ...one, at: 2 })
  expect(missedCalls(file, 2)).toEqual({ count: 1, isFull: false, last: { ...one, at: 2 } })
  await writeFile(file, `${'x'.repeat(1024 * 1024)}\n${JSON.stringify(one)}\n`)
  noteMissed(file, one)
  expect(missedCalls(file)).toMatchObject({ count: 1, isFull: true })
})
