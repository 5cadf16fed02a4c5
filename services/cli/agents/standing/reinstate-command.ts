// `warrant reinstate`, by which a person lets an agent work again that its standing has suspended.
import type { Command } from 'commander'
import { examples, running, withSigner } from '#cli/terminal/opening/options'

export function registerReinstate(program: Command): void {
  const command = withSigner(
    program
      .command('reinstate')
      .description('let an agent work again that its standing has suspended, under strict rules')
      .argument('<agent>', 'the principal')
      .requiredOption('--reason <text>', 'why, for anyone who reads the log'),
  ).action(running(async () => (await import('./reinstate.ts')).reinstateCommand))
  examples(command, ['warrant reinstate my-agent --reason "its tests were wrong" --as olga'])
}
