// `init --for`: each door works at the end, on a new log and on one that is there, and is taken
// back by one command. What is not signed is not left as if it counted.
import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { atTerminal, hasTerminals } from '../../at-terminal.ts'
import { runChild } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const asking = ['ask', 'send_email', '--justification', 'Ann asked for her invoice']
/** So that the package that a program imports is this one. */
const tsx = fileURLToPath(import.meta.resolve('tsx'))
const sources = ['--conditions=warrant-source', '--import', tsx]
const theirs = '{\n\t"model": "a"\n}'

async function catalogIn(cwd: string): Promise<string> {
  return readFile(join(cwd, 'warrant/catalog.json'), 'utf8')
}

describe('the door of a program', () => {
  test.each(['node', 'python'])('of %s makes the file that the pages name', async (door) => {
    const cwd = await temporaryFolder()
    expect(await run(['init', '--for', door], { cwd })).toMatchObject({ code: 0 })
    const made = (await readdir(cwd)).filter((file) => file.startsWith('agent.'))
    expect(made).toHaveLength(1)
    const ending = door === 'node' ? /\bagent\.(?:[cm]?[jt]s)\b/g : /\bagent\.py\b/g
    const root = new URL('../../../../', import.meta.url)
    const pages = ['README.md', 'docs/agents/adopt.md', 'docs/agents/frameworks.md']
    const texts = await Promise.all(pages.map((page) => readFile(new URL(page, root), 'utf8')))
    const named = new Set(texts.flatMap((text) => [...text.matchAll(ending)].map(String)))
    expect([...named]).toEqual(made)
  })
})

describe('the door of a coding agent', () => {
  test('blocks and allows at once, and goes out byte for byte', async () => {
    const cwd = await temporaryFolder()
    await mkdir(join(cwd, '.claude'))
    const settings = join(cwd, '.claude/settings.json')
    await writeFile(settings, theirs)
    const made = await runChild(['init', '--for', 'claude-code'], { cwd })
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('FAILS OPEN') })
    expect(made.stdout).toContain('Next:\n  warrant hook test --for claude-code\n')
    expect(await readFile(settings, 'utf8')).toContain('--as coding-agent')
    expect(await run(['hook', 'test', '--for', 'claude-code'], { cwd })).toMatchObject({ code: 0 })
    const planned = await run(['plan', 'warrant'], { cwd })
    expect(planned.stdout).toContain('up to date')
    const back = await run(['init', '--for', 'claude-code', '--undo'], { cwd })
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('taken out') })
    expect(await readFile(settings, 'utf8')).toBe(theirs)
    expect(await readdir(join(cwd, '.claude'))).toEqual(['settings.json'])
  })

  test('comes to a log that is there only by a signature, and else leaves all as it was', async () => {
    const cwd = await temporaryFolder()
    await run(['init'], { cwd })
    const before = await catalogIn(cwd)
    const again = ['init', '--for', 'copilot']
    const refused = await runChild(again, { cwd, isBare: true })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no one can be asked'),
    })
    expect(await catalogIn(cwd)).toBe(before)
    expect(await readdir(cwd)).not.toContain('.github')
    expect(await runChild([...again, '--key', 'you', '--yes'], { cwd })).toMatchObject({ code: 0 })
    expect(await run(['hook', 'test', '--for', 'copilot'], { cwd })).toMatchObject({ code: 0 })
    // Nothing is left to sign, so no one is asked.
    expect(await runChild(again, { cwd, isBare: true })).toMatchObject({ code: 0 })
    const asked = await run([...asking, '--agent', 'my-agent'], { cwd })
    expect(asked).toMatchObject({ code: 0 })
  })

  test.runIf(hasTerminals)('shows what it would sign, and takes a no', async () => {
    const cwd = await temporaryFolder()
    await run(['init'], { cwd })
    const before = await catalogIn(cwd)
    const typed = [{ after: '[y/N] ', line: 'n' }]
    const seen = await atTerminal(['init', '--for', 'claude-code'], { cwd }, typed)
    expect(seen.code).not.toBe(0)
    expect(seen.screen).toContain('the shipped rules of coding agents: `shell.run`')
    expect(seen.screen).toContain('principal coding-agent')
    expect(await catalogIn(cwd)).toBe(before)
  })
})

describe('the door of a program', () => {
  test('is one that runs, and that goes only as it was written', async () => {
    const cwd = await temporaryFolder()
    const made = await run(['init', '--for', 'node', '--tool', 'look_up_o’brien'], { cwd })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    await mkdir(join(cwd, 'node_modules'))
    await symlink(process.cwd(), join(cwd, 'node_modules/warrant-runtime'))
    const ran = await promisify(execFile)(process.execPath, [...sources, 'agent.mjs'], { cwd })
    expect(ran.stdout).toContain('done, with 17')
    const undo = ['init', '--for', 'node', '--tool', 'look_up_o’brien', '--undo']
    await writeFile(join(cwd, 'agent.mjs'), '// mine\n')
    expect((await run(undo, { cwd })).stdout).toContain('left as it is')
    expect(
      await run(['init', '--for', 'node', '--tool', 'look_up_o’brien'], { cwd }),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('left as it is'),
    })
    expect(await readFile(join(cwd, 'agent.mjs'), 'utf8')).toBe('// mine\n')
  })

  test('over HTTP has a login of its own, which ends with it', async () => {
    const cwd = await temporaryFolder()
    const made = await run(['init', '--for', 'python', '--json'], { cwd })
    expect(JSON.parse(made.stdout)).toMatchObject({ next: ['warrant up http', expect.anything()] })
    const login = join(cwd, '.warrant/my-agent.token')
    const first = await readFile(login, 'utf8')
    expect((await stat(login)).mode & 0o777).toBe(0o600)
    expect(await readFile(join(cwd, 'agent.py'), 'utf8')).toContain('my-agent.token')
    await run(['init', '--for', 'http'], { cwd })
    expect(await readFile(login, 'utf8')).not.toBe(first)
    const states = async () => {
      const listed = await run(['tokens', 'list', '--json'], { cwd })
      return JSON.parse(listed.stdout).map((one: { readonly state: string }) => one.state)
    }
    expect(await states()).toEqual(['revoked', 'good'])
    await run(['init', '--for', 'python', '--undo'], { cwd })
    expect(await states()).toEqual(['revoked', 'revoked'])
    expect(await readdir(cwd)).not.toContain('agent.py')
    expect(await readdir(join(cwd, '.warrant'))).not.toContain('my-agent.token')
  })
})

test.each([
  [['init', '--undo'], '--for'],
  [['init', '--for', 'telegraph'], 'claude-code'],
  [['init', 'other', '--for', 'node'], 'go there first'],
  [['init', '--for', 'node', '--log', 'other.db'], 'go there first'],
])('%j is refused before anything is made', async (words, why) => {
  const cwd = await temporaryFolder()
  const refused = await runChild(words, { cwd })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
  expect(await readdir(cwd)).toEqual([])
})
