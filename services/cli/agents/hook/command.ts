// The commands for the hooks of coding agents.
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Host } from '#shell/hooks/hosts/host'
import { hostNamed, hosts } from '#shell/hooks/hosts/hosts'
import { examples, running, seconds } from '#cli/terminal/opening/options'
import { judging } from '#cli/offline/command'

/** Adds `hook check`, `hook run` and what sets them up. */
export function registerHook(program: Command): void {
  const hook = program.command('hook').description('judge what coding agents are about to run')
  registerRun(hook)
  registerSetUp(hook)
  registerPlay(hook)
  registerResident(hook)
  const command = hook
    .command('check')
    .description('judge commands of a shell (NDJSON in and out)')
    .option('--seed <folder>', 'the tables and rules to judge by (else those of `seeds/shell`)')
    .option('--add <folder>', 'tables of your own, laid over those of the seed')
  const line = `echo '{"command":"rm -rf build"}' | warrant hook check`
  judging(command, [line]).action(running(async () => (await import('./check.ts')).checkCommands))
}

function registerRun(hook: Command): void {
  const command = forHost(hook.command('run'))
    .description('answer one event of a coding agent (standard input), as its hook')
    .option('--url <url>', 'ask this server (`warrant up http`)')
    .option('--token-file <file>', 'the login at that server (else WARRANT_TOKEN)')
    .option('--as <principal>', 'on a log in a file: whose calls they are')
    .option('--offline', 'judge by the shipped rules alone, whatever log is near')
    .option('--seed <folder>', 'without a log: judge by the catalog of this folder')
    .option('--add <folder>', 'tables of your own, laid over those of the seed')
    .option('--root <folder>', 'the folder of the project, where the agent itself does not say it')
    .option('--observe', 'record what would be decided, enforce nothing and ask no one')
    .action(running(async () => (await import('./run.ts')).runHook))
  examples(command, [
    'warrant hook run --for claude-code --url http://127.0.0.1:7718 --token-file agent.token',
    'warrant hook run --for codex --log .warrant/log.db --as coding-agent',
    'warrant hook run --for gemini --offline',
    '',
    'Whatever goes wrong blocks, with a sentence on standard error; with --observe nothing does.',
  ])
}

function registerSetUp(hook: Command): void {
  const install = placed(forHost(hook.command('install')))
    .description('add our hooks to the settings of a coding agent')
    .option('--url <url>', 'ask this server; without it the shipped rules decide, or --log')
    .option('--token-file <file>', 'the login at that server')
    .option('--as <principal>', 'with --log: whose calls they are')
    .option('--add <folder>', 'without --url: tables of your own, laid over those of the seed')
    .option('--command', 'start a command even where the agent could ask over HTTP')
    .option('--observe', 'record what would be decided, enforce nothing and ask no one')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(running(async () => (await import('./install.ts')).installHooks))
  examples(install, [
    'warrant hook install --for claude-code --url http://127.0.0.1:7718',
    'warrant hook install --for codex --url http://127.0.0.1:7718 --token-file agent.token',
    'warrant hook install --for cursor --user --dry-run',
  ])
  const uninstall = placed(forHost(hook.command('uninstall')))
    .description('take our hooks out again')
    .option('--dry-run', 'show what would change, and change nothing')
    .action(running(async () => (await import('./install.ts')).uninstallHooks))
  examples(uninstall, ['warrant hook uninstall --for claude-code'])
}

function registerPlay(hook: Command): void {
  const command = placed(forHost(hook.command('test')))
    .description('play a coding agent against the hook that is installed')
    .option('--live', 'start the installed agent as well, after asking, in a folder of its own')
    .option('--yes', 'start it without asking')
    .option('--live-timeout <seconds>', 'how long the agent may take (120)', seconds)
    .action(running(async () => (await import('./play.ts')).playHooks))
  examples(command, [
    'warrant hook test --for claude-code',
    'warrant hook test --for codex --live --yes',
    '',
    'It ends with 5 where something that must block does not, with 7 where --live proves nothing.',
  ])
}

function registerResident(hook: Command): void {
  const command = hook
    .command('resident')
    .description('show the processes that keep logs open for hooks, or end them')
    .option('--stop', 'end that of the log, of this user and any version')
    .addOption(new Option('--serve', 'be that process').conflicts('stop'))
    .addOption(new Option('--add <folder>', 'with --serve: tables of your own').hideHelp())
    .action(running(async () => (await import('./resident/run.ts')).runResident))
  examples(command, [
    'warrant hook resident',
    'warrant hook resident --stop',
    '',
    'A hook on a log in a file starts it by itself; with WARRANT_HOOK_IDLE=0 none does.',
  ])
}

function placed(command: Command): Command {
  return command
    .addOption(new Option('--project', 'the settings of the project in this folder (default)'))
    .addOption(new Option('--user', 'the settings of the user').conflicts('project'))
}

function forHost(command: Command): Command {
  const named = new Option('--for <agent>', 'the coding agent').choices(names)
  return command.addOption(named.argParser(hostArgument).makeOptionMandatory())
}

const names = hosts.map(({ name }) => name)

function hostArgument(text: string): Host {
  const host = hostNamed(text)
  if (host !== null) return host
  throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`)
}
