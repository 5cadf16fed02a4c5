// `warrant stats`: what became of intents, in numbers.
import { Option, type Command } from 'commander'
import { operations } from '#schemas/operations/table'
import { withAsked } from '#cli/terminal/asked/command'
import { examples, running } from '#cli/terminal/opening/options'
import { groupings } from './run.ts'

export function registerStats(program: Command): void {
  const command = program
    .command('stats')
    .description('count verdicts by tool, agent, reason and confirmer, and the time to decide')
  withAsked(command, 'counts')
    .option('--observed', 'count observed calls alone, by what they would have come to')
    .option('--luck', 'count allowed changes by what no one had checked')
    .option('--proposal', 'of --luck: print the rules that would have demanded it')
    .option('--people', 'count how people answer: of yourself, or as a policy admin of everyone')
    .option('--rules', 'count how the questions of each rule are answered')
    .option('--csv', 'print rows for a spreadsheet')
    .addOption(
      new Option('--by <what>', 'what the rows of --csv are of').choices(groupings).default('tool'),
    )
    .action(running(async () => (await import('./run.ts')).stats))
  examples(command, [
    ...operations.counts.examples,
    'warrant stats --agent my-agent --json',
    ...operations.observedCounts.examples,
    ...operations.luck.examples,
    'warrant stats --luck --proposal > demands.json',
    'warrant stats --csv --by reason > reasons.csv',
    ...operations.attention.examples,
    '',
    'An intent counts when its message was appended within the time; its verdict may be later.',
  ])
}
