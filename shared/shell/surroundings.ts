// The names and places that matter, ready to be asked: secrets, the guard itself, folders of the
// system, variables that change what runs.
import type { ShellEntry, ShellSurroundings } from '#schemas/shell/table'
import { wholePath, type Located, type Root } from './place.ts'
import { deepMark, unknownMark } from './marks.ts'
import { escaped, pathPatterns, pathTest } from './paths/patterns.ts'

export interface ShellTable {
  /** By the name of the command. */
  readonly commands: ReadonlyMap<string, ShellEntry>
  /** Those that stand in no seed: what guards the agent is not theirs to name. */
  readonly added: ReadonlySet<string>
  readonly isHarmless: (path: string) => boolean
  readonly isSystem: (path: string) => boolean
  readonly isProgramFolder: (path: string) => boolean
  readonly isNetwork: (path: string) => boolean
  readonly isTemporary: (path: string) => boolean
  /** Whether anyone may know what is in it. */
  readonly isFact: (path: string) => boolean
  /** Whether it is in a folder of the person's own. */
  readonly isOwn: (path: string) => boolean
  /** Whether it has the passwords of the machine, or what it runs by itself. */
  readonly isMachine: (path: string) => boolean
  readonly mentionsMachine: (text: string) => boolean
  /** Whether what is written there runs later. */
  readonly isRunning: (located: Located) => boolean
  readonly isSecret: (located: Located, root: Root) => boolean
  readonly isGuard: (located: Located, root: Root) => boolean
  readonly isSecretName: (name: string) => boolean
  readonly isGuardName: (name: string) => boolean
  readonly isHarmlessName: (name: string) => boolean
  readonly isRunningName: (name: string) => boolean
  readonly mentionsGuard: (text: string) => boolean
  /** Whether a text names a program or a package that guards the agent. */
  readonly namesGuard: (text: string) => boolean
  readonly isGuardProgram: (name: string) => boolean
  /** Whether a file is of such a package as it is installed. */
  readonly isGuardFile: (path: string) => boolean
  readonly dialects: ReadonlyMap<string, readonly DialectRule[]>
}

export interface DialectRule {
  readonly match: RegExp
  readonly is: readonly string[]
  readonly unquoted: boolean
}

export function shellTable(
  files: readonly Readonly<Record<string, ShellEntry>>[],
  given: ShellSurroundings,
  added: readonly Readonly<Record<string, ShellEntry>>[] = [],
  /** Absolute: the folders that those come from, which are part of the guard. */
  addedFrom: readonly string[] = [],
): ShellTable {
  const { places, secrets, guard, environment, dialects } = given
  const own = new Map(added.flatMap(entriesOf))
  const commands = new Map([...files.flatMap(entriesOf), ...own])
  const isException = pathTest(secrets.except)
  const secretPaths = pathPatterns(secrets.paths, { withinFolders: false })
  const guardPaths = pathPatterns(guard.paths, { withinFolders: true })
  const runningPaths = pathPatterns(places.running ?? [], { withinFolders: false })
  const ownPaths = pathPatterns(
    addedFrom.map((folder) => `${folder}/**`),
    { withinFolders: false },
  )
  const mentions = [...guard.mentions, ...addedFrom]
  const programs = guard.programs ?? []
  const named = programs.map(escaped).join('|')
  const program = new RegExp(`(?:^|[^a-z0-9])(?:${named})(?![a-z0-9])`, 'iu')
  const programFile = new RegExp(`(?:^|/)(?:node_modules|\\.bin)/(?:${named})(?:/|$)`, 'iu')
  return {
    commands,
    added: new Set(own.keys()),
    isHarmless: pathTest(places.harmless),
    isSystem: pathTest(places.system),
    isProgramFolder: pathTest(places.programs),
    isNetwork: pathTest(places.network),
    isTemporary: pathTest(places.temporary ?? []),
    isFact: pathTest(places.facts ?? []),
    isOwn: ownTest(places.own ?? []),
    ...machineTests(places.machine ?? []),
    isRunning: ({ path }) => runningPaths.mayBe(path),
    isSecret: (located, root) => {
      const paths = namesOf(located, root)
      return !paths.some(isException) && paths.some(secretPaths.mayBe)
    },
    isGuard: (located, root) => {
      const paths = namesOf(located, root).map(fromWorktree)
      const isOwn = addedFrom.length > 0 && ownPaths.mayBe(wholePath(located, root))
      return isOwn || paths.some(guardPaths.mayBe)
    },
    isSecretName: nameTest(secrets.variables),
    isGuardName: nameTest(guard.variables),
    isHarmlessName: nameTest(environment.harmless),
    isRunningName: nameTest(environment.running),
    mentionsGuard: (text) => mentions.some((one) => text.includes(one)),
    namesGuard: (text) => programs.length > 0 && program.test(text),
    isGuardProgram: (name) => programs.includes(name),
    isGuardFile: (path) => programs.length > 0 && programFile.test(path),
    dialects: new Map(
      Object.entries(dialects).map(([name, rules]) => [
        name,
        rules.map(({ match, is, unquoted = false }) => {
          return { match: new RegExp(match, 'iu'), is: conceptsIn(is), unquoted }
        }),
      ]),
    ),
  }
}

/** What has a hidden name in its path, or may have one, is in no folder of a person's own. */
function ownTest(patterns: readonly string[]): (path: string) => boolean {
  const isListed = pathTest(patterns)
  return (path) => {
    const named = fromHome(path).replaceAll(/\/\.(?=\/|$)/gu, '')
    const isKnown = !named.includes(unknownMark) && !named.includes(deepMark)
    return isKnown && !/(?:^|\/)\./u.test(named) && isListed(named)
  }
}

/** By its path, and by a text in which its path stands. */
function machineTests(patterns: readonly string[]) {
  const names = patterns.map((one) => one.replace(/\*.*$/u, ''))
  return {
    isMachine: pathTest(patterns),
    mentionsMachine: (text: string) => names.some((one) => text.includes(one)),
  }
}

/** A path as it is judged: from the project, from `/`, and from the home folder. */
function namesOf(located: Located, root: Root): readonly string[] {
  const whole = wholePath(located, root)
  return [...new Set([located.path, whole, fromHome(whole)])]
}

/** With `~` for a home folder. */
function fromHome(path: string): string {
  const rest = /^\/(?:(?:home|Users)\/[^/]+|root)(?<rest>\/.*)$/u.exec(path)?.groups?.['rest']
  return rest === undefined ? path : `~${rest}`
}

/** Some agents keep the branches that they work on below their own folder of settings. */
function fromWorktree(path: string): string {
  return path.replace(/^(?:.*\/)?\.[^/]+\/worktrees\/[^/]+\//u, '')
}

function entriesOf(file: Readonly<Record<string, ShellEntry>>) {
  return Object.entries(file).flatMap(([names, entry]) => {
    return names.split(' ').map((name) => [name, entry] as const)
  })
}

export function conceptsIn(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(' ')
}

function nameTest(patterns: readonly string[]): (name: string) => boolean {
  const sources = patterns.map((one) => escaped(one).replaceAll(String.raw`\*`, '.*'))
  const test = new RegExp(`^(?:${sources.join('|')})$`, 'u')
  return (name) => test.test(name)
}
