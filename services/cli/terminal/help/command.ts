// `warrant help`, `warrant version` and `warrant completion`.
import { Argument, type Command } from 'commander'
import { didYouMean, nearest } from '#record/quote'
import { examples } from '../opening/options.ts'
import { packageVersion } from '../opening/package-root.ts'
import { usage } from '../failure.ts'
import { write } from '../terminal.ts'
import { shells, type Shell } from './completion.ts'
import { allFlag } from './help-layout.ts'

export function registerHelp(program: Command): void {
  const help = program
    .command('help')
    .description('show help, of one command if it is named')
    .argument('[command...]', 'such as `graph show`')
    .option(allFlag, 'list all commands, and the exit codes')
    .action((names: readonly string[]) => commandNamed(program, names).outputHelp())
  examples(help, ['warrant help', 'warrant help --all', 'warrant help graph show'])
  program
    .command('version')
    .description('print the version')
    .action(() => write(`${packageVersion()}\n`))
  const completion = program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./completion.ts')
      await write(completionScript(shell, program))
    })
  examples(completion, [
    'source <(warrant completion bash)',
    'warrant completion zsh > ~/.zfunc/_warrant',
    'warrant completion fish > ~/.config/fish/completions/warrant.fish',
  ])
}

function commandNamed(program: Command, names: readonly string[]): Command {
  let found = program
  for (const name of names) {
    const below = found.commands.find((each) => each.name() === name)
    if (below === undefined) throw unknownCommand(found, name)
    found = below
  }
  return found
}

function unknownCommand(command: Command, name: string) {
  const known = command.commands.map((each) => each.name())
  return usage(`unknown command '${name}'${didYouMean(nearest(known, name))}`)
}
