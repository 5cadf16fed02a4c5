// Help and completion: made from the one table of commands, and as wide as they may be.
import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { completionScript, shells } from '#cli/terminal/help/completion'
import { bareProgram, buildProgram } from '#cli/program'
import { run, type Ran } from '../../../support/cli-runner.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const program = await buildProgram()

async function warrant(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return run(args, { cwd: await temporaryFolder(), env })
}

function allOf(entry: Command, above: readonly string[] = []): readonly (readonly string[])[] {
  return entry.commands.flatMap((each) => {
    const path = [...above, each.name()]
    return [path, ...allOf(each, path)]
  })
}

describe('help', () => {
  test('is grouped by task, shown in three ways, and lists every exit code', async () => {
    const { stdout } = await warrant(['help', '--all'])
    for (const group of new Set(program.commands.map((each) => each.helpGroup()))) {
      expect(group).toMatch(/:$/)
      expect(stdout).toContain(`\n${group}\n`)
    }
    for (const { code, means } of exitMeanings)
      expect(stdout.replaceAll(/\n */g, ' ')).toContain(`${code}  ${means}`)
    for (const each of program.commands) expect(stdout).toContain(`\n  ${each.name()} `)
    expect(await warrant(['--help', '--all'])).toEqual({ code: 0, stdout, stderr: '' })
    expect(await warrant(['help', 'graph', 'apply'])).toEqual(
      await warrant(['graph', 'apply', '--help']),
    )
  })

  test('names a few commands where not all are asked for, each with its own line', async () => {
    const { stdout } = await warrant(['help'])
    expect(await warrant(['--help'])).toEqual({ code: 0, stdout, stderr: '' })
    const squeezed = (text: string): string => text.trim().replaceAll(/ +/g, ' ')
    const whole = squeezed((await warrant(['help', '--all'])).stdout)
    const named = program.commands.map((each) => each.name())
    const shown = named.filter((name) => stdout.includes(`\n  ${name} `))
    expect(shown.length).toBeGreaterThan(10)
    expect(shown.length).toBeLessThanOrEqual(18)
    for (const name of shown) {
      const [line = ''] = new RegExp(`\n  ${name} [^\n]*`).exec(stdout) ?? []
      expect(whole).toContain(squeezed(line).slice(0, 40))
    }
    expect(stdout).toContain('help --all')
    expect(stdout).not.toContain('Exit codes')
  })

  test('of an option with many values shows the first, and a wrong word lists all', async () => {
    const { stdout } = await warrant(['help', 'log'])
    const lines = stdout.split('\n')
    expect(stdout).toMatch(/"malformed_message",\s+"sender_mismatch"/)
    expect(lines.filter((line) => line.includes('capability_suspended'))).toEqual([])
    expect(lines.length).toBeLessThan(110)
    const { code, stderr } = await warrant(['log', '--reason', 'nonsense'])
    expect(code).toBe(2)
    expect(stderr).toContain('capability_suspended')
  })

  test('without a command is one screen that names how to begin', async () => {
    const { code, stdout, stderr } = await warrant([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(20)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90)
    const named = [...stdout.matchAll(/warrant ([a-z]+)/g)].map(([, name = '']) => name)
    const known = new Set(program.commands.map((each) => each.name()))
    for (const name of ['demo', 'init', 'dev', 'mcp', 'up']) expect(named).toContain(name)
    for (const name of named) expect({ name, is: known.has(name) }).toEqual({ name, is: true })
  })

  test('of a command shows the options that every command has', async () => {
    const { stdout } = await warrant(['graph', 'apply', '--help'])
    for (const option of ['--dry-run', 'Global Options:', '--log <url>', '--json'])
      expect(stdout).toContain(option)
    expect(stdout).not.toContain('--version')
  })

  test.each([40, 60, 80])('is at most %i columns wide where the terminal is', async (columns) => {
    for (const path of [['graph'], ['log', 'rotate'], ['catalog', 'import']]) {
      const { stdout } = await warrant(['help', ...path], { COLUMNS: String(columns) })
      const [laidOut = ''] = stdout.split('\nExamples:')
      const words = laidOut.split('\n').filter((line) => /\S +\S/.test(line.trim()))
      const tooLong = words.filter((line) => line.length > columns && !/^ {2}\S.*[>\]]$/.test(line))
      expect(tooLong.filter((line) => !line.startsWith('Usage:'))).toEqual([])
    }
  })

  test('takes the id of a key that begins with a dash, and no mistyped option', async () => {
    const taken: unknown[] = []
    const program = bareProgram()
    program
      .command('keys')
      .command('retire')
      .argument('<principal>')
      .argument('<key>')
      .option('--of <key>')
      .option('--last [n]')
      .action((...words: unknown[]) => {
        taken.push(words.slice(0, 2), program.commands[0]?.commands[0]?.opts())
      })
    const short = '-Zmb_X4b8LYi0w5Z'
    const whole = '-ZmbVX4b8LYi0w5Z45Oq2DNjbacwzuZxDp9gqMajRFg'
    const dashes = '--mbVX4b8LYi0w5Z45Oq2DNjbacwzuZxDp9gqMajRFg'
    for (const key of [short, whole, dashes]) {
      await program.parseAsync(['keys', 'retire', 'gate', key, '--of', key], { from: 'user' })
      expect(taken.splice(0)).toEqual([['gate', key], { of: key }])
      await program.parseAsync(['keys', 'retire', '--', 'gate', key], { from: 'user' })
      expect(taken.splice(0)).toMatchObject([['gate', key], {}])
    }
    for (const wrong of ['--no-passphrases', '-x', whole.slice(1, 30).replace('m', '-')])
      await expect(
        program.parseAsync(['keys', 'retire', 'gate', `-${wrong}`], { from: 'user' }),
      ).rejects.toThrow('unknown option')
    await expect(
      program.parseAsync(['keys', 'retire', 'gate', '--last', whole], { from: 'user' }),
    ).rejects.toThrow('unknown option')
  })

  test('suggests what is near, and nothing else', async () => {
    const stats = await warrant(['trac'])
    expect(stats).toMatchObject({ code: 2, stdout: '' })
    expect(stats.stderr).toBe(
      "warrant: unknown command 'trac' (Did you mean trace?); `warrant help --all` lists all\n",
    )
    expect((await warrant(['deny'])).stderr).toContain('(Did you mean decline?)')
    expect((await warrant(['log', '--jsn'])).stderr).toContain('(Did you mean --json?)')
    expect((await warrant(['help', 'repaly'])).stderr).toContain('did you mean `replay`?')
  })
})

