// The names and places that matter, ready to be asked: secrets, the guard itself, folders of the
// system, variables that change what runs.
import type { ShellEntry, ShellSurroundings } from '#schemas/shell/table'
import { wholePath, type Located, type Root } from './place.ts'
import { globMark, unknownMark } from './marks.ts'

export interface ShellTable {
  /** By the name of the command. */
  readonly commands: ReadonlyMap<string, ShellEntry>
  /** Those that stand in no seed: what guards the agent is not theirs to name. */
  readonly added: ReadonlySet<string>
  readonly isHarmless: (path: string) => boolean
  readonly isSystem: (path: string) => boolean
  readonly isProgramFolder: (path: string) => boolean
  readonly isNetwork: (path: string) => boolean
  readonly isSecret: (located: Located, root: Root) => boolean
  readonly isGuard: (located: Located, root: Root) => boolean
  readonly isSecretName: (name: string) => boolean
  readonly isGuardName: (name: string) => boolean
  readonly isHarmlessName: (name: string) => boolean
  readonly isRunningName: (name: string) => boolean
  readonly mentionsGuard: (text: string) => boolean
  readonly dialects: ReadonlyMap<string, readonly DialectRule[]>
}

export interface DialectRule {
  readonly match: RegExp
  readonly is: readonly string[]
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
  const isSecretPath = pathTest(secrets.paths)
  const isGuardPath = pathTest(guard.paths)
  const ownPaths = addedFrom.map((folder) => `${folder}/**`)
  const isOwnPath = pathTest(ownPaths)
  const mentions = [...guard.mentions, ...addedFrom]
  return {
    commands,
    added: new Set(own.keys()),
    isHarmless: pathTest(places.harmless),
    isSystem: pathTest(places.system),
    isProgramFolder: pathTest(places.programs),
    isNetwork: pathTest(places.network),
    isSecret: (located, root) => {
      const paths = namesOf(located, root)
      return (
        !paths.some(isException) && paths.some((path) => mayBe(path, isSecretPath, secrets.paths))
      )
    },
    isGuard: (located, root) => {
      const isOwn = ownPaths.length > 0 && mayBe(wholePath(located, root), isOwnPath, ownPaths)
      const paths = namesOf(located, root).map(fromWorktree)
      return isOwn || paths.some((path) => mayBe(path, isGuardPath, guard.paths))
    },
    isSecretName: nameTest(secrets.variables),
    isGuardName: nameTest(guard.variables),
    isHarmlessName: nameTest(environment.harmless),
    isRunningName: nameTest(environment.running),
    mentionsGuard: (text) => mentions.some((one) => text.includes(one)),
    dialects: new Map(
      Object.entries(dialects).map(([name, rules]) => [
        name,
        rules.map(({ match, is }) => ({ match: new RegExp(match, 'iu'), is: conceptsIn(is) })),
      ]),
    ),
  }
}

/** A path as it is judged: from the project, from `/`, and from the home folder. */
function namesOf(located: Located, root: Root): readonly string[] {
  const whole = wholePath(located, root)
  const home = /^\/(?:(?:home|Users)\/[^/]+|root)(?<rest>\/.*)$/u.exec(whole)?.groups?.['rest']
  return [...new Set([located.path, whole, ...(home === undefined ? [] : [`~${home}`])])]
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

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)
}

/** `**` is any folders, `*` a part of a name; what ends in `/**` is the folder itself, too. */
function pathTest(patterns: readonly string[]): (path: string) => boolean {
  const sources = patterns.map((pattern) => {
    const whole = escaped(pattern)
      .replace(/^\\\*\\\*\//u, '(?:.*/)?')
      .replace(/\/\\\*\\\*$/u, '(?:/.*)?')
      .replaceAll(String.raw`\*\*`, '.*')
      .replaceAll(String.raw`\*`, '[^/]*')
    return whole
  })
  const test = new RegExp(`^(?:${sources.join('|')})$`, 'iu')
  return (path) => test.test(path)
}

function nameTest(patterns: readonly string[]): (name: string) => boolean {
  const sources = patterns.map((one) => escaped(one).replaceAll(String.raw`\*`, '.*'))
  const test = new RegExp(`^(?:${sources.join('|')})$`, 'u')
  return (name) => test.test(name)
}

/** Whether a path is one of those, or a pattern that may match one. */
function mayBe(
  path: string,
  test: (path: string) => boolean,
  patterns: readonly string[],
): boolean {
  if (path.includes(unknownMark)) return test(path.replaceAll(unknownMark, 'x'))
  if (!path.includes(globMark)) return test(path)
  if (test(path.replaceAll(globMark, 'x'))) return true
  const segments = path.split('/')
  if (segments.some((one) => !one.includes(globMark) && test(one))) return true
  const globs = segments
    .filter((one) => one.includes(globMark) && one.length > 1)
    .map((one) => new RegExp(`^${one.split(globMark).map(escaped).join('.*')}$`, 'iu'))
  return patterns
    .flatMap((pattern) => pattern.split('/'))
    .filter((name) => name !== '' && !name.startsWith('*') && name !== '~')
    .some((name) => globs.some((glob) => glob.test(name.replaceAll('*', 'x'))))
}
