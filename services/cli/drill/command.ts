// `warrant drill plant`, which shows people a test question, and `warrant drills`: the list.
import type { Command } from 'commander'
import { examples, several, withSigner, type GlobalOptions } from '../opening/options.ts'
import type { PlantOptions } from './run.ts'

export function registerDrills(program: Command): void {
  const drill = program
    .command('drill')
    .description('test whether people read what they are asked about')
  const plant = withSigner(
    drill
      .command('plant')
      .description('show people a question that must be declined, drawn from an earlier review')
      .argument('[intent]', 'the intent whose review it is drawn from; by chance if left out')
      .option('--set <pointer=value>', 'what differs, such as `/to=mallory@example.net`', several)
      .option('--to <person>', 'who is shown it; may be given several times', several)
      .option('--unless-within <time>', 'only if none was planted within that time, such as 7d')
      .option('--note <text>', 'why, for anyone who reads the log'),
  ).action(async (intent: string | undefined, _options: unknown, called: Command) => {
    const { plant: planted } = await import('./run.ts')
    process.exitCode = await planted(intent, called.optsWithGlobals<PlantOptions>())
  })
  examples(plant, [
    'warrant drill plant 7QK2M0XA --set /to=mallory@example.net',
    'warrant drill plant --unless-within 7d --yes --key ~/admin.pem',
    '',
    'It is shown like a review to those who agreed (`attention.drills` of the catalog), until',
    'they answer. Nothing is ever carried out: it is no intent, and no verdict follows from it.',
  ])
  const list = program
    .command('drills')
    .description('list test questions, and what people answered')
    .action(async (_options: unknown, called: Command) => {
      const { listDrills } = await import('./list.ts')
      process.exitCode = await listDrills(called.optsWithGlobals<GlobalOptions>())
    })
  examples(list, ['warrant drills', 'warrant drills --json', 'warrant stats --people --rules'])
}
