// Which later calls of a coding agent are the same routine as one that a person looks at: what
// `approve --routine` grants. Reading, and writing in the project, is a kind of its own; what runs
// code or fetches is that command alone, or what begins as it does where a person agrees to that;
// what destroys, sends or is not known is asked each time.
import type { Json } from '#record/canonical'
import { Fault } from '#record/fault'
import { conceptWords } from '#knowledge/routine/concept-words'
import { isBegunSo, prefixIn, prefixPattern } from '#knowledge/routine/prefix'

export type Routine =
  /**
   * For which later calls, in CEL; and the words with which commands like this one begin, where a
   * person may agree to all of those instead.
   */
  | { readonly when: string; readonly prefix: string | null }
  /** By which concepts such a call is asked about each time, sorted. */
  | { readonly asked: readonly string[] }

/** Whatever such a call is exactly, it stands for no more than its concepts say. */
const alike: ReadonlySet<string> = new Set([
  'background.run',
  'harmless',
  'network.read',
  'read.inside',
  'read.recursive',
  'read.system',
  'shell.command',
  'write.inside',
])

/** Such a call is a routine only as the very same call. */
const same: ReadonlySet<string> = new Set([
  'code.run',
  'network.fetch',
  'network.query',
  'outside.own',
  'read.outside',
  'write.outside',
])

/** Of a tool of the network, which no shell has: what it is asked for. */
const ofNetwork = ['url', 'query']

/**
 * Null for a call of a tool that is no shell, handles no files and reads from no network. With a
 * prefix it is for commands that begin with those words; throws a Fault `grant_void` where there is
 * no such routine.
 */
export function routineOf(
  args: Json,
  concepts: readonly string[],
  prefix?: string,
): Routine | null {
  const members = membersOf(args)
  const what = ['command', 'paths', ...ofNetwork].filter((name) => members.has(name))
  const isApart = ofNetwork.some((name) => what.includes(name))
  const isKnown = isApart ? isOfNetwork(concepts) : concepts.includes('shell.command')
  if (what.length !== 1 || !isKnown) return null
  const asked = concepts.filter((one) => !alike.has(one) && !same.has(one))
  if (asked.length > 0 || concepts.every(isShell)) return { asked: asked.toSorted() }
  const isKind = concepts.every((one) => alike.has(one))
  const command = members.get('command')
  const running = typeof command === 'string' && concepts.includes('code.run') ? command : null
  const begun = prefix === undefined ? null : beginsSo(prefix, running)
  const isWide = isKind || begun !== null
  const among = isWide ? [...new Set([...concepts, 'harmless', 'read.inside'])] : [...concepts]
  const very = isKind ? [] : what
  // Without a root the folder where it works is the project.
  const bound = isKind && members.has('root') ? ['root'] : [...very, 'cwd', 'root']
  return {
    when: [
      `grounding.concepts.all(one, one in ${JSON.stringify(among.toSorted())})`,
      ...bound.map((name) => (name === 'command' && begun) || sameMember(name, members)),
    ].join(' && '),
    prefix: running === null ? null : prefixIn(running),
  }
}

/**
 * `running` is null of a call that runs no code: what only fetches or reads elsewhere states by its
 * words where from, and there the very same will do.
 */
function beginsSo(prefix: string, running: string | null): string {
  if (running === null) {
    throw new Fault('grant_void', 'a prefix is for a command that runs code, and for no other call')
  }
  const pattern = prefixPattern(prefix)
  if (pattern === null) {
    const plain = 'a program and at least one plain word that is no option, such as `npm test`'
    throw new Fault('grant_void', `\`${prefix}\` is no prefix: it needs ${plain}`)
  }
  if (!isBegunSo(running, pattern)) {
    const why = 'it begins otherwise, or goes on with more than options and paths'
    throw new Fault(
      'grant_void',
      `the command does not begin with \`${prefix}\` as a prefix: ${why}`,
    )
  }
  return `args.command.matches(${JSON.stringify(pattern)})`
}

const isShell = (concept: string): boolean => concept === 'shell.command'

function isOfNetwork(concepts: readonly string[]): boolean {
  return concepts.some((one) => one.startsWith('network.'))
}

/** Which calls a grant for it is for, where the person says neither how many nor for how long. */
export interface RoutineClass {
  readonly when: string
  readonly uses: number
  readonly forMs: number
}

/** Throws a Fault `grant_void` for what is asked about each time. */
export function routineClass(routine: Routine | null): RoutineClass {
  if (routine === null) {
    throw new Fault('grant_void', 'a routine is what a coding agent runs, reads or writes')
  }
  if ('when' in routine) return { when: routine.when, uses: 1_000, forMs: 30 * 86_400_000 }
  const { asked } = routine
  const what = asked.length === 0 ? 'no table has it' : asked.map(conceptWords).join(', and ')
  throw new Fault('grant_void', `it ${what}: that is asked about each time, and is no routine`)
}

/** What a call lacks, the calls like it lack too: another root is another project. */
function sameMember(name: string, members: ReadonlyMap<string, unknown>): string {
  if (!members.has(name)) return `!(${JSON.stringify(name)} in args)`
  return `args.${name} == ${JSON.stringify(members.get(name))}`
}

function membersOf(args: Json): ReadonlyMap<string, unknown> {
  const isMap = typeof args === 'object' && args !== null && !Array.isArray(args)
  return new Map(isMap ? Object.entries(args) : [])
}
