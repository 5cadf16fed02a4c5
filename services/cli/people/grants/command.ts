// `warrant grants`: what people have answered beforehand, and one of them with what it would let
// through.
import type { Command } from 'commander'
import { askedCommand } from '#cli/terminal/asked/command'
import { examples, running, withSigner } from '#cli/terminal/opening/options'

export function registerGrants(program: Command): void {
  const command = askedCommand(program, { list: 'grants' })
  askedCommand(command, { list: 'grant' })
  const revoke = withSigner(
    command
      .command('revoke')
      .description('take a grant back: from then on no call rests on it')
      .argument('<grant>', 'grant ID, or its last characters')
      .option('--note <text>', 'why, for anyone who reads the log'),
  ).action(running(async () => (await import('./revoke.ts')).revokeGrant))
  examples(revoke, [
    'warrant grants revoke 7QK2M0XA --note "the contract has ended"',
    '',
    'Its signer may do that, and policy admins. What was allowed by it and has not been begun',
    'is not acted on either.',
  ])
}