test.each(['version', '--version', '-v', '-V'])('`warrant %s` prints it', async (word) => {
  expect(await warrant([word])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+/),
  })
})

test('each exit code has one meaning', () => {
  const codes = exitMeanings.map(({ code }) => code)
  expect(codes).toEqual(Object.values(exitCodes))
  expect(codes).toEqual(codes.map((_, index) => index))
})

describe('completion', () => {
  test.each(shells)('for %s has every command', (shell) => {
    const script = completionScript(shell, program)
    for (const path of allOf(program)) expect(script).toContain(`'${path.join(' ')}'`)
  })

  test('for bash offers what can come next', () => {
    const offered = (...words: readonly string[]): readonly string[] => {
      const ask = [
        completionScript('bash', program),
        `COMP_WORDS=(warrant ${words.map((word) => `'${word}'`).join(' ')})`,
        `COMP_CWORD=${words.length}`,
        '_warrant; echo "${COMPREPLY[@]}"',
      ]
      const { stdout, stderr } = spawnSync('bash', ['-c', ask.join('\n')], { encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout.trim().split(' ')
    }
    expect(offered('gr')).toEqual(['grants', 'graph', 'ground'])
    expect(offered('graph', 'ex')).toEqual(['export'])
    expect(offered('--json', 'catalog', 'sp')).toEqual(['spread'])
    expect(offered('ask', '--cardinality', '')).toEqual(['single', 'multiple'])
    expect(offered('completion', 'f')).toEqual(['fish'])
    expect(offered('trace', '--l')).toEqual(['--log'])
  })
})

/** All help of a command and of those below it. */
function helpOf(command: Command): readonly string[] {
  return [command.helpInformation(), ...command.commands.flatMap(helpOf)]
}

test('a command that is called by its name is loaded without the others, and is the same', async () => {
  const alone = ['help', 'completion']
  for (const entry of program.commands.filter((each) => !alone.includes(each.name()))) {
    const { commands } = await buildProgram(entry.name())
    expect(commands.map(helpOf)).toContainEqual(helpOf(entry))
    expect(commands.length).toBeLessThan(8)
  }
  for (const called of [...alone, '--help', '--log', 'nothing', undefined]) {
    expect(helpOf(await buildProgram(called))).toEqual(helpOf(program))
  }
})
