// Which later calls of a coding agent are the same routine as one that a person looks at: what
// `approve --routine` grants. Reading, and writing in the project, is a kind of its own; what runs
// code or fetches is that command alone; what destroys, sends or is not known is asked each time.
import type { Json } from '#record/canonical'

export type Routine =
  /** For which later calls, in CEL. */
  | { readonly when: string }
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

/** Null for a call of a tool that neither is a shell nor handles files. */
export function routineOf(args: Json, concepts: readonly string[]): Routine | null {
  const members = membersOf(args)
  const what = ['command', 'paths'].filter((name) => members.has(name))
  if (what.length !== 1 || !concepts.includes('shell.command')) return null
  const asked = concepts.filter((one) => !alike.has(one) && !same.has(one))
  if (asked.length > 0 || concepts.length < 2) return { asked: asked.toSorted() }
  const isKind = concepts.every((one) => alike.has(one))
  const among = isKind ? [...new Set([...concepts, 'harmless', 'read.inside'])] : [...concepts]
  const exact = isKind ? [] : [...what, 'cwd']
  const bound = [...exact, 'root'].filter((name) => members.has(name))
  return {
    when: [
      `grounding.concepts.all(one, one in ${JSON.stringify(among.toSorted())})`,
      ...bound.map((name) => `args.${name} == ${JSON.stringify(members.get(name))}`),
    ].join(' && '),
  }
}

function membersOf(args: Json): ReadonlyMap<string, unknown> {
  const isMap = typeof args === 'object' && args !== null && !Array.isArray(args)
  return new Map(isMap ? Object.entries(args) : [])
}
