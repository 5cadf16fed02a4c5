// `hook test --live` against programs that behave as installed agents do: those that block, those
// that do not, and those of which nothing is proven.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { HookWay } from '#shell/hooks/hosts/host'
import { proveLive, type HookedServer } from '#cli/agents/hook/play'
import { hostOf, hosts } from '../../../shell/hooks/host-events.ts'
import { runChild } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { builtFile } from '../../../support/vitest/built.ts'

const standIn = join(import.meta.dirname, 'stand-in.mjs')

afterEach(() => {
  vi.unstubAllEnvs()
})

/** A folder of programs with that one in it, before all others. */
async function installed(host: string, behaves: string): Promise<string> {
  const folder = await temporaryFolder()
  const { driven, settings, before } = hostOf(host)
  const path = join(folder, driven.program)
  const place = `HOST=${host} SETTINGS=${settings.project} EVENT=${before}`
  const start = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(standIn)} "$@"`
  writeFileSync(path, `#!/bin/sh\nBEHAVES=${behaves} ${place} ${start}\n`)
  chmodSync(path, 0o755)
  return folder
}

async function proven(host: string, behaves: string, timeoutMs = 60_000) {
  const folder = await installed(host, behaves)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`)
  vi.stubEnv('SAID_TO', join(folder, 'words.json'))
  const proof = await proveLive({ host: hostOf(host), wayTo: wayTo(host), timeoutMs })
  return { proof, folder }
}

const wayTo =
  (host: string) =>
  ({ url, tokenFile }: HookedServer): HookWay => {
    const send = [process.execPath, builtFile('services/hooks/send.ts'), host, url, tokenFile]
    return host === 'claude-code'
      ? { by: 'http', url: `${url}/v1/hooks/${host}`, tokenVariable: 'WARRANT_TOKEN' }
      : { by: 'command', command: send.join(' ') }
  }

test.each(hosts)('%s that blocks is proven, in a folder of its own', async (host) => {
  const { proof, folder } = await proven(host, 'blocks')
  expect(proof).toMatchObject({ outcome: 'blocked', version: 'stand-in 1.0' })
  const { cwd, words, token } = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8'))
  expect(existsSync(cwd)).toBe(false)
  expect(words.join(' ')).toContain('touch warrant-was-here.txt')
  expect(token).toBe('wrt_none')
})

test.each(hosts)('%s that runs the call all the same fails open', async (host) => {
  const { proof } = await proven(host, 'runs')
  expect(proof).toMatchObject({ outcome: 'ran', text: expect.stringContaining('FAILS OPEN') })
})

test.each([
  ['that runs no hook at all fails open', 'hookless', 'ran', 'its hook was not run'],
  ['that is not logged in proves nothing', 'login', 'not proven', 'Please run /login'],
  ['that makes no call proves nothing', 'idle', 'not proven', 'made no call'],
])('an agent %s', async (_name, behaves, outcome, text) => {
  const { proof } = await proven('claude-code', behaves)
  expect(proof).toMatchObject({ outcome, text: expect.stringContaining(text) })
})

test('an agent that does not end is killed, with all that it has started', async () => {
  const { proof, folder } = await proven('codex', 'hangs', 5_000)
  expect(proof).toMatchObject({ outcome: 'not proven', text: expect.stringContaining('in time') })
  const { pids } = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8'))
  await expect.poll(() => pids.filter((pid: number) => isRunning(pid))).toEqual([])
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('an agent that is not there is named, and nothing is started without being asked', async () => {
  const cwd = await temporaryFolder()
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  const env = { PATH: bin }
  await runChild(['hook', 'install', '--for', 'gemini'], { cwd })
  const live = ['hook', 'test', '--for', 'gemini', '--live', '--json']
  const unasked = await run(live, { cwd, env })
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const { code, stdout } = await run([...live, '--yes'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ live: 'not proven: gemini is not installed' })
  expect(code).toBe(7)
})

test('the whole test ends with 5 where the installed agent fails open', async () => {
  const cwd = await temporaryFolder()
  const env = { PATH: `${await installed('codex', 'runs')}${delimiter}${process.env['PATH']}` }
  await runChild(['hook', 'install', '--for', 'codex'], { cwd })
  const { code, stdout } = await run(['hook', 'test', '--for', 'codex', '--live', '--yes'], {
    cwd,
    env,
  })
  expect(stdout).toContain('The installed agent itself (stand-in 1.0): codex FAILS OPEN')
  expect(code).toBe(5)
})
