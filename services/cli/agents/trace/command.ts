// `warrant trace`: the whole story of one intent, or of one contract.
import type { Command } from 'commander'
import { examples, type GlobalOptions } from '#cli/terminal/opening/options'

export function registerTrace(program: Command): void {
  const command = program
    .command('trace')
    .description('show everything that happened to one intent or contract, in order')
    .argument('<intent>', 'intent ID, its last characters, or the name of a fact about it')
    .action(async (intent: string, _options: unknown, called: Command) => {
      const { trace } = await import('./run.ts')
      process.exitCode = await trace(intent, called.optsWithGlobals<GlobalOptions>())
    })
  examples(command, [
    'warrant trace 7QK2M0XA',
    'warrant trace main.1.verdict.my-agent.-.01KAH3Q9V2Z6W0B8R7QK2M0XA1 --json',
  ])
}
