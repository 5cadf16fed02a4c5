// All commands of the command line. A command is loaded when it is called, and all of them only
// where all are shown: most of what a short command costs is loading.
import { existsSync, readFileSync } from 'node:fs'
import { Command, CommanderError, Option, type ErrorOptions } from 'commander'
import type { OfferFix } from '#cli/agents/ask/answer'
import { allFlag, columnsDefault, helpLayout, helpWidths } from '#cli/terminal/help/help-layout'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { packageVersion } from '#cli/terminal/opening/package-root'
import { withGlobals } from '#cli/terminal/opening/options'
import { textOfLine } from '#cli/terminal/line'
import { terminalColumns, wrapped } from '#cli/terminal/width'

/** Of the part that helps, the command that shows no others. */
const helps = 'version'

interface Part {
  /** Of the commands that it registers, parted by spaces. */
  readonly names: string
  readonly load: () => Promise<(program: Command) => void>
}

/** The groups of the help, with what registers their commands. */
const groups: ReadonlyMap<string, readonly Part[]> = new Map([
  [
    'Begin:',
    [
      { names: 'init', load: async () => (await import('#cli/run/init/command')).registerInit },
      { names: 'dev', load: async () => (await import('#cli/run/dev/command')).registerDev },
      { names: 'demo', load: async () => (await import('#cli/demo/command')).registerDemo },
    ],
  ],
  [
    'Ask, and answer:',
    [
      {
        names: 'ask',
        load: async () => {
          const { registerAsk } = await import('#cli/agents/ask/command')
          const offer: OfferFix = async (runtime, refused) => {
            const { offerFix } = await import('#cli/rules/fixing/offer')
            return offerFix(runtime, refused)
          }
          return (program) => registerAsk(program, offer)
        },
      },
      {
        names: 'call expand settle',
        load: async () => (await import('#cli/agents/call/command')).registerCall,
      },
      {
        names: 'shortlist',
        load: async () => (await import('#cli/agents/shortlist/command')).registerShortlist,
      },
      {
        names: 'explain',
        load: async () => (await import('#cli/agents/explain/command')).registerExplain,
      },
      {
        names: 'withdraw',
        load: async () => (await import('#cli/agents/withdraw/command')).registerWithdraw,
      },
      {
        names: 'delegate undelegate',
        load: async () => (await import('#cli/agents/delegate/command')).registerDelegate,
      },
      {
        names: 'reviews',
        load: async () => (await import('#cli/people/reviews/command')).registerReviews,
      },
      {
        names: 'approve decline',
        load: async () => (await import('#cli/people/answer/command')).registerAnswers,
      },
      {
        names: 'hand-over absence note',
        load: async () => (await import('#cli/people/duties/command')).registerPeople,
      },
      {
        names: 'contract claim contracts',
        load: async () => (await import('#cli/agents/contracts/command')).registerContracts,
      },
      {
        names: 'grants',
        load: async () => (await import('#cli/people/grants/command')).registerGrants,
      },
      {
        names: 'proposals',
        load: async () => (await import('#cli/people/proposals/command')).registerProposals,
      },
    ],
  ],
  [
    'Look back, and prove:',
    [
      { names: 'log', load: async () => (await import('#cli/agents/log/command')).registerLog },
      { names: 'stats', load: async () => (await import('#cli/run/stats/command')).registerStats },
      {
        names: 'trace',
        load: async () => (await import('#cli/agents/trace/command')).registerTrace,
      },
      {
        names: 'standing',
        load: async () => (await import('#cli/agents/standing/command')).registerStanding,
      },
      {
        names: 'replay',
        load: async () => (await import('#cli/run/replay/command')).registerReplay,
      },
      {
        names: 'export verify',
        load: async () => (await import('#cli/run/backup/command')).registerExport,
      },
      {
        names: 'faults',
        load: async () => (await import('#cli/rules/faults/command')).registerFaults,
      },
    ],
  ],
  [
    'Write rules and knowledge:',
    [
      { names: 'test', load: async () => (await import('#cli/rules/test/command')).registerTest },
      {
        names: 'plan apply pull',
        load: async () => (await import('#cli/rules/plan/command')).registerPlan,
      },
      {
        names: 'whatif',
        load: async () => (await import('#cli/rules/whatif/command')).registerWhatIf,
      },
      { names: 'seed', load: async () => (await import('#cli/rules/seed/command')).registerSeed },
      {
        names: 'graph',
        load: async () => (await import('#cli/rules/graph/command')).registerGraph,
      },
      {
        names: 'catalog',
        load: async () => (await import('#cli/rules/catalog/command')).registerCatalog,
      },
      {
        names: 'policy',
        load: async () => (await import('#cli/rules/policy/command')).registerPolicy,
      },
    ],
  ],
  [
    'Stop agents, and hold keys:',
    [
      {
        names: 'agents suspend unsuspend unblock',
        load: async () => (await import('#cli/people/suspend/command')).registerSuspend,
      },
      {
        names: 'reinstate',
        load: async () =>
          (await import('#cli/agents/standing/reinstate-command')).registerReinstate,
      },
      {
        names: 'revoke revocations',
        load: async () => (await import('#cli/people/revoke/command')).registerRevoke,
      },
      {
        names: 'token',
        load: async () => (await import('#cli/agents/token/command')).registerToken,
      },
      { names: 'keys', load: async () => (await import('#cli/run/keys/command')).registerKeys },
    ],
  ],
  [
    'Run it:',
    [
      { names: 'up', load: async () => (await import('#cli/run/up/command')).registerUp },
      {
        names: 'console',
        load: async () => (await import('#cli/run/console/command')).registerConsole,
      },
      {
        names: 'tokens',
        load: async () => (await import('#cli/agents/tokens/command')).registerTokens,
      },
      { names: 'reach', load: async () => (await import('#cli/run/reach/command')).registerReach },
      { names: 'mcp', load: async () => (await import('#cli/run/mcp/command')).registerMcpDoor },
      {
        names: 'doctor',
        load: async () => (await import('#cli/run/doctor/command')).registerDoctor,
      },
      {
        names: 'backup restore',
        load: async () => (await import('#cli/run/backup/command')).registerBackup,
      },
      {
        names: 'project',
        load: async () => (await import('#cli/run/project/command')).registerProject,
      },
      {
        names: 'nats-config',
        load: async () => (await import('#cli/run/nats/config-command')).registerNatsConfig,
      },
      { names: 'nats', load: async () => (await import('#cli/run/nats/command')).registerNats },
    ],
  ],
  [
    'Evaluate lines offline (NDJSON in and out):',
    [
      {
        names: 'vlp ground decide',
        load: async () => (await import('#cli/offline/command')).registerOffline,
      },
      {
        names: 'redact frame',
        load: async () => (await import('#cli/rules/firewall/command')).registerFirewall,
      },
      {
        names: 'verify-work score council url-check prose-check',
        load: async () => (await import('#cli/agents/work/command')).registerWork,
      },
      { names: 'hook', load: async () => (await import('#cli/agents/hook/command')).registerHook },
    ],
  ],
  [
    'Help:',
    [
      // Its others show all commands.
      {
        names: `${helps} --version -v -V`,
        load: async () => (await import('#cli/terminal/help/command')).registerHelp,
      },
    ],
  ],
])

