// `warrant grants`: what people have answered beforehand, and one of them with what it would let
// through.
import type { Command } from 'commander'
import { examples, withSigner } from '#cli/terminal/opening/options'
import type { RevokeGrantOptions } from './revoke.ts'
import type { GrantsOptions } from './run.ts'

export function registerGrants(program: Command): void {
  const command = program
    .command('grants')
    .description('list what people have answered beforehand, and what is left of it')
    .option('--all', 'also those that are used up, expired or revoked, for 30 days')
    .option('--as <principal>', 'only those that this person signed')
    .action(async (_options: unknown, called: Command) => {
      const { grants } = await import('./run.ts')
      process.exitCode = await grants(called.optsWithGlobals<GrantsOptions>())
    })
  examples(command, ['warrant grants', 'warrant grants --all', 'warrant grants show 7QK2M0XA'])
  const show = command
    .command('show')
    .description('show what was signed, and what it would let through of the last 30 days')
    .argument('<grant>', 'grant ID, or its last characters')
    .action(async (grant: string, _options: unknown, called: Command) => {
      const { showGrantMeant } = await import('./run.ts')
      process.exitCode = await showGrantMeant(grant, called.optsWithGlobals<GrantsOptions>())
    })
  examples(show, ['warrant grants show 7QK2M0XA'])
  const revoke = withSigner(
    command
      .command('revoke')
      .description('take a grant back: from then on no call rests on it')
      .argument('<grant>', 'grant ID, or its last characters')
      .option('--note <text>', 'why, for anyone who reads the log'),
  ).action(async (grant: string, _options: unknown, called: Command) => {
    const { revokeGrant } = await import('./revoke.ts')
    process.exitCode = await revokeGrant(grant, called.optsWithGlobals<RevokeGrantOptions>())
  })
  examples(revoke, [
    'warrant grants revoke 7QK2M0XA --note "the contract has ended"',
    '',
    'Its signer may do that, and policy admins. What was allowed by it and has not been begun',
    'is not acted on either.',
  ])
}
