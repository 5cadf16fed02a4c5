// Which modules of the bundle lie in one file: those that the same starts load. So each start reads
// few files, and nothing that it does not need. What no start loads is split by who asks for it.
import { isAbsolute, join } from 'node:path'
import type { ChunkingContext } from 'rolldown'

/** Every command that reads a log, and every one that decides on it. */
const reads = [
  'services/workers/stages',
  'shared/log/stamp',
  'shared/log/sqlite/faults',
  'shared/log/sqlite/log',
]
const decides = [...reads, 'shared/runtime/reporting/logger', 'shared/wiring/open']

/**
 * The starts that are waited for most, each by what it loads on demand: all that those import comes
 * with them. A list that is behind makes a start read more files, and breaks nothing.
 */
const starts: readonly (readonly string[])[] = [
  ['services/cli/run-command'],
  [...reads, 'services/cli/agents/log/run'],
  [...reads, 'services/cli/run/replay/run'],
  [...decides, 'services/cli/agents/ask/run', 'services/cli/terminal/opening/model'],
  [
    ...decides,
    'services/cli/run/doctor/run',
    'services/cli/run/console/enrol',
    'services/cli/run/reach/run',
    'shared/log/sqlite/inspect',
    'shared/authoring/seed-files',
  ],
  [...decides, 'services/cli/run/init/run', 'shared/authoring/seed-files'],
  ['services/cli/agents/hook/check'],
  ['services/cli/agents/hook/run', 'services/cli/agents/hook/offline-answer'],
  ['services/cli/agents/hook/resident/asking'],
  ['services/cli/agents/hook/resident/asking', 'services/cli/agents/hook/resident/evidence'],
  [...decides, 'services/cli/agents/hook/run', 'services/cli/agents/hook/on-log'],
  [...decides, 'services/cli/agents/hook/install'],
  [
    ...decides,
    'services/cli/run/up/http',
    'services/cli/terminal/opening/model',
    'services/cli/agents/tokens/run',
    'shared/judging/kept-contents',
    'shared/health/metrics',
  ],
  [
    ...decides,
    'services/cli/agents/mcp/run',
    'services/cli/agents/ask/run',
    'services/cli/terminal/opening/model',
    'shared/wiring/own-gateway',
  ],
  ['services/client/connect'],
]

/** What loads every command to show all of them: none is to be read with another for its sake. */
const shown = 'services/cli/program'

type Name = (id: string, context: ChunkingContext) => string | null
type MayLack = (name: string) => boolean

/**
 * The file that a module lies in; null where those who ask for it decide that. What a module
 * imports is loaded by at least the same starts, so no two files import each other.
 */
export function chunkNames(dist: string, mayLack: MayLack): Name {
  let names: ReadonlyMap<string, string> | undefined
  return (id, context) => {
    names ??= namesOf(dist, context, mayLack)
    return names.get(id) ?? null
  }
}

function namesOf(
  dist: string,
  context: ChunkingContext,
  mayLack: MayLack,
): ReadonlyMap<string, string> {
  const infoOf = (id: string) => {
    const info = context.getModuleInfo(id)
    if (info === null) throw new Error(`${id} is named as part of a start, and is not bundled`)
    return info
  }
  const reachedFrom = (roots: readonly string[]): ReadonlySet<string> => {
    const reached = new Set(roots)
    for (const id of reached) for (const one of infoOf(id).importedIds) reached.add(one)
    return reached
  }
  const fileOf = (path: string): string => join(dist, `${path}.js`)
  const help = reachedFrom(infoOf(fileOf(shown)).dynamicallyImportedIds)
  const names = new Map<string, string>()
  for (const [index, roots] of starts.entries()) {
    for (const id of reachedFrom(roots.map(fileOf))) {
      names.set(id, `${names.get(id) ?? (help.has(id) ? 'shown-' : 'start-')}${index}`)
    }
  }
  // What stands on a package that may be missing is only loaded by those who ask for it.
  const isLacking = (id: string): boolean => mayLack(id) || (isAbsolute(id) && !names.has(id))
  const lacking = (): readonly string[] =>
    [...names.keys()].filter((id) => infoOf(id).importedIds.some(isLacking))
  for (let found = lacking(); found.length > 0; found = lacking()) {
    for (const id of found) names.delete(id)
  }
  return names
}
