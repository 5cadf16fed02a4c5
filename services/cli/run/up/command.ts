// `warrant up`: runs stages until it is asked to stop.
import { InvalidArgumentError, type Command } from 'commander'
import {
  examples,
  positiveNumber,
  running,
  seconds,
  several,
  withModel,
} from '#cli/terminal/opening/options'
import { listenArgument } from '#cli/terminal/opening/listen'
import type { UpOptions } from './run.ts'

export function registerUp(program: Command): void {
  const command = withModel(program.command('up'))
    .description('run stages on the log until Ctrl-C')
    .argument('[stage...]', 'which stages (all if none is named)')
    .option(
      '--listen <host:port>',
      'serve /metrics, /healthz and /readyz there (else WARRANT_LISTEN); a port alone is local',
      listenArgument,
    )
    .option(
      '--drain <seconds>',
      'how long to finish running jobs when asked to stop (20), before they are given back',
      seconds,
    )
    .option(
      '--cells <list>',
      'only these cells of a realm that has several, such as 0-3,5 (all of them)',
      cellsArgument,
    )
    .option('--production', 'refuse to start where `warrant doctor --production` finds failures')
    .option(
      '--monitor <url>',
      'monitoring of a server, for --production; may be given several times',
      several,
    )
    // Before each of the servers below, too.
    .hook('preAction', async (_up, called) => {
      const options = called.optsWithGlobals<UpOptions>()
      if (options.production !== true) return
      await (await import('../doctor/production.ts')).demandProduction(options)
    })
    .action(running(async () => (await import('./run.ts')).up))
  examples(command, [
    'warrant up',
    'warrant up grounding --listen 9464',
    'warrant up learning --model llama3.2',
    'warrant up policy --cells 0-3 --log nats://localhost:4222',
    'WARRANT_LOG_LEVEL=debug warrant up policy confirmation',
    '',
    'Several processes may run the same stage: names make that safe.',
  ])
  for (const server of servers) registerServer(command, server)
}

interface ServerCommand {
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
  /** Adds its options. */
  readonly options: (command: Command) => Command
  readonly load: Parameters<typeof running>[0]
}

