// All commands of the command line. A command is loaded when it is called, and all of them only
// where all are shown: most of what a short command costs is loading.
import { existsSync, readFileSync } from 'node:fs'
import { Command, CommanderError, Option, type ErrorOptions } from 'commander'
import type { OfferFix } from '#cli/agents/ask/answer'
import { allFlag, columnsDefault, helpLayout, helpWidths } from '#cli/terminal/help/help-layout'
import { mistaken } from '#cli/terminal/help/mistaken'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { withGlobals } from '#cli/terminal/opening/options'
import { textOfLine } from '#cli/terminal/line'
import { terminalColumns, wrapped } from '#cli/terminal/width'

/** Of the part that helps, the command that shows no others. */
const helps = 'version'

/** The names of the commands that a module registers, parted by spaces, and what loads it. */
type Part = readonly [names: string, load: () => Promise<Registering>]
type Registers = (program: Command) => void
/** All that such a module exports, by its name there. */
type Registering = Readonly<Record<string, Registers>>

/** Of a module that exports more than that. */
function only(register: Registers): Registering {
  return { register }
}

/** The groups of the help, with what registers their commands. */
const groups: ReadonlyMap<string, readonly Part[]> = new Map<string, readonly Part[]>([
  [
    'Begin:',
    [
      ['init', () => import('#cli/run/init/command')],
      ['dev', () => import('#cli/run/dev/command')],
      ['demo', () => import('#cli/demo/command')],
    ],
  ],
  [
    'Ask, and answer:',
    [
      ['ask', registeringAsk],
      ['call expand settle', () => import('#cli/agents/call/command')],
      ['shortlist', () => import('#cli/agents/shortlist/command')],
      ['explain', () => import('#cli/agents/explain/command')],
      ['withdraw', () => import('#cli/agents/withdraw/command')],
      ['delegate undelegate', () => import('#cli/agents/delegate/command')],
      ['reviews', () => import('#cli/people/reviews/command')],
      ['approve decline', () => import('#cli/people/answer/command')],
      ['hand-over absence note', () => import('#cli/people/duties/command')],
      ['contract claim contracts', () => import('#cli/agents/contracts/command')],
      ['grants', () => import('#cli/people/grants/command')],
      ['proposals', () => import('#cli/people/proposals/command')],
    ],
  ],
  [
    'Look back, and prove:',
    [
      ['log', () => import('#cli/agents/log/command')],
      ['stats', () => import('#cli/run/stats/command')],
      ['trace', () => import('#cli/agents/trace/command')],
      ['standing', () => import('#cli/agents/standing/command')],
      ['replay', () => import('#cli/run/replay/command')],
      ['export verify', async () => only((await import('#cli/run/backup/command')).registerExport)],
      ['faults', () => import('#cli/rules/faults/command')],
    ],
  ],
  [
    'Write rules and knowledge:',
    [
      ['test', () => import('#cli/rules/test/command')],
      ['plan apply pull', () => import('#cli/rules/plan/command')],
      ['whatif', () => import('#cli/rules/whatif/command')],
      ['seed', () => import('#cli/rules/seed/command')],
      ['graph', () => import('#cli/rules/graph/command')],
      ['catalog', () => import('#cli/rules/catalog/command')],
      ['policy', () => import('#cli/rules/policy/command')],
    ],
  ],
  [
    'Stop agents, and hold keys:',
    [
      ['agents suspend unsuspend unblock', () => import('#cli/people/suspend/command')],
      ['reinstate', () => import('#cli/agents/standing/reinstate-command')],
      ['revoke revocations', () => import('#cli/people/revoke/command')],
      ['token', () => import('#cli/agents/token/command')],
      ['keys', () => import('#cli/run/keys/command')],
    ],
  ],
  [
    'Run it:',
    [
      ['up', () => import('#cli/run/up/command')],
      ['console', () => import('#cli/run/console/command')],
      ['tokens', () => import('#cli/agents/tokens/command')],
      ['reach', () => import('#cli/run/reach/command')],
      ['mcp', () => import('#cli/run/mcp/command')],
      ['doctor', () => import('#cli/run/doctor/command')],
      [
        'backup restore',
        async () => only((await import('#cli/run/backup/command')).registerBackup),
      ],
      ['project', () => import('#cli/run/project/command')],
      ['nats-config', () => import('#cli/run/nats/config-command')],
      ['nats', () => import('#cli/run/nats/command')],
    ],
  ],
  [
    'Evaluate lines offline (NDJSON in and out):',
    [
      [
        'vlp ground decide',
        async () => only((await import('#cli/offline/command')).registerOffline),
      ],
      ['redact frame', () => import('#cli/rules/firewall/command')],
      ['verify-work score council url-check prose-check', () => import('#cli/agents/work/command')],
      ['hook', () => import('#cli/agents/hook/command')],
    ],
  ],
  [
    'Help:',
    [
      // Its others show all commands.
      [`${helps} --version -v -V`, () => import('#cli/terminal/help/command')],
    ],
  ],
])

async function registeringAsk(): Promise<Registering> {
  const { registerAsk } = await import('#cli/agents/ask/command')
  const offer: OfferFix = async (runtime, refused) => {
    const { offerFix } = await import('#cli/rules/fixing/offer')
    return offerFix(runtime, refused)
  }
  return only((program) => registerAsk(program, offer))
}

/** What help shows where not all is asked for, by what people do first. */
const brief: ReadonlyMap<string, readonly string[]> = new Map([
  ['Begin:', ['demo', 'init', 'dev']],
  ['Put it before what you have:', ['hook', 'mcp', 'up']],
  ['Ask, and answer:', ['ask', 'reviews', 'approve']],
  ['Look back, and prove:', ['log', 'trace', 'replay']],
  ['Write rules:', ['apply', 'test']],
])

