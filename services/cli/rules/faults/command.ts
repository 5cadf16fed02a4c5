// `warrant faults`: the jobs that were set aside, and another try at one of them.
import type { Command } from 'commander'
import { askedCommand } from '#cli/terminal/asked/command'
import { examples, running } from '#cli/terminal/opening/options'

export function registerFaults(program: Command): void {
  const faults = askedCommand(program, { list: 'faults' })
  const retry = faults
    .command('retry')
    .description('retry a failed job, with the powers of the stage')
    .argument('<fault>', 'its position or its name')
    .action(running(async () => (await import('./retry.ts')).retryFault))
  examples(retry, [
    'warrant faults retry 1204',
    'warrant faults retry main.1.fault.policy.1187',
    '',
    'Where the realm has cells, give the name: a position is of one of them.',
    'The fault stays in the log. If it fails again, the command prints why, and you may retry.',
  ])
}
