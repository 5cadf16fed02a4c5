// Who may import whom: packages by their table, modules of Node where the world may be touched, and
// packages of npm at home.
import { halves, isPure, packageOfFile, packages, targetOf } from './packages.ts'
import { wholeOf } from './order.ts'
import { at, sourcesOf, type Files, type Import, type Source } from './source.ts'

interface Room {
  readonly files: RegExp
  /** What of other packages it may import, beside what its own may not. */
  readonly on?: (target: string) => boolean
  /** What of its own package it may import. */
  readonly within?: (target: string) => boolean
  /** Modules of Node. */
  readonly node?: readonly string[]
}

const ofHalves = (target: string): boolean => target.startsWith(halves)

// Files with a rule of their own; the first that fits counts.
const rooms: readonly Room[] = [
  // One half of the platform may use Node; the other is for browsers.
  {
    files: /^shared\/record\/platform\/[\w-]+-node\.ts$/,
    within: ofHalves,
    node: ['node:crypto', 'node:module', 'node:vm'],
  },
  { files: /^shared\/record\/platform\//, within: ofHalves },
  // Who signs has a private key, and is never a page.
  { files: /^shared\/record\/crypto\/private-key\.ts$/, node: ['node:crypto'] },
  { files: /^shared\/present\//, on: (target) => !ofHalves(target) },
  { files: /^services\/frameworks\//, node: [] },
  { files: /^services\/testing\//, node: ['node:assert/strict', 'node:crypto'] },
  {
    files: /^services\/demo\//,
    on: (target) => target === 'services/client/connect.ts',
    node: ['node:crypto'],
  },
  // Each call of a coding agent waits for it to start.
  {
    files: /^services\/hooks\//,
    on: (target) => /^shared\/shell\/hooks\/(?:hook-answer|hosts\/hosts)\.ts$/.test(target),
    node: ['node:fs', 'node:http', 'node:https', 'node:url'],
  },
  // What derives in a browser is the replay of everyone else, bundled.
  { files: /^services\/console\/page\/auditing\/deriving\//, node: [] },
  // What judges a case in a browser as it does here.
  { files: /^services\/cases\//, node: [] },
  // What runs in a browser: of all else only what is pure.
  { files: /^services\/console\/page\//, on: isPure, node: [] },
]

/** What a file imports under two names: a test of two things then compares one with itself. */
export function importsOnce(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const seen = new Set<string>()
    return source.program.body.flatMap((statement) => {
      if (statement.type !== 'ImportDeclaration') return []
      const { source: from, specifiers, start } = statement
      return specifiers.flatMap((specifier) => {
        const name =
          specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
            ? specifier.imported.name
            : specifier.type
        const what = `${name} of ${from.value}`
        if (seen.has(what)) return [at(source, start, `imports ${what} twice: one name is enough`)]
        seen.add(what)
        return []
      })
    })
  })
}

/** Every import that its package does not allow. */
export function importsOneWay(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const name = packageOfFile(source.path)
    // Tests, benches and examples look at everything.
    if (name === null) return []
    return source.imports.flatMap((one) => {
      const wrong = wrongWith(one, source.path, name)
      return wrong === null ? [] : [at(source, one.start, wrong)]
    })
  })
}

function wrongWith({ from }: Import, path: string, name: string): string | null {
  const room = rooms.find(({ files }) => files.test(path))
  if (from.startsWith('node:')) {
    const isFree = room?.node === undefined && !isPure(path)
    return isFree || room?.node?.includes(from) === true
      ? null
      : `imports ${from}: go through a port`
  }
  const target = targetOf(from, path)
  if (target === null) return null
  const isOwn = packageOfFile(target) === name
  if (from.startsWith('.')) {
    if (!/\.(tsx?|json)$/.test(from)) return `imports ${from}: name the file, with .ts`
    if (!isOwn) return `imports ${from}: cross no border by a relative path`
  } else {
    if (/\.tsx?$/.test(from)) return `imports ${from}: an alias has no .ts`
    const isHalf = from.startsWith('#platform/')
    if (isOwn && !isHalf) return `imports ${from}: inside a package, name the file by its path`
  }
  return mayImport(room, { path, target, name })
    ? null
    : `imports ${from}: what it needs must be handed in, or belongs in a lower package`
}

interface Arrow {
  readonly path: string
  readonly target: string
  readonly name: string
}

function mayImport(room: Room | undefined, { path, target, name }: Arrow): boolean {
  // What is pure stands on what is pure, whatever lies beside it.
  if (isPure(path) && !isPure(target)) return false
  const theirs = packageOfFile(target)
  if (theirs === name) return room?.within?.(target) ?? true
  if (theirs === null || packages.get(name)?.on.includes(theirs) !== true) return false
  return room?.on?.(target) ?? true
}

const product = /^(schemas|shared|services|seeds)\//

/** Known by several files; any other package by one, so that it can be replaced. */
const manyFiles: ReadonlySet<string> = new Set([
  'zod',
  'commander',
  'hono',
  'lru-cache',
  'preact',
  '@preact/signals',
  '@modelcontextprotocol/server',
  'unbash',
])

/** Every package of npm that is imported where it has no home, or from a second file. */
export function packagesAtHome(files: Files): readonly string[] {
  const knownBy = new Map<string, string>()
  const uses = sourcesOf(files)
    .filter(({ path }) => product.test(path))
    .flatMap((source) => source.imports.map((one) => ({ source, one })))
  return uses.flatMap(({ source, one }) => {
    const name = npmNameOf(one)
    if (name === null) return []
    const wrong = strayed(name, source, knownBy)
    return wrong === null ? [] : [at(source, one.start, `imports ${name}: ${wrong}`)]
  })
}

function npmNameOf({ from }: Import): string | null {
  if (/^(\.|#|node:)/.test(from)) return null
  const parts = from.split('/')
  return parts.slice(0, from.startsWith('@') ? 2 : 1).join('/')
}

const homed: ReadonlySet<string> = new Set([
  'zod',
  ...[...packages.values()].flatMap(({ npm }) => npm),
])

function strayed(name: string, { path }: Source, knownBy: Map<string, string>): string | null {
  if (!homed.has(name)) {
    return 'write it into the table of packages and into the page on dependencies'
  }
  const ours = packageOfFile(path)
  const isHome = ours !== null && packages.get(ours)?.npm.includes(name) === true
  if (!isHome && !(name === 'zod' && ours !== null)) return 'go through the package that has it'
  const first = knownBy.get(name) ?? path
  knownBy.set(name, first)
  const isOther = wholeOf(first) !== wholeOf(path)
  return !manyFiles.has(name) && isOther ? `only ${first} knows it` : null
}