const allParts = [...groups].flatMap(([group, parts]) =>
  parts.map(([names, load]) => ({ group, names: names.split(' '), load })),
)
type GroupedPart = (typeof allParts)[number]

const partOf = (name: string | undefined): GroupedPart | undefined =>
  allParts.find(({ names }) => name !== undefined && names.includes(name))

/**
 * The program with the command of that name alone, or with all of them where no name is given, or
 * none that one part registers by itself.
 */
export async function buildProgram(called?: string): Promise<Command> {
  const own = partOf(called)
  return registered(own === undefined ? allParts : [own])
}

async function registered(parts: readonly GroupedPart[]): Promise<Command> {
  const program = bareProgram()
  const registering = await Promise.all(parts.map(({ load }) => load()))
  for (const [at, { group }] of parts.entries()) {
    program.commandsGroup(group)
    for (const register of Object.values(registering[at] ?? {})) register(program)
  }
  return program
}

/** The program as far as these words need it: where it lists commands, by a line of each. */
export async function programFor(words: readonly string[]): Promise<Command> {
  const [first, second] = partOf(words[0]) === undefined ? operandsOf(words) : words
  const called = first === 'help' ? second : first
  const own = partOf(called)
  const help = partOf(helps)
  if (own !== undefined) return registered(first === 'help' && help ? [own, help] : [own])
  return called === undefined ? listing(words.includes(allFlag)) : buildProgram()
}

/** What is no option of the program, nor the value of one. */
function operandsOf(words: readonly string[]): readonly string[] {
  return bareProgram().parseOptions([...words]).operands
}

/** Laid beside this file where the command is packed. */
const linesFile = new URL('./listed.txt', import.meta.url)

/** What help shows of each command, as the text that is packed. */
export async function linesOfCommands(): Promise<string> {
  const program = await buildProgram()
  const helper = program.createHelp()
  const lines = helper.visibleCommands(program).map((command) => {
    const shown = [helper.subcommandTerm(command), helper.subcommandDescription(command)]
    return [command.helpGroup(), ...shown].join('\t')
  })
  return lines.join('\n')
}

/** The program with those lines for its commands. */
async function listing(isAll: boolean): Promise<Command> {
  const lines = existsSync(linesFile) ? readFileSync(linesFile, 'utf8') : await linesOfCommands()
  const all = lines.split('\n').map((line) => {
    const [group = '', term = '', says = ''] = line.split('\t')
    return { group, term, says, name: term.split(' ')[0] ?? '' }
  })
  const help = partOf(helps)
  const program = bareProgram(isAll ? 'all' : 'brief')
  const listed = isAll
    ? all.filter(({ group }) => group !== help?.group)
    : [...brief].flatMap(([group, names]) =>
        names.flatMap((name) =>
          all.filter((entry) => entry.name === name).map((entry) => ({ ...entry, group })),
        ),
      )
  for (const { group, term, says } of listed) {
    program.command(term).description(says).helpGroup(group)
  }
  if (help === undefined) return program
  program.commandsGroup(help.group)
  for (const register of Object.values(await help.load())) register(program)
  return program
}

// The command line without a command: its options, its help, and how a mistake leaves it.

/** The id of a key begins with a dash once in 64 times: 16 or 43 characters of base64url. */
const keyId = /^-(?=.*[A-Z0-9_])(?:[\w-]{15}|[\w-]{42})$/

/** Stands before an argument that the parser is not to take for an option. */
const shield = '\0'

/** A command that takes the id of a key as it is printed, whatever it begins with. */
class KeyTakingCommand extends Command {
  override createCommand(name?: string): Command {
    return new KeyTakingCommand(name)
  }

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    const shielded = argv.map((word, at) =>
      keyId.test(word) && !this.#takesValue(argv[at - 1]) ? shield + word : word,
    )
    const { operands, unknown } = super.parseOptions(shielded)
    return { operands: operands.map(bared), unknown: unknown.map(bared) }
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(mistaken(this, message, options?.code ?? ''), options)
  }

  #takesValue(word = ''): boolean {
    const named = this.options.find(({ short, long }) => word === short || word === long)
    return named !== undefined && (named.required || named.optional)
  }
}

function bared(word: string): string {
  return word.startsWith(shield) ? word.slice(shield.length) : word
}

/** `brief` where its help lists those commands alone that people need first. */
export function bareProgram(shows: 'all' | 'brief' = 'all'): Command {
  const program = new KeyTakingCommand('warrant')
    .description('No agent acts without a warrant: ask, answer, look back, replay.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .configureHelp(helpLayout)
    // The caller decides how errors are shown and with which code the process ends.
    .exitOverride()
    .configureOutput({ outputError: () => undefined, ...helpWidths })
    .on('option:V', () => {
      process.stdout.write(`${packageVersion()}\n`)
      throw new CommanderError(exitCodes.yes, 'commander.version', packageVersion())
    })
  withGlobals(program)
  program.addHelpText('after', shows === 'all' ? helpBelow : briefBelow)
  return program
}

function helpBelow(): string {
  const codes = exitMeanings.map(({ code, means }) => `  ${code}  ${means}`)
  return [
    '',
    'Exit codes:',
    ...wrapped(codes, terminalColumns(process.stdout) ?? columnsDefault).map(textOfLine),
    'docs/reference/faults.md says what each error code means and what to do.',
    '',
    'Begin with:',
    '  warrant init',
    '  warrant demo',
  ].join('\n')
}

function briefBelow(): string {
  return [
    '',
    '`warrant help --all` lists all commands, and the exit codes.',
    '`warrant help COMMAND` shows the options of one, and examples.',
  ].join('\n')
}