/** What help shows where not all is asked for, by what people do first. */
const brief: ReadonlyMap<string, readonly string[]> = new Map([
  ['Begin:', ['demo', 'init', 'dev']],
  ['Put it before what you have:', ['hook', 'mcp', 'up']],
  ['Ask, and answer:', ['ask', 'reviews', 'approve']],
  ['Look back, and prove:', ['log', 'trace', 'replay']],
  ['Write rules:', ['apply', 'test']],
])

const allParts = [...groups].flatMap(([group, parts]) =>
  parts.map(({ names, load }) => ({ group, names: names.split(' '), load })),
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
    registering[at]?.(program)
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
  const register = await help.load()
  register(program)
  return program
}

// The command line without a command: its options, its help, and how a mistake leaves it.

/** The id of a key begins with a dash once in 64 times: 16 or 43 characters of base64url. */
const keyId = /^-(?=.*[A-Z0-9_])(?:[\w-]{15}|[\w-]{42})$/

/** Stands before an argument that the parser is not to take for an option. */
const shield = '\0'

const countCodes = new Set(['commander.missingArgument', 'commander.excessArguments'])

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

  /** Where arguments are too many or too few, how it is called stands behind that. */
  override error(message: string, options?: ErrorOptions): never {
    const isCount = countCodes.has(options?.code ?? '')
    const more = isCount ? `${message.replace(/\.$/, '')}: ${this.#called()}` : message
    return super.error(more, options)
  }

  #called(): string {
    const [, name = ''] = this.args.slice(this.registeredArguments.length - 1)
    const takesArg = this.options.some(({ long }) => long === '--arg')
    if (takesArg && name.includes('=')) return `what the tool gets is written \`--arg ${name}\``
    const usage = this.createHelp().commandUsage(this)
    const [program = '', ...names] = usage.split(/ [[<]/)[0]?.split(' ') ?? []
    return `\`${usage}\`, and \`${[program, 'help', ...names].join(' ')}\` has examples`
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
