// `warrant stats`: what became of intents, in numbers.
import { Option, type Command } from 'commander'
import { intentFilters } from '#schemas/operations/facts'
import { withAsked } from '#cli/terminal/asked/command'
import { examples } from '#cli/terminal/opening/options'
import { groupings } from './print.ts'
import type { StatsGiven } from './run.ts'

export function registerStats(program: Command): void {
  const command = program
    .command('stats')
    .description('count verdicts by tool, agent, reason and confirmer, and the time to decide')
  withAsked(command, 'facts', { names: Object.keys(intentFilters) })
    .option('--observed', 'count observed calls alone, by what they would have come to')
    .option('--people', 'count how people answer: of yourself, or as a policy admin of everyone')
    .option('--rules', 'count how the questions of each rule are answered')
    .option('--csv', 'print rows for a spreadsheet')
    .addOption(
      new Option('--by <what>', 'what the rows of --csv are of').choices(groupings).default('tool'),
    )
    .action(async (_options: unknown, called: Command) => {
      const { stats } = await import('./run.ts')
      process.exitCode = await stats(called.optsWithGlobals<StatsGiven>())
    })
  examples(command, [
    'warrant stats --since 7d',
    'warrant stats --agent my-agent --json',
    'warrant stats --observed --since 1d',
    'warrant stats --csv --by reason > reasons.csv',
    'warrant stats --people --rules --since 30d',
    '',
    'An intent counts when its message was appended within the time; its verdict may be later.',
  ])
}
