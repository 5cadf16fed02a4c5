// All commands of the command line. What a command needs is loaded when it is called, so that help
// and short commands are quick.
import { Command } from 'commander'
import { packageVersion } from '#runtime/package-root'
import { registerAnswers } from './answer.ts'
import { registerAsk } from './ask.ts'
import { registerCatalog } from './catalog.ts'
import { registerDemo } from './demo/register.ts'
import { registerDoctor } from './doctor.ts'
import { registerFaults } from './faults.ts'
import { registerGraph } from './graph.ts'
import { registerInit } from './init.ts'
import { registerKeys } from './keys.ts'
import { registerLog } from './log.ts'
import { registerNatsConfig } from './nats-config.ts'
import { registerNats } from './nats.ts'
import { registerOffline } from './offline/register.ts'
import { withGlobals } from './options.ts'
import { registerPolicy } from './policy.ts'
import { registerProject } from './project.ts'
import { registerProposals } from './proposals.ts'
import { registerReplay } from './replay.ts'
import { registerReviews } from './reviews.ts'
import { registerSeed } from './seed.ts'
import { registerSuspend } from './suspend.ts'
import { registerTrace } from './trace.ts'
import { registerUp } from './up.ts'
import { registerWithdraw } from './withdraw.ts'

export function buildProgram(): Command {
  const program = new Command('warrant')
    .description('No agent acts without a warrant: ask, answer, look back, replay.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'say how it is used')
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
6 bad input lines.

Begin with:
  warrant init
  warrant demo`