const servers: readonly ServerCommand[] = [
  {
    name: 'http',
    description: 'let agents in any language ask over HTTP, until Ctrl-C',
    options: (command) =>
      signingIn(
        addressed(command, { listen: '127.0.0.1:7718', url: 'what clients address' })
          .option('--origin <origin>', 'pages in browsers that may ask; repeat for more', several)
          .option('--tokens <file>', 'the logins of callers (else beside the log)')
          .option('--rate <n>', 'requests a second of each caller (100)', positiveNumber)
          .option(
            '--project <folder>',
            'read files below it, to show what hooks of coding agents would change; ' +
              'repeat for more',
            several,
          )
          .option('--oidc-issuer <url>', 'whose signed tokens count too (else WARRANT_OIDC_ISSUER)')
          .option('--oidc-audience <who>', 'what those must be for (else WARRANT_OIDC_AUDIENCE)'),
        'as what people sign in there',
      ),
    load: async () => (await import('./http.ts')).upHttp,
    examples: [
      'warrant tokens create my-agent && warrant up http',
      'warrant up http --listen 0.0.0.0:7718 --url https://warrant.example',
      'warrant up http --log nats://localhost:4222 --tokens tokens.ndjson',
      'warrant up http --oidc-issuer https://login.example --oidc-audience warrant',
      '',
      'On a log in a file it runs the stages too, unless --no-stages says that others do.',
    ],
  },
  {
    name: 'outreach',
    description: 'notify people of reviews that wait for them, until Ctrl-C',
    options: (command) =>
      listening(
        command
          .option('--url <url>', 'the address of the console (else WARRANT_CONSOLE_URL)')
          .option('--reach <file>', reachText),
        { where: watchedText, end: 'end' },
      ).option(...cellsOption),
    load: async () => (await import('./outreach.ts')).upOutreach,
    examples: [
      'warrant up outreach --url https://warrant.example',
      'warrant up outreach --log nats://localhost:4222 --reach reach.ndjson --listen 9466',
      '',
      'It runs no stage. `warrant reach` says where people are reached.',
    ],
  },
  {
    name: 'console',
    description: 'let people decide, look back and see what is wrong in a browser, until Ctrl-C',
    options: (command) =>
      signingIn(
        addressed(command, {
          listen: 'localhost:7719',
          url: 'what browsers address',
          scheme: ': https',
        })
          .option('--rate <n>', 'requests a second of each person (50)', positiveNumber)
          .option('--reach <file>', reachText)
          .option(
            '--trace-url <template>',
            'where traces are shown, with {trace} in place of the id',
          )
          .option('--oidc-issuer <url>', 'who else signs people in (else WARRANT_OIDC_ISSUER)'),
        'as what it knows this server',
      ),
    load: async () => (await import('./console.ts')).upConsole,
    examples: [
      'warrant up console',
      'warrant up console --listen 0.0.0.0:7719 --url https://console.example',
      'warrant up console --trace-url https://traces.example/trace/{trace}',
      '',
      'Passkeys work at http://localhost and over https alone. `warrant console enrol` makes one.',
      'The server holds no key: what people sign is signed in their browsers.',
    ],
  },
  {
    name: 'eras',
    description: 'rotate eras that are due, and archive what is sealed, until Ctrl-C',
    options: (command) =>
      command
        .option('--key <file>', 'the key of the era keeper (else beside the log)')
        .option('--archive <folder>', 'where sealed eras are archived (else beside the log)')
        .option(...cellsOption),
    load: async () => (await import('./eras.ts')).upEras,
    examples: [
      'warrant up eras --log nats://localhost:4222 --key era-keeper.pem --archive /mnt/eras',
      '',
      '`warrant log auto-rotate` allows it. On servers with accounts WARRANT_NATS_OPERATOR_FILE',
      'names the seed of an operator, and that of WARRANT_NATS_NKEY_FILE is of an era-keeper.',
      'Whatever runs stages on a log in a file does it too: there this is not needed.',
    ],
  },
  {
    name: 'gateway',
    description: 'carry out what was allowed, over HTTP, until Ctrl-C',
    options: (command) =>
      addressed(command, { listen: '127.0.0.1:7717', url: 'what clients address' })
        .option('--issuer-key <file>', 'mint warrants too, with this key of an issuer')
        .option('--audience <who>', 'who takes the warrants (else the gateways of the realm)')
        .option('--name <name>', 'what it is called in the log (gateway)')
        .option(...cellsOption)
        .option('--as <principal>', 'publish what tools answered as evidence, in this name')
        .option('--key <file>', 'the key of that principal, a file or a name'),
    load: async () => (await import('./gateway.ts')).upGateway,
    examples: [
      'warrant up gateway --issuer-key gate',
      'warrant up gateway --listen 0.0.0.0:7717 --tls-cert cert.pem --tls-key key.pem',
      'WARRANT_SECRETS=/run/secrets warrant up gateway --log nats://localhost:4222',
      '',
      'It runs no stage. It holds the secrets of tools: let no agent run as its user.',
    ],
  },
]

function registerServer(up: Command, server: ServerCommand): void {
  const command = up.command(server.name).description(server.description)
  server.options(command).action(running(server.load))
  examples(command, server.examples)
}

const watchedText = 'serve /metrics, /healthz and /readyz there'
const reachText = 'where people are reached (else WARRANT_REACH, or beside the log)'

function listening(
  command: Command,
  { where, end }: { readonly where: string; readonly end: string },
): Command {
  const drain = `how long to ${end} what was begun when asked to stop`
  return command
    .option('--listen <host:port>', where, listenArgument)
    .option('--drain <seconds>', drain, seconds)
}

/** What clients address, in the clear or by TLS. */
function addressed(
  command: Command,
  { listen, url, scheme = '' }: { listen: string; url: string; scheme?: string },
): Command {
  const where = `where (${listen}); a port alone is local`
  return listening(command, { where, end: 'answer' })
    .option('--url <url>', `${url}, where a proxy stands before it${scheme}`)
    .option('--tls-cert <file>', 'serve HTTPS, with this certificate and those that vouch for it')
    .option('--tls-key <file>', 'the private key of the certificate')
}

/** As which client of an issuer people sign in. */
function signingIn(command: Command, as: string): Command {
  return command
    .option('--oidc-client <id>', `${as} (else WARRANT_OIDC_CLIENT)`)
    .option('--oidc-client-secret <file>', 'a file with the secret of that client, if it has one')
}

const cellsOption = [
  '--cells <list>',
  'only these cells of a realm that has several (all)',
  cellsArgument,
] as const
const cellsMax = 256

function cellsArgument(text: string): readonly number[] {
  const cells: number[] = []
  for (const part of text.split(',')) {
    const [, from = '', to = from] = /^([0-9]{1,3})(?:-([0-9]{1,3}))?$/.exec(part) ?? []
    if (from === '' || Number(to) < Number(from) || Number(to) >= cellsMax) {
      throw new InvalidArgumentError('Expected cells such as 0-3,5.')
    }
    for (let cell = Number(from); cell <= Number(to); cell += 1) cells.push(cell)
  }
  return cells
}
