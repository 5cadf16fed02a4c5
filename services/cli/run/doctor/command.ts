// `warrant doctor`: what this deployment promises, what it does not, and how to fix that.
import type { Command } from 'commander'
import { examples, running, several } from '#cli/terminal/opening/options'

export function registerDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('check this deployment, and print how to fix what fails')
    .option(
      '--monitor <url>',
      'monitoring of a server, `http://host:8222`; may be given several times',
      several,
    )
    .option('--archive <folder>', 'where sealed eras are archived (else beside a log in a file)')
    .option('--production', 'report as failed whatever production requires')
    .option('--url <url>', 'look at this console alone: the files that it serves, and its headers')
    .action(running(async () => (await import('./run.ts')).doctor))
  examples(command, [
    'warrant doctor',
    'warrant doctor --log nats://localhost:4222 --monitor http://localhost:8222 --production',
    'warrant doctor --url https://console.example',
    'warrant doctor --json | jq -r ".findings[] | select(.status != \\"ok\\") | .fix"',
    '',
    'It changes nothing. Exit code 1 where something failed; docs/run/doctor.md has every check.',
  ])
}
