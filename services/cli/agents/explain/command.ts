// `warrant explain`: what an intent would come to now, without asking.
import type { Command } from 'commander'
import { withRequest } from '../ask/request-options.ts'
import { examples } from '#cli/terminal/opening/options'
import type { ExplainCommandOptions } from './run.ts'

export function registerExplain(program: Command): void {
  const command = withRequest(
    program
      .command('explain')
      .description(
        'explain what an intent would come to now, without asking and appending nothing',
      ),
  ).action(async (tool: string | undefined, _options: unknown, called: Command) => {
    const { explainCommand } = await import('./run.ts')
    process.exitCode = await explainCommand(tool, called.optsWithGlobals<ExplainCommandOptions>())
  })
  examples(command, [
    'warrant explain send_email --arg to=ann@example.com --justification "Ann asked for it"',
    'warrant explain refund --agent my-agent --file intent.json --json',
    '',
    'Exit code 0 where it would be allowed, 3 where it would be denied, and 4 where people would',
    'be asked, where it would wait, or where a check may answer otherwise next time. An agent that',
    'must sign is believed. What counts is the state of now: limits, blocks, graph and catalog.',
  ])
}
