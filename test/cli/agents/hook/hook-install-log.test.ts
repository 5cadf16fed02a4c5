// `hook install` beside a log and without one: it never judges offline where a log is, and says
// what it still needs; what is played is taken back.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runChild } from '../../../support/cli-process.ts'
import { run as runHere } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const install = ['hook', 'install', '--for', 'copilot']

test('beside a log it asks that log, and names what is still needed', async () => {
  const cwd = await temporaryFolder()
  const run = (args: readonly string[]) => runHere(args, { cwd })
  expect(await run(['init'])).toMatchObject({ code: 0 })
  const near = await runChild(install, { cwd })
  expect(near.stderr).toContain('BLOCKS ALL CALLS until a person has done this:\n')
  expect(near.stderr).toContain('warrant:   warrant init --for copilot\n')
  const first = await runChild([...install, '--as', 'coder'], { cwd })
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('BLOCKS ALL CALLS') })
  const file = join(cwd, '.github/hooks/warrant.json')
  const written = await readFile(file, 'utf8')
  expect(written).toContain(`--log ${join(cwd, '.warrant/log.db')}`)
  expect(written).toContain(`--root ${cwd}`)
  expect(written).not.toContain('--offline')
  const commands = first.stderr.split('\n').flatMap((line) => {
    return /^warrant:\s+warrant (?<command>.+)$/.exec(line)?.groups?.['command'] ?? []
  })
  expect(commands).toHaveLength(3)
  const entry =
    /catalog\.json have `(?<entry>\{.*\})`, then/.exec(first.stderr)?.groups?.['entry'] ?? ''
  const catalog = join(cwd, 'warrant/catalog.json')
  const before = '"principals": ['
  const text = await readFile(catalog, 'utf8')
  await writeFile(catalog, text.replace(before, `${before} ${entry},`))
  for (const command of commands) expect(await run(command.split(' '))).toMatchObject({ code: 0 })
  expect((await runChild([...install, '--as', 'coder'], { cwd })).stderr).not.toContain(
    'BLOCKS ALL CALLS',
  )
  expect(await run(['hook', 'test', '--for', 'copilot'])).toMatchObject({ code: 0 })
  const reviews = await run(['reviews', '--json'])
  expect(reviews.stdout).not.toContain('npm test')
})

test('without one it says what will be blocked, and leaves no folder behind', async () => {
  const cwd = await temporaryFolder()
  await mkdir(join(cwd, '.github'))
  expect(await runChild(install, { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('there is NO LOG here'),
  })
  await runHere(['hook', 'uninstall', '--for', 'copilot'], { cwd })
  expect(await readdir(join(cwd, '.github'))).toEqual([])
})
