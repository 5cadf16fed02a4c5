// All commands of the command line. What a command needs is loaded when it is called, so that help
// and short commands are quick.
import { Command } from 'commander'
import { packageVersion } from './opening/package-root.ts'
import { registerAnswers } from './answer/command.ts'
import { registerAsk } from './ask/command.ts'
import { registerCatalog } from './catalog/command.ts'
import { registerDemo } from './demo/command.ts'
import { registerDoctor } from './doctor/command.ts'
import { registerFaults } from './faults/command.ts'
import { registerGraph } from './graph/command.ts'
import { registerInit } from './init/command.ts'
import { registerKeys } from './keys/command.ts'
import { registerLog } from './log/command.ts'
import { registerNatsConfig } from './nats/config-command.ts'
import { registerNats } from './nats/command.ts'
import { registerOffline } from './offline/command.ts'
import { withGlobals } from './opening/options.ts'
import { registerPolicy } from './policy/command.ts'
import { registerProject } from './project/command.ts'
import { registerProposals } from './proposals/command.ts'
import { registerReplay } from './replay/command.ts'
import { registerReviews } from './reviews/command.ts'
import { registerSeed } from './seed/command.ts'
import { registerSuspend } from './suspend/command.ts'
import { registerTrace } from './trace/command.ts'
import { registerUp } from './up/command.ts'
import { registerWithdraw } from './withdraw/command.ts'

export function buildProgram(): Command {
  const program = new Command('warrant')
    .description('No agent acts without a warrant: ask, answer, look back, replay.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError()
    // The caller decides how errors are shown and with which code the process ends.
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  withGlobals(program)
  program.addHelpText('after', help)
  registerInit(program)
  registerAsk(program)
  registerWithdraw(program)
  registerReviews(program)
  registerAnswers(program)
  registerProposals(program)
  registerLog(program)
  registerFaults(program)
  registerTrace(program)
  registerReplay(program)
  registerSeed(program)
  registerGraph(program)
  registerCatalog(program)
  registerPolicy(program)
  registerSuspend(program)
  registerKeys(program)
  registerUp(program)
  registerProject(program)
  registerDoctor(program)
  registerNatsConfig(program)
  registerNats(program)
  registerDemo(program)
  registerOffline(program)
  return program
}

const help = `
Exit codes: 0 yes, 1 fault, 2 usage, 3 denied, 4 no verdict in time, 5 replay or check differs,
6 bad input lines, 7 replay cannot check all of it here. docs/FAULTS.md says what each error code
means and what to do.

Begin with:
  warrant init
  warrant demo`
