// `warrant reinstate`, by which a person lets an agent work again that its standing has suspended.
import type { Command } from 'commander'
import { examples, withSigner } from '#cli/terminal/opening/options'
import type { ReinstateOptions } from './reinstate.ts'

export function registerReinstate(program: Command): void {
  const command = withSigner(
    program
      .command('reinstate')
      .description('let an agent work again that its standing has suspended, under strict rules')
      .argument('<agent>', 'the principal')
      .requiredOption('--reason <text>', 'why, for anyone who reads the log'),
  ).action(async (agent: string, _options: unknown, called: Command) => {
    const { reinstateCommand } = await import('./reinstate.ts')
    process.exitCode = await reinstateCommand(agent, called.optsWithGlobals<ReinstateOptions>())
  })
  examples(command, ['warrant reinstate my-agent --reason "its tests were wrong" --as olga'])
}
