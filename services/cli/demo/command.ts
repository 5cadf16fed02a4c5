// `warrant demo`: a fleet of airline or office agents plays recorded work, or coding agents work
// under contracts, against a runtime in this very process, or on a NATS server with every stage in
// its own. It leaves a log that replays.
import { Option, type Command } from 'commander'
import { running } from '#cli/terminal/opening/options'

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('play work of agents, on a new log here or on a NATS server')
    .addOption(
      new Option('--seed <name>', 'whose agents play')
        .choices(['airline', 'office', 'work'])
        .default('airline'),
    )
    .option('--data <folder>', 'play calls.ndjson and labels.ndjson of this folder')
    .option('--catalog <folder>', 'play it under the catalog.json of this folder')
    .option('--calls <file>', 'write a line for each call, and how it ended, to this file')
    .option('--gateway', 'also carry out what is allowed, by a backend that stands in')
    .option('--console', 'then open a console on it, with a few reviews that wait')
    .option('--json', 'print the score as JSON')
    .addOption(new Option('--fleet <n>', 'conversations at a time').default(16).argParser(Number))
    .addHelpText(
      'after',
      '\nExamples:\n  warrant demo\n  warrant demo --data my-recording --json\n' +
        '  warrant demo --seed office   office agents, some attacked through what they read\n' +
        '  warrant demo --seed office --data my-recording --catalog my-rules\n' +
        '  warrant demo --seed work     coding agents, honest and cheating\n' +
        '  warrant demo --gateway       what is allowed is executed once, nothing else is\n' +
        '  warrant demo --console       answer what agents ask in a browser\n' +
        '  warrant demo --log nats://localhost:4222   every stage in its own process there\n',
    )
    .action(running(async () => (await import('./run.ts')).demo))
}
