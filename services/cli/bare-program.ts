// The command line without a command: its options, its help, and how a mistake leaves it.
import { Command, CommanderError, Option } from 'commander'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { columnsDefault, helpLayout, helpWidths } from '#cli/terminal/help/help-layout'
import { withGlobals } from '#cli/terminal/opening/options'
import { textOfLine } from '#cli/terminal/line'
import { terminalColumns, wrapped } from '#cli/terminal/width'

export function bareProgram(): Command {
  const program = new Command('warrant')
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
  program.addHelpText('after', helpBelow)
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
