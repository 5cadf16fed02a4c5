// The order of folders, and what keeps a folder readable: imports inside a layer point down its
// chain of folders, no two files import each other round a circle, a folder holds few files, and a
// name means one thing.
import { posix } from 'node:path'
import { at, sourcesOf, visit, type Files, type Import, type Source } from './source.ts'

/** The folders of each layer, lowest first: a folder imports those before it alone. */
export const chains: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'shared/core/',
    [
      'platform',
      'kernel',
      'conditions',
      'known',
      'budgets',
      'firewall',
      'egress',
      'passkeys',
      'work',
      'drivers',
      'catalog',
      'contracts',
      'routing',
      'graph',
      'grounding',
      'authoring',
      'rules',
      'grants',
      'lint',
      'learning',
      'messages',
      'warrants',
      'executions',
      'attention',
      'people',
      'state',
      'outreach',
      'stages',
      'projection',
      'shell',
      'hooks',
    ],
  ],
  ['shared/core/state/', ['.', 'caches', 'eras', 'attention', 'grants', 'people', 'work', 'fold']],
  [
    'shared/present/',
    ['asking', '.', 'action', 'outreach', 'story', 'picture', 'console', 'auditing', 'work'],
  ],
  [
    'shared/adapters/',
    [
      'system',
      'egress',
      'log',
      'nats',
      'memory',
      'sqlite',
      'jetstream',
      'nats-config',
      'nats-admin',
      'neo4j',
      'callbacks',
      'models',
      'tools',
      'results',
      'framing',
      'shell',
      'work',
      'oidc',
      'outreach',
    ],
  ],
  [
    'shared/runtime/',
    [
      'reporting',
      'serving',
      'logs',
      'engine',
      'keys',
      'authoring',
      'eras',
      'cache',
      'learning',
      'grants',
      'moves',
      'work',
      'replay',
      'verdicts',
      'gateway',
      'backup',
      'projector',
      'operations',
      'hooks',
      'outreach',
      'wiring',
    ],
  ],
])

/** What drivers stand on; a driver imports no other. */
const groundOfDrivers: ReadonlySet<string> = new Set([
  'system',
  'egress',
  'log',
  'nats',
  'nats-config',
])

const aliases: readonly (readonly [alias: string, folder: string])[] = [
  ['#schemas/', 'schemas/'],
  ['#core/', 'shared/core/'],
  ['#present/', 'shared/present/'],
  ['#ports/', 'shared/ports/'],
  ['#adapters/', 'shared/adapters/'],
  ['#runtime/', 'shared/runtime/'],
  ['#services/', 'services/'],
]

const platform = '#platform/'

/** The file that an import names, as a path from the root; null for a package. */
function targetOf({ from }: Import, { path }: Source): string | null {
  // Of two halves that stand for each other, that of Node.
  if (from.startsWith(platform)) return `${halves}${from.slice(platform.length)}-node.ts`
  if (from.startsWith('.')) return posix.join(posix.dirname(path), from)
  const alias = aliases.find(([beginning]) => from.startsWith(beginning))
  return alias === undefined ? null : `${alias[1]}${from.slice(alias[0].length)}.ts`
}

/** Every import that points up its chain, or from one driver to another. */
export function foldersPointDown(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    return source.imports.flatMap((one) => {
      const target = targetOf(one, source)
      const wrong = target === null ? null : wrongWith(source.path, target)
      return wrong === null ? [] : [at(source, one.start, `imports ${target}: ${wrong}`)]
    })
  })
}

function wrongWith(path: string, target: string): string | null {
  for (const [layer, chain] of chains) {
    if (!path.startsWith(layer) || !target.startsWith(layer)) continue
    const [from, to] = [folderIn(layer, path), folderIn(layer, target)]
    if (from === to) continue
    const [above, below] = [chain.indexOf(from), chain.indexOf(to)]
    if (above === -1) return `\`${layer}${from}\` has no place in the chain of folders`
    if (below > above) return `\`${to}\` is above \`${from}\` in the chain of folders`
    if (layer === 'shared/adapters/' && !groundOfDrivers.has(to)) {
      return 'a driver imports no other'
    }
  }
  return null
}

function folderIn(layer: string, path: string): string {
  const parts = path.slice(layer.length).split('/')
  return parts.length === 1 ? '.' : (parts[0] ?? '.')
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
        const target = targetOf(one, source)
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

/** Layers in which a file's name says which file it is. */
const stemLayers: readonly string[] = ['shared/core/', 'shared/present/', 'shared/runtime/']

/** Every file that is called like another of its layer. */
export function stemsAreUnique(files: Files): readonly string[] {
  const found: string[] = []
  for (const layer of stemLayers) {
    const first = new Map<string, string>()
    for (const { path } of sourcesOf(files)) {
      if (!path.startsWith(layer)) continue
      const stem = posix.basename(path)
      const other = first.get(stem)
      if (other !== undefined) found.push(`${path} is called like ${other}: name what it is about`)
      first.set(stem, path)
    }
  }
  return found
}

const product = /^(schemas|shared|services)\//
const halves = 'shared/core/platform/'
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
