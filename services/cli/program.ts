// All commands of the command line. What a command needs is loaded when it is called, so that help
// and short commands are quick.
import { Command, CommanderError, Option } from 'commander'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { packageVersion } from './opening/package-root.ts'
import { registerAnswers } from './answer/command.ts'
import { registerAsk } from './ask/command.ts'
import { registerBackup, registerExport } from './backup/command.ts'
import { registerCall } from './call/command.ts'
import { registerCatalog } from './catalog/command.ts'
import { registerDelegate } from './delegate/command.ts'
import { registerDemo } from './demo/command.ts'
import { registerDoctor } from './doctor/command.ts'
import { registerExplain } from './explain/command.ts'
import { registerFaults } from './faults/command.ts'
import { registerFirewall } from './firewall/command.ts'
import { registerGrants } from './grants/command.ts'
import { registerGraph } from './graph/command.ts'
import { registerHook } from './hook/command.ts'
import { registerInit } from './init/command.ts'
import { registerKeys } from './keys/command.ts'
import { registerLog } from './log/command.ts'
import { registerManual } from './manual/command.ts'
import { columnsDefault, helpLayout, helpWidths } from './manual/help-layout.ts'
import { registerMcp } from './mcp/command.ts'
import { registerNatsConfig } from './nats/config-command.ts'
import { registerNats } from './nats/command.ts'
import { registerOffline } from './offline/command.ts'
import { withGlobals } from './opening/options.ts'
import { registerPlan } from './plan/command.ts'
import { registerPolicy } from './policy/command.ts'
import { registerProject } from './project/command.ts'
import { registerProposals } from './proposals/command.ts'
import { registerReplay } from './replay/command.ts'
import { registerReviews } from './reviews/command.ts'
import { registerRevoke } from './revoke/command.ts'
import { registerSeed } from './seed/command.ts'
import { registerShortlist } from './shortlist/command.ts'
import { registerStats } from './stats/command.ts'
import { registerSuspend } from './suspend/command.ts'
import { registerToken } from './token/command.ts'
import { registerTokens } from './tokens/command.ts'
import { textOfLine } from './terminal/line.ts'
import { terminalColumns, wrapped } from './terminal/width.ts'
import { registerTest } from './test/command.ts'
import { registerTrace } from './trace/command.ts'
import { registerUp } from './up/command.ts'
import { registerWhatIf } from './whatif/command.ts'
import { registerWithdraw } from './withdraw/command.ts'
import { registerWork } from './work/command.ts'

export function buildProgram(): Command {
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
  program.commandsGroup('Begin:')
  registerInit(program)
  registerDemo(program)
  program.commandsGroup('Ask, and answer:')
  registerAsk(program)
  registerCall(program)
  registerShortlist(program)
  registerExplain(program)
  registerWithdraw(program)
  registerDelegate(program)
  registerReviews(program)
  registerAnswers(program)
  registerGrants(program)
  registerProposals(program)
  program.commandsGroup('Look back, and prove:')
  registerLog(program)
  registerStats(program)
  registerTrace(program)
  registerReplay(program)
  registerExport(program)
  registerFaults(program)
  program.commandsGroup('Write rules and knowledge:')
  registerTest(program)
  registerPlan(program)
  registerWhatIf(program)
  registerSeed(program)
  registerGraph(program)
  registerCatalog(program)
  registerPolicy(program)
  program.commandsGroup('Stop agents, and hold keys:')
  registerSuspend(program)
  registerRevoke(program)
  registerToken(program)
  registerKeys(program)
  program.commandsGroup('Run it:')
  registerUp(program)
  registerTokens(program)
  registerMcp(program)
  registerDoctor(program)
  registerBackup(program)
  registerProject(program)
  registerNatsConfig(program)
  registerNats(program)
  program.commandsGroup('Evaluate lines offline (NDJSON in and out):')
  registerOffline(program)
  registerFirewall(program)
  registerWork(program)
  registerHook(program)
  program.commandsGroup('Help:')
  registerManual(program)
  return program
}

function helpBelow(): string {
  const codes = exitMeanings.map(({ code, means }) => `  ${code}  ${means}`)
  return [
    '',
    'Exit codes:',
    ...wrapped(codes, terminalColumns(process.stdout) ?? columnsDefault).map(textOfLine),
    'docs/FAULTS.md says what each error code means and what to do.',
    '',
    'Begin with:',
    '  warrant init',
    '  warrant demo',
  ].join('\n')
}
