// `warrant up`: runs stages until it is told to stop.
import type { Command } from 'commander'
import { examples, type GlobalOptions } from './options.ts'

export function registerUp(program: Command): void {
  const command = program
    .command('up')
    .description('run stages on the log until Ctrl-C')
    .argument('[stage...]', 'which of them (all if none is named)')
    .action(async (names: readonly string[], _options: unknown, called: Command) => {
      const { up } = await import('./run/up.ts')
      process.exitCode = await up(names, called.optsWithGlobals<GlobalOptions>())
    })
  examples(command, [
    'warrant up',
    'warrant up grounding',
    'WARRANT_LOG_LEVEL=debug warrant up policy confirmation',
    '',
    'Several processes may run the same stage: names make that safe.',
  ])
}
