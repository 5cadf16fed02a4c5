// The commands for the hooks of coding agents.
import type { Command } from 'commander'
import { judging } from '../offline/command.ts'

/** Adds `hook check`. */
export function registerHook(program: Command): void {
  const hook = program.command('hook').description('judge what coding agents are about to run')
  const command = hook
    .command('check')
    .description('judge commands of a shell (NDJSON in and out)')
    .option('--seed <folder>', 'the tables and rules to judge by (else those of `seeds/shell`)')
  const line = `echo '{"command":"rm -rf build"}' | warrant hook check`
  judging(command, [line]).action(
    async (file: string | undefined, options: { readonly seed?: string }) => {
      const { checkCommands } = await import('./check.ts')
      process.exitCode = await checkCommands(file, options.seed)
    },
  )
}
