// `warrant explain`: what an intent would come to now, without asking.
import type { Command } from 'commander'
import { withRequest } from '../ask/request-options.ts'
import { examples, running } from '#cli/terminal/opening/options'

export function registerExplain(program: Command): void {
  const command = withRequest(
    program
      .command('explain')
      .description(
        'explain what an intent would come to now, without asking and appending nothing',
      ),
  ).action(running(async () => (await import('./run.ts')).explainCommand))
  examples(command, [
    'warrant explain send_email --arg to=ann@example.com --justification "Ann asked for it"',
    'warrant explain refund --agent my-agent --file intent.json --json',
    '',
    'Exit code 0 where it would be allowed, 3 where it would be denied, and 4 where people would',
    'be asked, where it would wait, or where a check may answer otherwise next time. An agent that',
    'must sign is believed. What counts is the state of now: limits, blocks, graph and catalog.',
  ])
}
