// What a call would write, on a log in a file: the hook that opens it keeps all of it, who may
// answer gets it in the terminal, and it goes with the answer.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { beforeTool } from '../../../shell/hooks/host-events.ts'
import { runChild } from '../../../support/cli-process.ts'
import { run, type Ran } from '../../../support/cli-runner.ts'
import { hookedLogIn } from '../../../support/hooked-log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const content = Array.from({ length: 500 }, (_, at) => `line ${at} of the file\n`).join('')

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

beforeAll(async () => {
  cwd = await temporaryFolder()
  await hookedLogIn(cwd)
})

async function asked(id: string): Promise<string> {
  const called = { tool: 'Write', input: { file_path: `${id}.sh`, content }, cwd, id }
  const input = JSON.stringify(beforeTool('claude-code', called))
  const how = ['hook', 'run', '--for', 'claude-code', '--log', '.warrant/log.db']
  const { code, stderr } = await runChild(how, { cwd, input })
  expect(code).toBe(2)
  return /warrant approve (?<id>[\w.-]+)/.exec(stderr)?.groups?.['id'] ?? ''
}

async function kept(): Promise<number> {
  const all = await readdir(join(cwd, '.warrant', 'contents')).catch(() => [])
  return all.filter((name) => name.startsWith('res_')).length
}

test('is shown where it is asked for, to who has the key, and is gone with the answer', async () => {
  const intent = await asked('a')
  expect((await warrant('reviews')).stdout).not.toContain('line 499')
  expect((await warrant('reviews', '--whole')).stdout).toContain('+line 499 of the file')
  for (const sent of [
    ['--exec', 'cat'],
    ['--webhook', 'http://127.0.0.1:1'],
  ]) {
    expect(await warrant('reviews', '--whole', ...sent)).toMatchObject({ code: 2 })
  }
  const env = { WARRANT_KEYS: join(cwd, 'no-keys') }
  const without = await run(['reviews', '--whole'], { cwd, env })
  expect(without.stdout).toContain('all of it   shown to those who may answer')
  expect(without.stdout).not.toContain('line 499')
  expect(await kept()).toBe(1)
  const approved = await warrant('approve', intent, '--whole')
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('+line 499') })
  expect(await kept()).toBe(0)
})

test('is not there where it was removed, and the terminal reports it', async () => {
  const intent = await asked('b')
  await rm(join(cwd, '.warrant', 'contents'), { recursive: true })
  const { stdout } = await warrant('decline', intent, '--whole')
  expect(stdout).toContain('not kept any more: only the excerpt')
  expect(stdout).not.toContain('line 499')
})
