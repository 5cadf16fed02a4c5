// `warrant withdraw`: an agent no longer wants what it asked for.
import type { Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'

export function registerWithdraw(program: Command): void {
  const command = program
    .command('withdraw')
    .description('withdraw an open intent, in the name of its agent')
    .argument('<intent>', 'intent ID, or its last characters')
    .option('--why <text>', 'why it is no longer wanted')
    .option('--key <file>', 'the private key of the agent, if the catalog binds one to it')
    .action(running(async () => (await import('./run.ts')).withdrawCommand))
  examples(command, ['warrant withdraw 7QK2M0XA --why "the customer called it off"'])
}
