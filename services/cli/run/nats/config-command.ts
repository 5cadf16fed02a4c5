// `warrant nats-config`: the configuration of a nats-server that keeps each role to its own.
import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { examples, positiveNumber, several, wholeNumber } from '#cli/terminal/opening/options'
import type { NatsConfigOptions } from './config.ts'

export function registerNatsConfig(program: Command): void {
  const command = program
    .command('nats-config')
    .description('write a nats-server configuration that limits each role to its own work')
    .option('--user <role:name>', 'a user; may be given several times', several)
    .option('--users <file>', 'the users as JSON: [{"role", "name", "key"?, "cell"?}]')
    .option('--out <folder>', 'where configuration and seeds are written', 'nats')
    .option(
      '--new-key <role:name>',
      'give this user a new key; may be given several times',
      several,
    )
    .option('--era <number>', 'the newest era of the log (1)', era)
    .option('--cells <count>', 'how many cells the realm has (one log)', cells)
    .option('--catalog <file>', 'the catalog that places agents in cells, and says how many')
    .option('--listen <host:port>', 'where clients connect (127.0.0.1:4222)', hostPort)
    .option('--store <folder>', 'where the server keeps the log (`jetstream` beside it)', path)
    .option('--max-file-store <size>', 'how much of the disk the server uses (10GB)', size)
    .option('--server-name <name>', 'the name of the server, and of its file: NAME.conf')
    .option('--http <host:port>', 'where monitoring answers; it authenticates no one', hostPort)
    .option('--tls-cert <file>', 'the certificate of the server', path)
    .option('--tls-key <file>', 'the private key of that certificate', path)
    .option('--tls-ca <file>', 'require certificates of clients, signed by these', path)
    .option('--cluster <name>', 'the cluster that the server belongs to')
    .option('--cluster-listen <host:port>', 'where the other servers connect', hostPort)
    .option('--route <url>', 'another server of the cluster; may be given several times', several)
    .option(
      '--check <file>',
      'compare that configuration with what the roles allow, and write none',
    )
    .option('--print', 'print the configuration again, and write nothing: no new user gets a key')
    .action(async (_options: unknown, called: Command) => {
      const options = called.optsWithGlobals<NatsConfigOptions & { readonly check?: string }>()
      if (options.check === undefined) {
        const { natsConfig } = await import('./config.ts')
        process.exitCode = await natsConfig(options)
      } else {
        const { checkConfig } = await import('./check.ts')
        process.exitCode = await checkConfig(options, options.check)
      }
    })
  examples(command, [
    'warrant nats-config --user agent:bot --user confirmer:olga@example.com',
    'warrant nats-config --users users.json --store /var/lib/nats',
    'warrant nats-config --era 2',
    'warrant nats-config --users users.json --catalog catalog.json',
    'warrant nats-config --check nats/server.conf --users users.json',
    '',
    'Made again, it keeps every option that is not given, and the users where none is given; the',
    'second line of the file says them. To begin without them, remove the file.',
    '',
    'The operator and a user of each stage are always there. Who has no key gets one: its seed is',
    'in a file of its own. A seed that is there is kept, and so is the key of one that has gone',
    'to its owner.',
    '',
    'In a realm of cells each agent is in one: the catalog says in which, or its "cell" in the',
    'file of --users. After a change that moves agents, give --catalog again, and reload.',
    '',
    '--check lists who may more or less than its role, and who is of none: exit code 1. Users and',
    'era are those that the file was made with, unless they are given.',
    '',
    'Which log the seeds are for, `warrant apply` prints as it begins that log, and `replay` and',
    '`doctor` later: with --root-key and WARRANT_LOG_ID it is printed here too.',
  ])
}

const eraMax = 1_000

function era(text: string): number {
  const number = positiveNumber(text)
  if (number > eraMax) throw new InvalidArgumentError(`Expected at most ${eraMax}.`)
  return number
}

/** As many as a catalog may have. */
const cellsMax = 256

function cells(text: string): number {
  const count = wholeNumber(text)
  if (count >= 2 && count <= cellsMax) return count
  throw new InvalidArgumentError(`Expected a number of cells, from 2 to ${cellsMax}.`)
}

function path(text: string): string {
  return resolve(text)
}

function size(text: string): string {
  if (/^[1-9][0-9]{0,8}(?:MB|GB|TB)$/.test(text)) return text
  throw new InvalidArgumentError('Expected a size such as 10GB: MB, GB or TB.')
}

function hostPort(text: string): string {
  const port = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:]+\]):([0-9]{1,5})$/.exec(text)?.[1]
  if (port !== undefined && Number(port) > 0 && Number(port) < 65_536) return text
  throw new InvalidArgumentError('Expected host:port.')
}
