// `warrant revoke`, which takes back what was permitted, and `warrant revocations`, which lists it.
import type { Command } from 'commander'
import { examples, running, withSigner } from '#cli/terminal/opening/options'

export function registerRevoke(program: Command): void {
  const revoke = withSigner(
    program
      .command('revoke')
      .description('take back warrants that were given before now')
      .option('--warrant <intent>', 'the warrant of one intent')
      .option('--tool <id>', 'all warrants for a tool')
      .option('--agent <id>', 'all warrants of an agent')
      .option('--grant <name>', 'a grant, by its name in the log')
      .option('--note <text>', 'why, for anyone who reads the log'),
  ).action(running(async () => (await import('./run.ts')).revokeCommand))
  examples(revoke, [
    'warrant revoke --warrant 01JQ2Z --as olga',
    'warrant revoke --tool send_email --note "the address book leaked"',
    '',
    'What was decided before is not acted on any more; what is decided later is not affected, so',
    'suspend an agent that must not act at all. What runs already runs on.',
  ])
  const list = program
    .command('revocations')
    .description('list what was taken back, by whom, and why')
    .action(running(async () => (await import('./run.ts')).listRevocations))
  examples(list, ['warrant revocations', 'warrant revocations --json'])
}
