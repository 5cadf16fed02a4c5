// Tables of one's own are laid over the seed's: they add commands, replace one only where they say
// so, and never reach what guards the agent. What is wrong in one is refused with its place.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkLine, openShellSeed } from '#cli/agents/hook/check'
import { runChild } from '../../../support/cli-process.ts'
import { run } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { warrant } from '../../offline/program.ts'

const folders: string[] = []

function laid(file: object | string): string {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-tables-'))
  folders.push(folder)
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  writeFileSync(join(folder, 'own.json'), text)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

async function outcomes(file: object, commands: readonly string[]) {
  const seed = await openShellSeed(undefined, laid(file))
  return commands.map((command) => {
    const checked = checkLine({ command }, seed)
    return 'error' in checked ? checked.error.message : checked.outcome
  })
}

describe('tables of one’s own', () => {
  test('add commands, by the same words as the seed', async () => {
    const file = { commands: { frob: { args: 'read...', options: { '-o': 'write' } } } }
    expect(await outcomes(file, ['frob a', 'frob ../a', 'frob -o a', 'frob -x', 'ls'])).toEqual([
      'allow',
      'ask',
      'ask',
      'ask',
      'allow',
    ])
  })

  test('do not reach what guards the agent, whatever they say of their arguments', async () => {
    const file = { commands: { frob: {} }, replace: { cp: {} } }
    expect(await outcomes(file, ['frob .claude/settings.json', 'cp a .warrant/b'])).toEqual([
      'deny',
      'deny',
    ])
  })

  test('replace a command of the seed under that word, with a note on it', async () => {
    const folder = laid({ replace: { date: { args: 'text...' } } })
    const line = `${JSON.stringify({ command: 'date 0101' })}\n`
    const { answers, reported } = await warrant(['hook', 'check', '--add', folder], line)
    expect(answers).toContain('"allow"')
    expect(reported).toContain('`date` is judged by')
  })

  const refused: ReadonlyMap<string, readonly [file: object | string, says: string]> = new Map([
    ['a command that the seed has', [{ commands: { git: {} } }, 'commands/git: `git` is in']],
    ['a replacement of nothing', [{ replace: { gti: {} } }, 'replace/gti: no table has `gti`']],
    ['an unknown role', [{ commands: { x: { args: 'raed' } } }, 'did you mean `read`']],
    ['an unknown concept', [{ commands: { x: { is: 'raed' } } }, 'the graph has no concept']],
    ['an unknown key', [{ commands: { x: { arg: 'read' } } }, 'commands/x: no such key: `arg`']],
    ['surroundings', [{ guard: { paths: [] } }, 'no such key: `guard`']],
    ['text that is no JSON', ['{', 'it is not JSON']],
  ])

  for (const [what, [file, says]] of refused) {
    test(`refuse ${what}, with the file and the place`, async () => {
      await expect(openShellSeed(undefined, laid(file))).rejects.toMatchObject({
        code: 'table_invalid',
        message: expect.stringMatching(/own\.json/u),
      })
      await expect(openShellSeed(undefined, laid(file))).rejects.toThrow(says)
    })
  }

  test('refuse a name that two of their files have', async () => {
    const folder = laid({ commands: { frob: {} } })
    writeFileSync(join(folder, 'second.json'), JSON.stringify({ commands: { frob: {} } }))
    await expect(openShellSeed(undefined, folder)).rejects.toThrow('`frob` is in own.json, too')
  })

  test('refuse a folder without a file', async () => {
    const folder = laid('')
    rmSync(join(folder, 'own.json'))
    await expect(openShellSeed(undefined, folder)).rejects.toThrow('ends with `.json`')
  })
})

describe('a hook with tables of one’s own', () => {
  const asked = (command: string, cwd: string) => ({
    input: JSON.stringify({
      session_id: 's-1',
      cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    }),
    cwd,
  })
  const hook = ['hook', 'run', '--for', 'claude-code', '--offline', '--add', 'tables/own']

  async function project(file: string): Promise<string> {
    const cwd = join(await temporaryFolder(), 'project', 'of', 'mine')
    mkdirSync(join(cwd, 'tables', 'own'), { recursive: true })
    writeFileSync(join(cwd, 'tables', 'own', 'own.json'), file)
    return cwd
  }

  test('judges by them, and lets the agent not change them', async () => {
    const cwd = await project(JSON.stringify({ commands: { frob: { args: 'read...' } } }))
    const allowed = await runChild(hook, asked('frob a', cwd))
    expect(allowed).toMatchObject({ code: 0, stdout: expect.stringContaining('"allow"') })
    const guarded = await runChild(hook, asked('cd tables && echo 1 >own/own.json', cwd))
    expect(guarded).toMatchObject({ code: 2, stderr: expect.stringContaining('what guards') })
  })

  test('blocks where they are broken or gone, and such a hook is not installed', async () => {
    const cwd = await project('{')
    const broken = await runChild(hook, asked('ls', cwd))
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('own.json') })
    const install = ['hook', 'install', '--for', 'codex', '--add', 'tables/own']
    expect((await run(install, { cwd })).code).toBe(1)
    rmSync(join(cwd, 'tables'), { recursive: true })
    const gone = await runChild(hook, asked('ls', cwd))
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('seed_missing') })
    expect(existsSync(join(cwd, '.codex'))).toBe(false)
  })

  test('is installed with them, by their whole path; a server has its own', async () => {
    const cwd = await project(JSON.stringify({ commands: { frob: {} } }))
    const install = ['hook', 'install', '--for', 'codex', '--add', 'tables/own']
    expect((await runChild(install, { cwd })).code).toBe(0)
    const written = readFileSync(join(cwd, '.codex', 'hooks.json'), 'utf8')
    expect(written).toContain(`--add ${join(cwd, 'tables', 'own')}`)
    expect((await run([...install, '--url', 'http://127.0.0.1:1'], { cwd })).code).toBe(2)
    const atServer = [...hook, '--url', 'http://127.0.0.1:1']
    expect((await runChild(atServer, asked('ls', cwd))).code).toBe(2)
  })
})
