// `warrant whatif`: what a folder would have done to all that was asked.
import { InvalidArgumentError, type Command } from 'commander'
import { momentSpelling } from '#operations/finding/moment'
import { moment } from '#cli/terminal/opening/moment'
import { examples, running } from '#cli/terminal/opening/options'
import type { Since } from './run.ts'

export function registerWhatIf(program: Command): void {
  const command = program
    .command('whatif')
    .description('derive all recorded intents again under a folder, and show what would differ')
    .argument('<folder>', 'the folder with graph.json, catalog.json and callbacks.ts')
    .option(
      '--since <moment>',
      `only what was decided since: such as 7d or 12h, or ${momentSpelling}`,
      since,
    )
    .option('--agent <id>', 'only intents of this agent')
    .option('--tool <name>', 'only calls of this tool')
    .option('--prune', 'also remove what the log has and the folder lacks')
    .option('--fail-on-flip', 'end with 5 if an intent comes out differently')
    .action(running(async () => (await import('./run.ts')).whatIf))
  examples(command, [
    'warrant whatif warrant',
    'warrant whatif warrant --since 7d --tool send_email --fail-on-flip',
    '',
    'Each intent is derived as it stood when policy decided on it, once by the graph and catalog',
    'that the log has now and once by the folder. What people answered counts where they would be',
    'asked the same. Uses are counted as they were recorded.',
  ])
}

const units = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const

function since(text: string): Since {
  const [, digits, unit] = /^([1-9][0-9]{0,5})([dhm])$/.exec(text) ?? []
  if (digits !== undefined && (unit === 'd' || unit === 'h' || unit === 'm')) {
    return { at: 'ago', ms: Number(digits) * units[unit] }
  }
  const found = moment(text)
  if (found.at === 'time' || found.at === 'position') return found
  throw new InvalidArgumentError('Expected a duration such as 7d, a position or a time.')
}
