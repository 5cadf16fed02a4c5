// `warrant agents`, which lists who there is and what stops them; `suspend` and `unsuspend`, the
// stop button; and `unblock`, which lifts another's.
import type { Command } from 'commander'
import { askedCommand } from '#cli/terminal/asked/command'
import { examples, running, several, withSigner } from '#cli/terminal/opening/options'
import type { SuspendOptions } from './run.ts'

export function registerSuspend(program: Command): void {
  askedCommand(program, { list: 'agents', one: 'agent' })
  const suspend = pressing(program, 'suspend', 'refuse every open and future intent of an agent')
  suspend.option(
    '--disconnect <file>',
    'first take it out of this server configuration; may be given several times',
    several,
  )
  examples(suspend, [
    'warrant suspend my-agent',
    'warrant suspend my-agent --disconnect nats/n1.conf --disconnect nats/n2.conf',
    '',
    '--disconnect takes what `warrant nats-config` made, and writes it again before the log is',
    'asked. Reload each server with its file: it closes the connection of the agent at once.',
  ])
  const unsuspend = pressing(program, 'unsuspend', 'let a suspended agent ask again')
  examples(unsuspend, ['warrant unsuspend my-agent'])
  const unblock = withSigner(
    program
      .command('unblock')
      .description('lift the blocks that trusted senders have put on an agent')
      .argument('<agent>', 'the principal')
      .option('--note <text>', 'why, for anyone who reads the log'),
  ).action(running(async () => (await import('./run.ts')).unblock))
  examples(unblock, ['warrant unblock my-agent --as olga'])
}

function pressing(program: Command, op: SuspendOptions['op'], description: string): Command {
  return withSigner(
    program.command(op).description(description).argument('<agent>', 'the principal'),
  ).action(async (agent: string, _options: unknown, called: Command) => {
    const { suspend } = await import('./run.ts')
    const options = called.optsWithGlobals<SuspendOptions>()
    process.exitCode = await suspend(agent, { ...options, op })
  })
}
