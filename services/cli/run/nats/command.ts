// `warrant nats init`: what an operator makes on a NATS server before anything runs there.
import type { Command } from 'commander'
import { intakesMax } from '#log/nats/intake'
import { examples, positiveNumber, running, seconds } from '#cli/terminal/opening/options'

export function registerNats(program: Command): void {
  const nats = program.command('nats').description('a log on NATS: what its operator does')
  const command = nats
    .command('init')
    .description('create the stream, its mirrors and the queues of the stages, if missing')
    .option('--replicas <count>', 'how many servers keep each fact', positiveNumber, 1)
    .option('--ack-wait <seconds>', 'how long a silent worker keeps its jobs (30)', seconds)
    .option(
      '--intakes <count>',
      `streams that take in what agents publish (${intakesMax} a log): a flood fills one`,
      positiveNumber,
    )
    .option(
      '--cells <count>',
      'spread agents over so many logs, each complete (one log)',
      positiveNumber,
    )
    .option('--remake-mirrors', 'first remove the mirrors, which hold nothing of their own')
    .action(running(async () => (await import('./init.ts')).natsInit))
  examples(command, [
    'warrant nats init --log nats://localhost:4222',
    'warrant nats init --log nats://localhost:4222 --cells 4',
    'WARRANT_NATS_NKEY_FILE=operator.nk warrant nats init --log nats://localhost:4222 --replicas 3',
    '',
    'It changes and removes nothing else: what is there and differs is refused. Mirrors are made',
    'again after an upgrade that asks for it, or where followers have used up one.',
  ])
}
