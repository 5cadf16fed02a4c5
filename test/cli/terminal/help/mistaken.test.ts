// What the command line answers to words that it does not have, and to a call that lacks parts:
// over every command that there is.
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { commandWords, optionWords } from '#cli/terminal/help/mistaken'
import { buildProgram } from '#cli/program'

const program = await buildProgram()

interface Placed {
  readonly path: readonly string[]
  readonly command: Command
}

function allOf(above: Command, path: readonly string[] = []): readonly Placed[] {
  return above.commands.flatMap((command) => {
    const own = [...path, command.name()]
    return [{ path: own, command }, ...allOf(command, own)]
  })
}
const placed = allOf(program)
const paths = placed.map(({ path }) => path.join(' '))

async function refusalOf(words: readonly string[]): Promise<string> {
  const called = await buildProgram(words[0])
  const refused: unknown = await called
    .parseAsync([...words], { from: 'user' })
    .catch((error: unknown) => error)
  return refused instanceof Error ? refused.message : ''
}

const longs = ({ options }: Command) =>
  options.filter(({ hidden }) => !hidden).map(({ long }) => long)
const guesses = (text: string): readonly string[] =>
  /Did you mean (?<names>[^?]+)\?/.exec(text)?.groups?.['names']?.split(' or ') ?? []

describe('a word that a command does not have', () => {
  test('gets options of that command alone, and where all of them are listed', async () => {
    const words = [...new Set(optionWords.flatMap((line) => line.split(' ')))]
    let guessed = 0
    for (const [at, { path, command }] of placed.entries()) {
      const known = [...longs(command), ...longs(program), ...longs(command.parent ?? program)]
      const word = words[(at * 7) % words.length] ?? ''
      if (command.commands.length > 0 || known.includes(`--${word}`)) continue
      const text = await refusalOf([...path, `--${word}`, 'x'])
      if (!text.includes('unknown option')) continue
      expect(text).toContain(`; \`warrant help ${path.join(' ')}\` lists its options`)
      guessed += guesses(text).length
      for (const name of guesses(text)) expect(known, `${path.join(' ')} --${word}`).toContain(name)
    }
    expect(guessed).toBeGreaterThan(10)
  })

  test.each([
    [
      ['log', '--who', 'ann'],
      ['--person', '--agent'],
    ],
    [['log', '--approved-by', 'ann'], ['--person']],
    [
      ['log', '--last', '7d'],
      ['--since', '--limit'],
    ],
    [['log', '--tools', 'refund'], ['--tool']],
    [['log', '--spreadsheet'], ['--csv']],
    [['approve', 'x', '--reason', 'y'], ['--note']],
    [['ask', 'refund', '--why', 'x'], ['--justification']],
    [['up', '--port', '7718'], ['--listen']],
    [['doctor', '--colour'], []],
    [['audit'], ['log']],
    [['deny', 'x'], ['decline']],
    [['serve'], ['up']],
    [['lint'], ['test', 'graph check']],
    [['aprove'], ['approve']],
    [['keys', 'rm'], ['retire']],
    [['graph', 'list'], ['show']],
    [['xyzzy'], []],
  ])('%j gets %j', async (words, meant) => {
    expect(guesses(await refusalOf(words))).toEqual(meant)
  })

  test('of the words that are explained, none is a command, and all lead to one', () => {
    for (const [path, words] of commandWords) {
      const [name = '', ...more] = path.split(' ')
      const isPath = paths.includes(path)
      const { command } = placed.find((each) => each.path.join(' ') === name) ?? {
        command: program,
      }
      // A stage of `up`, or an option.
      expect(isPath || name === 'up' || longs(command).includes(more[0]), path).toBe(true)
      for (const word of words.split(' ')) expect(paths).not.toContain(word)
    }
  })
})

test('all that a call lacks is named at once, by each command', async () => {
  let several = 0
  for (const { path, command } of placed) {
    const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags)
    const words = command.registeredArguments.filter(({ required }) => required)
    const parts = [...needed, ...words.map((argument) => `<${argument.name()}>`)]
    if (parts.length === 0 || command.commands.length > 0) continue
    if (parts.length > 1) several += 1
    const text = await refusalOf(path)
    for (const part of parts) expect(text).toContain(`\`${part}\``)
    for (const flags of needed) expect(text.split(': ').at(-1)).toContain(flags)
    expect(text).toContain(`\`warrant help ${path.join(' ')}\` has examples`)
  }
  expect(several).toBeGreaterThan(3)
})
