// How each command refuses what it cannot take: an unknown option, words too few or too many, a
// value that no option takes, and a log that is not there.
import type { Command } from 'commander'
import { CommanderError } from 'commander'
import { ranText, runAt } from '../played.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { block, plain, type Subject } from '../subject.ts'
import { allCommands, byFirstWord } from './commands.ts'

const now = Date.UTC(2026, 0, 1)
const wrong = '?!'
/** What serves, waits, makes a secret, or prints another thing where it is called with nothing. */
const beginning = ['up', 'demo', 'dev', 'init', 'mcp', 'help', 'completion', 'version', 'hook']
const begins = new RegExp(
  `^(${[...beginning, 'nats', 'keys', 'doctor', 'console digest', 'reach push'].join('|')})\\b`,
)

async function record(): Promise<ReadonlyMap<string, string>> {
  const cwd = await temporaryFolder()
  const blocks: [readonly string[], string][] = []
  for (const { path, command } of await allCommands()) {
    const acts = Reflect.get(command, '_actionHandler') !== null
    const bad = [
      [...path, '--no-such-option'],
      [...path, 'a', 'b', 'c', 'd', 'e', 'f', 'g'],
    ]
    const few = command.registeredArguments.some(({ required }) => required)
    const isBegun = begins.test(path.join(' '))
    const bare = acts && (few || !isBegun) ? [path] : []
    const lines = [...(acts ? bad.slice(0, isBegun ? 1 : 2) : []), ...bare]
    for (const words of lines) {
      const ran = await runAt(now, cwd, words)
      blocks.push([path, block(`warrant ${words.join(' ')}`, plain(ranText(ran), { cwd }))])
    }
    const values = valuesOf(command)
    if (values !== '') blocks.push([path, block(`options of warrant ${path.join(' ')}`, values)])
  }
  return byFirstWord(blocks)
}

/** What each option that checks its value says of a wrong one. */
function valuesOf({ options }: Command): string {
  return options
    .flatMap((option) => {
      if (option.parseArg === undefined) return []
      try {
        option.parseArg(wrong, option.defaultValue)
        return []
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error
        return [`${option.flags}: '${wrong}' is invalid. ${error.message}\n`]
      }
    })
    .join('')
}

export const refusals: Subject = { folder: 'ours/refusals', record }
