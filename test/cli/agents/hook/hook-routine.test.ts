// A routine of a coding agent, agreed to once at its question: later calls like it are not asked
// about, and what does more is.
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { beforeTool } from '../../../shell/hooks/host-events.ts'
import { runChild } from '../../../support/cli-process.ts'
import { run, type Ran } from '../../../support/cli-runner.ts'
import { hookedLogIn } from '../../../support/hooked-log.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

let cwd = ''
const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

beforeAll(async () => {
  cwd = await temporaryFolder()
  await hookedLogIn(cwd)
})

let calls = 0

/** Null where it is allowed; else what the agent is answered. */
async function hook(tool: string, input: object): Promise<string | null> {
  calls += 1
  const called = { tool, input, cwd, id: `call-${calls}` }
  const event = JSON.stringify(beforeTool('claude-code', called))
  const how = ['hook', 'run', '--for', 'claude-code', '--log', '.warrant/log.db', '--root', cwd]
  const { code, stderr } = await runChild(how, { cwd, input: event })
  return code === 2 ? stderr : null
}

const write = (path: string) => hook('Write', { file_path: join(cwd, path), content: 'a\n' })
const bash = (command: string) => hook('Bash', { command })

const intentIn = (text: string | null): string =>
  /warrant approve (?<id>[\w.-]+)/.exec(text ?? '')?.groups?.['id'] ?? ''

test('a yes to writing a file is one for those of the project, for as long as it says', async () => {
  const asked = await write('src/a.ts')
  const intent = intentIn(asked)
  expect(asked).toContain('with `--routine` for later calls like it, too')
  const shown = await warrant('approve', intent, '--routine', '--uses', '2')
  expect(shown.stdout).toContain(`every call, in the project ${cwd} that does no more than this`)
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('write.inside') })
  expect(await write('src/b.ts')).toBeNull()
  expect(await write('.claude/settings.json')).toContain('guard')
  expect(intentIn(await write('../beside.ts'))).not.toBe('')
  expect(await write('src/c.ts')).toBeNull()
  expect(intentIn(await write('src/d.ts'))).not.toBe('')
})

test('a yes to a command that runs code is one for that command', async () => {
  const approved = await warrant('approve', intentIn(await bash('npm test')))
  const [before = ''] = approved.stdout.split('  signed ')
  expect(before).toContain('--routine')
  expect(before).toContain('only the very command “npm test”')
  const intent = intentIn(await bash('npm run build'))
  expect(await warrant('approve', intent, '--routine')).toMatchObject({ code: 0 })
  expect(await bash('npm run build')).toBeNull()
  expect(await bash('npm run build')).toBeNull()
  expect(intentIn(await bash('npm run built'))).not.toBe('')
})

test('a yes to what begins so is one for other paths, and for nothing else', async () => {
  const asked = await bash('npx vitest run test/a.test.ts')
  expect(asked).toContain('`--routine --prefix "npx vitest run"`')
  const agreed = (prefix: string) =>
    warrant('approve', intentIn(asked), '--routine', '--prefix', prefix)
  for (const [prefix, why] of [
    ['npx', 'no prefix'],
    ['npx --yes', 'no prefix'],
    ['npx vitest run $X', 'no prefix'],
    ['npm test', 'does not begin'],
  ] as const) {
    expect(await agreed(prefix), prefix).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(why),
    })
  }
  const { code, stdout } = await agreed('npx vitest run')
  expect(code).toBe(0)
  expect(stdout).toContain('commands that begin with “npx vitest run”')
  expect(await bash('npx vitest run test/b.test.ts 2>&1 | tail -40')).toBeNull()
  expect(await bash('npx vitest run --reporter=dot src')).toBeNull()
  for (const other of ['; rm -r src', ' ../a', ' $X', ' --config=/etc/a', 'ner', ' > a.txt']) {
    expect(intentIn(await bash(`npx vitest run${other}`)), other).not.toBe('')
  }
})

test('a yes to fetching from an address is one for that address', async () => {
  const fetch = (url: string, prompt: string) => hook('WebFetch', { url, prompt })
  const asked = await fetch('https://a.example/b', 'what is it?')
  expect(asked).toContain('--routine')
  const granted = await warrant('approve', intentIn(asked), '--routine')
  expect(granted).toMatchObject({ code: 0 })
  expect(granted.stdout).toContain('only the very address “https://a.example/b”')
  expect(await fetch('https://a.example/b', 'what is it?')).toBeNull()
  expect(await fetch('https://a.example/b', 'and what else?')).toBeNull()
  expect(intentIn(await fetch('https://a.example/b?c=1', 'what is it?'))).not.toBe('')
})

test('what deletes or sends has no routine, and nothing is answered', async () => {
  for (const command of ['rm -r src', 'git push origin main']) {
    const asked = await bash(command)
    expect(asked).not.toContain('--routine')
    const intent = intentIn(asked)
    const refused = await warrant('approve', intent, '--routine')
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/: it (?:deletes files|sends something).*each time/),
    })
    expect((await warrant('reviews')).stdout).toContain(command)
  }
})

test.each([
  [['--routine', '--also', 'true'], 'leave out --also'],
  [['--prefix', 'npm test'], '--prefix goes with --routine'],
  [['--routine', '--answers', 'no'], 'a yes to every question'],
])('%s is refused', async (options, why) => {
  const intent = intentIn(await bash(`node a.js ${why.length}`))
  const refused = await warrant('approve', intent, ...options)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
})
