// All commands of the command line. A command is loaded when it is called, and all of them only
// where all are shown: most of what a short command costs is loading.
import type { Command } from 'commander'
import { bareProgram } from './bare-program.ts'

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
      { names: 'init', load: async () => (await import('./init/command.ts')).registerInit },
      { names: 'demo', load: async () => (await import('./demo/command.ts')).registerDemo },
    ],
  ],
  [
    'Ask, and answer:',
    [
      { names: 'ask', load: async () => (await import('./ask/command.ts')).registerAsk },
      {
        names: 'call expand settle',
        load: async () => (await import('./call/command.ts')).registerCall,
      },
      {
        names: 'shortlist',
        load: async () => (await import('./shortlist/command.ts')).registerShortlist,
      },
      {
        names: 'explain',
        load: async () => (await import('./explain/command.ts')).registerExplain,
      },
      {
        names: 'withdraw',
        load: async () => (await import('./withdraw/command.ts')).registerWithdraw,
      },
      {
        names: 'delegate undelegate',
        load: async () => (await import('./delegate/command.ts')).registerDelegate,
      },
      {
        names: 'reviews',
        load: async () => (await import('./reviews/command.ts')).registerReviews,
      },
      {
        names: 'approve decline',
        load: async () => (await import('./answer/command.ts')).registerAnswers,
      },
      {
        names: 'hand-over absence note',
        load: async () => (await import('./people/command.ts')).registerPeople,
      },
      {
        names: 'contract claim contracts',
        load: async () => (await import('./contracts/command.ts')).registerContracts,
      },
      { names: 'grants', load: async () => (await import('./grants/command.ts')).registerGrants },
      {
        names: 'proposals',
        load: async () => (await import('./proposals/command.ts')).registerProposals,
      },
    ],
  ],
  [
    'Look back, and prove:',
    [
      { names: 'log', load: async () => (await import('./log/command.ts')).registerLog },
      { names: 'stats', load: async () => (await import('./stats/command.ts')).registerStats },
      { names: 'trace', load: async () => (await import('./trace/command.ts')).registerTrace },
      {
        names: 'standing',
        load: async () => (await import('./standing/command.ts')).registerStanding,
      },
      { names: 'replay', load: async () => (await import('./replay/command.ts')).registerReplay },
      {
        names: 'export verify',
        load: async () => (await import('./backup/command.ts')).registerExport,
      },
      { names: 'faults', load: async () => (await import('./faults/command.ts')).registerFaults },
    ],
  ],
  [
    'Write rules and knowledge:',
    [
      { names: 'test', load: async () => (await import('./test/command.ts')).registerTest },
      {
        names: 'plan apply pull',
        load: async () => (await import('./plan/command.ts')).registerPlan,
      },
      { names: 'whatif', load: async () => (await import('./whatif/command.ts')).registerWhatIf },
      { names: 'seed', load: async () => (await import('./seed/command.ts')).registerSeed },
      { names: 'graph', load: async () => (await import('./graph/command.ts')).registerGraph },
      {
        names: 'catalog',
        load: async () => (await import('./catalog/command.ts')).registerCatalog,
      },
      { names: 'policy', load: async () => (await import('./policy/command.ts')).registerPolicy },
    ],
  ],
  [
    'Stop agents, and hold keys:',
    [
      {
        names: 'suspend unsuspend unblock',
        load: async () => (await import('./suspend/command.ts')).registerSuspend,
      },
      {
        names: 'reinstate',
        load: async () => (await import('./standing/reinstate-command.ts')).registerReinstate,
      },
      {
        names: 'revoke revocations',
        load: async () => (await import('./revoke/command.ts')).registerRevoke,
      },
      { names: 'token', load: async () => (await import('./token/command.ts')).registerToken },
      { names: 'keys', load: async () => (await import('./keys/command.ts')).registerKeys },
    ],
  ],
  [
    'Run it:',
    [
      { names: 'up', load: async () => (await import('./up/command.ts')).registerUp },
      {
        names: 'console',
        load: async () => (await import('./console/command.ts')).registerConsole,
      },
      { names: 'tokens', load: async () => (await import('./tokens/command.ts')).registerTokens },
      { names: 'reach', load: async () => (await import('./reach/command.ts')).registerReach },
      { names: 'mcp', load: async () => (await import('./mcp/command.ts')).registerMcp },
      { names: 'doctor', load: async () => (await import('./doctor/command.ts')).registerDoctor },
      {
        names: 'backup restore',
        load: async () => (await import('./backup/command.ts')).registerBackup,
      },
      {
        names: 'project',
        load: async () => (await import('./project/command.ts')).registerProject,
      },
      {
        names: 'nats-config',
        load: async () => (await import('./nats/config-command.ts')).registerNatsConfig,
      },
      { names: 'nats', load: async () => (await import('./nats/command.ts')).registerNats },
    ],
  ],
  [
    'Evaluate lines offline (NDJSON in and out):',
    [
      {
        names: 'vlp ground decide',
        load: async () => (await import('./offline/command.ts')).registerOffline,
      },
      {
        names: 'redact frame',
        load: async () => (await import('./firewall/command.ts')).registerFirewall,
      },
      {
        names: 'verify-work score council url-check prose-check',
        load: async () => (await import('./work/command.ts')).registerWork,
      },
      { names: 'hook', load: async () => (await import('./hook/command.ts')).registerHook },
    ],
  ],
  [
    'Help:',
    [
      // Its others show all commands.
      {
        names: 'version --version -v -V',
        load: async () => (await import('./help/command.ts')).registerHelp,
      },
    ],
  ],
])

/**
 * The program with the command of that name alone, or with all of them where no name is given, or
 * none that one part registers by itself.
 */
export async function buildProgram(called?: string): Promise<Command> {
  const all = [...groups].flatMap(([group, parts]) => parts.map((part) => ({ group, ...part })))
  const own = all.filter(({ names }) => called !== undefined && names.split(' ').includes(called))
  const needed = own.length > 0 ? own : all
  const program = bareProgram()
  const registered = await Promise.all(needed.map(({ load }) => load()))
  for (const [at, { group }] of needed.entries()) {
    program.commandsGroup(group)
    registered[at]?.(program)
  }
  return program
}
