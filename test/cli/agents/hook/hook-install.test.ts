// `hook install`, `test` and `uninstall` as a person runs them: what is installed blocks with a
// server that is gone, and the settings come back byte for byte.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChild } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const theirs = '{\n\t"model":   "a",\n\t"hooks": {"Stop": []}\n}'

async function project(): Promise<{ readonly cwd: string; readonly file: string }> {
  const cwd = await temporaryFolder()
  await mkdir(join(cwd, '.claude'))
  const file = join(cwd, '.claude/settings.json')
  await writeFile(file, theirs)
  return { cwd, file }
}

test('what was installed comes out byte for byte, and others are left where they wrote', async () => {
  const { cwd, file } = await project()
  const install = ['hook', 'install', '--for', 'claude-code', '--url', 'http://127.0.0.1:1']
  expect(await run(install, { cwd })).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toContain('"onFailure": "block"')
  expect(await run(install, { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing to change'),
  })
  const out = ['hook', 'uninstall', '--for', 'claude-code']
  expect(await run(out, { cwd })).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).toBe(theirs)
  expect(await readdir(join(cwd, '.claude'))).toEqual(['settings.json'])
  await run(install, { cwd })
  const changed = (await readFile(file, 'utf8')).replace('"a"', '"b"')
  await writeFile(file, changed)
  await run(out, { cwd })
  expect(await readFile(file, 'utf8')).toBe(theirs.replace('"a"', '"b"'))
})

test('settings that cannot be read are left as they are', async () => {
  const { cwd, file } = await project()
  await writeFile(file, '{"a": 1,}')
  const ran = await run(['hook', 'install', '--for', 'claude-code'], { cwd })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('1:9')
  expect(await readFile(file, 'utf8')).toBe('{"a": 1,}')
})

test('what is installed blocks where its server is gone or silent', async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'token'), 'wrt_x\n')
  const at = ['--url', 'http://127.0.0.1:1', '--token-file', 'token']
  await runChild(['hook', 'install', '--for', 'codex', ...at], { cwd })
  const { code, stdout } = await run(['hook', 'test', '--for', 'codex', '--json'], { cwd })
  // Nothing is allowed by a server that is not there.
  expect(code).toBe(5)
  const { rows, live } = JSON.parse(stdout)
  const found = rows.map((row: { readonly found: string }) => row.found)
  expect(found).toEqual(['deny', 'deny', 'deny', 'deny', 'deny', 'deny', 'deny', 'on'])
  expect(live).toBe('not proven with this version')
})

test('Codex that is set to run no hooks is named, when they are installed and when tested', async () => {
  const cwd = await temporaryFolder()
  const env = { CODEX_HOME: join(cwd, 'home') }
  await mkdir(env.CODEX_HOME)
  await writeFile(join(env.CODEX_HOME, 'config.toml'), '[features]\nhooks = false\n')
  const said = expect.stringContaining('home/config.toml` turns hooks off')
  const installed = await runChild(['hook', 'install', '--for', 'codex', '--user'], { cwd, env })
  expect(installed).toMatchObject({ code: 0, stderr: said })
  expect(await readdir(env.CODEX_HOME)).toContain('hooks.json')
  const tested = ['hook', 'test', '--for', 'codex', '--user']
  expect(await run(tested, { cwd, env })).toMatchObject({ code: 5, stdout: said })
  await mkdir(join(cwd, '.codex'))
  await writeFile(join(cwd, '.codex/config.toml'), 'features.hooks = true\n')
  expect(await run(tested, { cwd, env })).toMatchObject({ code: 0 })
})
