// `warrant faults`: the jobs that were set aside, and another try at one of them.
import type { Command } from 'commander'
import { askedCommand } from '#cli/terminal/asked/command'
import { examples, type GlobalOptions } from '#cli/terminal/opening/options'

export function registerFaults(program: Command): void {
  const faults = askedCommand(program, { list: 'faults' })
  const retry = faults
    .command('retry')
    .description('retry a failed job, with the powers of the stage')
    .argument('<fault>', 'its position or its name')
    .action(async (fault: string, _options: unknown, called: Command) => {
      const { retryFault } = await import('./retry.ts')
      process.exitCode = await retryFault(fault, called.optsWithGlobals<GlobalOptions>())
    })
  examples(retry, [
    'warrant faults retry 1204',
    'warrant faults retry main.1.fault.policy.1187',
    '',
    'Where the realm has cells, give the name: a position is of one of them.',
    'The fault stays in the log. If it fails again, the command prints why, and you may retry.',
  ])
}
