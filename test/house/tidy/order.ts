// The order of folders, and what keeps a folder readable: no two folders of a package and no two
// files import each other round a circle, a driver imports no other, a folder holds few files, and
// a name means one thing.
import { posix } from 'node:path'
import { halves, isPure, packageOfFile, packages, targetOf } from './packages.ts'
import { at, sourcesOf, visit, type Files, type Source } from './source.ts'

/** What drivers stand on; a driver imports no other. */
const groundOfDrivers: ReadonlySet<string> = new Set(['shared/log/nats', 'shared/log/nats-config'])
const drivers: readonly string[] = [
  'shared/log/memory',
  'shared/log/sqlite',
  'shared/log/nats',
  'shared/log/jetstream',
  'shared/log/nats-config',
  'shared/log/nats-admin',
  'shared/gateway/tools',
  'shared/gateway/results',
  'shared/gateway/framing',
  'shared/neo4j/driver',
]
const driverOf = (path: string) => drivers.find((one) => path.startsWith(`${one}/`))

/** Every import from one driver to another. */
export function driversStandAlone(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const ours = driverOf(source.path)
    if (ours === undefined) return []
    return source.imports.flatMap((one) => {
      const target = targetOf(one.from, source.path)
      const theirs = target === null ? undefined : driverOf(target)
      if (theirs === undefined || theirs === ours || groundOfDrivers.has(theirs)) return []
      return [at(source, one.start, `imports ${target}: a driver imports no other`)]
    })
  })
}

/**
 * Every two folders of a package that import each other, directly or by way of others. What lies in
 * the package’s own folder stands between them, and is judged file by file.
 */
export function foldersPointDown(files: Files): readonly string[] {
  const arrows = new Map<string, Map<string, string>>()
  for (const source of sourcesOf(files)) {
    const [name, from] = placeOf(source.path)
    if (name === null || !source.path.startsWith('shared/')) continue
    for (const one of source.imports) {
      const target = targetOf(one.from, source.path)
      if (target === null) continue
      const [theirs, to] = placeOf(target)
      const own = packages.get(name)?.folder
      if (theirs !== name || to === from || to === own || from === own) continue
      const known = arrows.get(from) ?? new Map<string, string>()
      if (!known.has(to)) known.set(to, at(source, one.start, `imports ${target}`))
      arrows.set(from, known)
    }
  }
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    [...(arrows.get(from)?.keys() ?? [])].some((to) => {
      if (to === goal) return true
      if (seen.has(to)) return false
      seen.add(to)
      return reaches(to, goal, seen)
    })
  return [...arrows].flatMap(([from, known]) =>
    [...known].flatMap(([to, where]) =>
      reaches(to, from) ? [`${where}: \`${to}\` imports \`${from}\` as well`] : [],
    ),
  )
}

/** The package of a file, and the folder in it that it lies in: the package's own, or one below. */
function placeOf(path: string): readonly [name: string | null, folder: string] {
  const name = packageOfFile(path)
  const folder = packages.get(name ?? '')?.folder ?? ''
  const [first, ...rest] = path.slice(folder.length).split('/')
  return [name, rest.length === 0 ? folder : `${folder}${first ?? ''}/`]
}

/** Every circle of files; what is imported for its type or only when needed counts too. */
export function noCircles(files: Files): readonly string[] {
  const sources = new Map(sourcesOf(files).map((source) => [source.path, source]))
  const done = new Set<string>()
  const found: string[] = []
  for (const start of sources.keys()) {
    const path: string[] = []
    const visit = (file: string): void => {
      const source = sources.get(file)
      if (source === undefined || done.has(file)) return
      const seen = path.indexOf(file)
      if (seen !== -1) {
        found.push(`${[...path.slice(seen), file].join(' -> ')} is a circle`)
        return
      }
      path.push(file)
      for (const one of source.imports) {
        const target = targetOf(one.from, source.path)
        if (target !== null) visit(target)
      }
      path.pop()
      done.add(file)
    }
    visit(start)
  }
  return found
}

const filesMax = 25
/** What is generated, one file for each kind. */
const generated = /^schemas\/generated\//

/** Every folder with more sources than a reader takes in at a glance. */
export function foldersStaySmall(files: Files): readonly string[] {
  const counts = new Map<string, number>()
  for (const { path } of sourcesOf(files)) {
    if (generated.test(path)) continue
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) => {
    return count > filesMax ? [`${folder} has ${count} files: at most ${filesMax}`] : []
  })
}

/** Every file that is called like another of its package, or, where it is pure, of any pure one. */
export function stemsAreUnique(files: Files): readonly string[] {
  const first = new Map<string, string>()
  return sourcesOf(files).flatMap(({ path }) => {
    const name = packageOfFile(path)
    if (name === null || !path.startsWith('shared/') || driverOf(path) !== undefined) return []
    const isThinking = isPure(path) && name !== 'present'
    const key = `${isThinking ? 'pure' : name} ${wholeOf(posix.basename(path))}`
    const other = first.get(key)
    first.set(key, path)
    return other === undefined ? [] : [`${path} is called like ${other}: name what it is about`]
  })
}

const product = /^(schemas|shared|services)\//
const half = /-(?:node|browser)\.ts$/

/** What stands for each other under one alias is one file. */
export function wholeOf(path: string): string {
  return path.startsWith(halves) ? path.replace(half, '') : path
}

/** Every half of the platform whose twin is not there, or exports something else. */
export function halvesMatch(files: Files): readonly string[] {
  const sources = new Map(sourcesOf(files).map((source) => [source.path, source]))
  return [...sources.values()].flatMap(({ path, exported }) => {
    if (!path.startsWith(halves) || !half.test(path)) return []
    const twin = path.replace(half, (end) => (end === '-node.ts' ? '-browser.ts' : '-node.ts'))
    const theirs = sources.get(twin)?.exported
    if (theirs === undefined) return [`${path} has no twin ${twin}: write it`]
    const lacking = theirs.filter((name) => !exported.includes(name))
    return lacking.map((name) => `${path} lacks ${name}, which ${twin} exports: write it`)
  })
}

/** Every name that two files of the product export: anyone who searches for it finds both. */
export function namesMeanOneThing(files: Files): readonly string[] {
  const first = new Map<string, string>()
  return sourcesOf(files).flatMap((source) => {
    if (!product.test(source.path)) return []
    return [...declaredBy(source)].flatMap((name) => {
      const other = first.get(name) ?? source.path
      first.set(name, other)
      return wholeOf(other) === wholeOf(source.path)
        ? []
        : [`${source.path} exports ${name} as ${other} does: call one of them otherwise`]
    })
  })
}

/** What the file exports by declaring it, types included; what it passes on does not count. */
function declaredBy(source: Source): ReadonlySet<string> {
  const names = new Set<string>()
  visit(source, {
    ExportNamedDeclaration({ declaration }) {
      switch (declaration?.type) {
        case 'VariableDeclaration':
          for (const { id } of declaration.declarations) {
            if (id.type === 'Identifier') names.add(id.name)
          }
          break
        case 'FunctionDeclaration':
        case 'ClassDeclaration':
        case 'TSInterfaceDeclaration':
        case 'TSTypeAliasDeclaration':
          if (declaration.id !== null) names.add(declaration.id.name)
          break
        default:
      }
    },
  })
  return names
}
