// Which later calls of a coding agent are the same routine as one that a person looks at: what
// `approve --routine` grants. Reading, and writing in the project, is a kind of its own; what runs
// code or fetches is that command alone; what destroys, sends or is not known is asked each time.
import type { Json } from '#record/canonical'
import { Fault } from '#record/fault'
import { conceptWords } from '#knowledge/routine/concept-words'

export type Routine =
  /** For which later calls, in CEL. */
  | { readonly when: string }
  /** By which concepts such a call is asked about each time, sorted. */
  | { readonly asked: readonly string[] }

/** Whatever such a call is exactly, it stands for no more than its concepts say. */
const alike: ReadonlySet<string> = new Set([
  'background.run',
  'harmless',
  'list.outside',
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

/** Null for a call of a tool that is no shell, handles no files and reads from no network. */
export function routineOf(args: Json, concepts: readonly string[]): Routine | null {
  const members = membersOf(args)
  const what = ['command', 'paths', ...ofNetwork].filter((name) => members.has(name))
  const isApart = ofNetwork.some((name) => what.includes(name))
  const isKnown = isApart ? isOfNetwork(concepts) : concepts.includes('shell.command')
  if (what.length !== 1 || !isKnown) return null
  const asked = concepts.filter((one) => !alike.has(one) && !same.has(one))
  if (asked.length > 0 || concepts.every(isShell)) return { asked: asked.toSorted() }
  const isKind = concepts.every((one) => alike.has(one))
  const among = isKind ? [...new Set([...concepts, 'harmless', 'read.inside'])] : [...concepts]
  // Without a root the folder where it works is the project.
  const bound = isKind && members.has('root') ? ['root'] : [...(isKind ? [] : what), 'cwd', 'root']
  return {
    when: [
      `grounding.concepts.all(one, one in ${JSON.stringify(among.toSorted())})`,
      ...bound.map((name) => sameMember(name, members)),
    ].join(' && '),
  }
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
