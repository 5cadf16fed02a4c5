// The commands for the hooks of coding agents.
import { Option, type Command } from 'commander'
import { HookHost } from '#schemas/hooks/tools'
import { examples } from '../opening/options.ts'
import { judging } from '../offline/command.ts'
import type { HookRunOptions } from './run.ts'

/** Adds `hook check`, `hook run` and what sets them up. */
export function registerHook(program: Command): void {
  const hook = program.command('hook').description('judge what coding agents are about to run')
  registerRun(hook)
  const command = hook
    .command('check')
    .description('judge commands of a shell (NDJSON in and out)')
    .option('--seed <folder>', 'the tables and rules to judge by (else those of `seeds/shell`)')
    .option('--add <folder>', 'tables of your own, laid over those of the seed')
  const line = `echo '{"command":"rm -rf build"}' | warrant hook check`
  judging(command, [line]).action(
    async (
      file: string | undefined,
      options: { readonly seed?: string; readonly add?: string },
    ) => {
      const { checkCommands } = await import('./check.ts')
      process.exitCode = await checkCommands(file, options.seed, options.add)
    },
  )
}

function registerRun(hook: Command): void {
  const command = forHost(hook.command('run'))
    .description('answer one event of a coding agent (standard input), as its hook')
    .option('--url <url>', 'ask this server (`warrant up http`)')
    .option('--token-file <file>', 'the login at that server (else WARRANT_TOKEN)')
    .option('--as <principal>', 'on a log in a file: whose calls they are')
    .option('--offline', 'judge by the shipped rules alone, whatever log is near')
    .option('--seed <folder>', 'without a log: judge by the catalog of this folder')
    .action(async (_options: unknown, called: Command) => {
      const { runHook } = await import('./run.ts')
      process.exitCode = await runHook(called.optsWithGlobals<HookRunOptions>())
    })
  examples(command, [
    'warrant hook run --for claude-code --url http://127.0.0.1:7718 --token-file agent.token',
    'warrant hook run --for codex --log .warrant/log.db --as coding-agent',
    'warrant hook run --for gemini --offline',
    '',
    'Whatever goes wrong blocks, with a sentence on standard error.',
  ])
}

function forHost(command: Command): Command {
  return command.addOption(
    new Option('--for <agent>', 'the coding agent').choices(HookHost.options).makeOptionMandatory(),
  )
}
