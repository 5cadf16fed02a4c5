// The command line without a command: its options, its help, and how a mistake leaves it.
import { Command, CommanderError, Option } from 'commander'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { columnsDefault, helpLayout, helpWidths } from '#cli/terminal/help/help-layout'
import { withGlobals } from '#cli/terminal/opening/options'
import { textOfLine } from '#cli/terminal/line'
import { terminalColumns, wrapped } from '#cli/terminal/width'

/** The id of a key begins with a dash once in 64 times: 16 or 43 characters of base64url. */
const keyId = /^-(?=.*[A-Z0-9_])(?:[\w-]{15}|[\w-]{42})$/

/** Stands before an argument that the parser is not to take for an option. */
const shield = '\0'

/** A command that takes the id of a key as it is printed, whatever it begins with. */
class KeyTakingCommand extends Command {
  override createCommand(name?: string): Command {
    return new KeyTakingCommand(name)
  }

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    const shielded = argv.map((word, at) =>
      keyId.test(word) && !this.#takesValue(argv[at - 1]) ? shield + word : word,
    )
    const { operands, unknown } = super.parseOptions(shielded)
    return { operands: operands.map(bared), unknown: unknown.map(bared) }
  }

  #takesValue(word = ''): boolean {
    const named = this.options.find(({ short, long }) => word === short || word === long)
    return named !== undefined && (named.required || named.optional)
  }
}

function bared(word: string): string {
  return word.startsWith(shield) ? word.slice(shield.length) : word
}

/** `brief` where its help lists those commands alone that people need first. */
export function bareProgram(shows: 'all' | 'brief' = 'all'): Command {
  const program = new KeyTakingCommand('warrant')
    .description('No agent acts without a warrant: ask, answer, look back, replay.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp(helpLayout)
    // The caller decides how errors are shown and with which code the process ends.
    .exitOverride()
    .configureOutput({ outputError: () => undefined, ...helpWidths })
    .on('option:V', () => {
      process.stdout.write(`${packageVersion()}\n`)
      throw new CommanderError(exitCodes.yes, 'commander.version', packageVersion())
    })
  withGlobals(program)
  program.addHelpText('after', shows === 'all' ? helpBelow : briefBelow)
  return program
}

function helpBelow(): string {
  const codes = exitMeanings.map(({ code, means }) => `  ${code}  ${means}`)
  return [
    '',
    'Exit codes:',
    ...wrapped(codes, terminalColumns(process.stdout) ?? columnsDefault).map(textOfLine),
    'docs/reference/faults.md says what each error code means and what to do.',
    '',
    'Begin with:',
    '  warrant init',
    '  warrant demo',
  ].join('\n')
}

function briefBelow(): string {
  return [
    '',
    '`warrant help --all` lists all commands, and the exit codes.',
    '`warrant help COMMAND` shows the options of one, and examples.',
  ].join('\n')
}
