// Bundles the compiled command and library into few files: most of what a start costs is finding
// and reading modules. Entries keep their paths; what they share lies in `dist/chunks`, with the
// packages that they stand on, each only as far as it is used. No name is shortened, and what is
// loaded on demand still is.
import { createRequire } from 'node:module'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown, type OutputOptions, type Plugin } from 'rolldown'
import { z } from 'zod'
import { linesOfCommands } from '#cli/program'
import { foldingPackages } from '#replay/cache/fold-version'
import { chunkNames } from './bundle-chunks.ts'

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  imports: z.record(z.string(), z.looseObject({ default: z.string() })),
  exports: z.record(z.string(), z.unknown()),
})
type Manifest = z.infer<typeof Manifest>

/** What npm needs to know of the package in this folder. */
export async function manifestOf(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
}

/** Whether npm installs it beside the package, or people do. */
export function installedWith({ dependencies, peerDependencies }: Manifest) {
  const names = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
  return (name: string): boolean => names.has(packageOf(name))
}

interface Bundled {
  /** By their paths in `dist`. */
  readonly files: ReadonlyMap<string, string>
  /** The files that they were made from. */
  readonly madeFrom: readonly string[]
}

interface Written extends Bundled {
  /** What lies in entries, and not in chunks. */
  readonly beside: readonly string[]
}

/**
 * Lays the bundle of the package in this folder where its scripts are to be, instead of all that
 * are there but the page's, and returns the files that it was made from.
 */
export async function layCommand(folder: string, into: string): Promise<readonly string[]> {
  const { files, madeFrom } = await bundledCommand(folder)
  await mkdir(into, { recursive: true })
  for (const name of await readdir(into, { recursive: true })) {
    const isPage = name.startsWith('console')
    if (name.endsWith('.js') && !isPage) await rm(join(into, name))
  }
  for (const [name, text] of files) {
    const path = join(into, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  await writeFile(join(into, 'services/cli/listed.txt'), await linesOfCommands())
  return madeFrom
}

/** What is started by the name of its file, as a process or a thread. */
const programs = [
  'services/cli/main.js',
  'services/cli/run/replay/thread.js',
  'shared/gateway/framing/thread-program.js',
  'shared/gates/run/syntax-program.js',
  'shared/judging/judging-program.js',
]
/** It stands on Node alone: one file, with what it needs of ours in it. */
const sender = 'services/hooks/send.js'
/** That is a file of its own, and what makes a page of the sources is not shipped. */
const outside = [sender, 'services/console/bundling.js']
const outsideStems = new Set(outside.map((path) => basename(path, '.js')))

const chunks = 'chunks'
/** What is part of the version of the fold (`shared/replay/cache/fold-version.ts`). */
const folds = [...foldingPackages, 'replay/(?:cache|eras)', 'runtime/engine'].join('|')
const folding = new RegExp(`^(?:schemas|shared/(?:${folds}))/`)

const comments = { legal: false, jsdoc: false, annotation: true }
/** Modules before CommonJS: a bundler cannot follow a `require` whose name is a variable. */
const resolve = { mainFields: ['module', 'main'] }

const onLog = (level: string, { message }: { readonly message: string }): void => {
  if (level === 'warn') throw new Error(message)
}

export const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** The file that has a package, or a part of one: `bufbuild-cel-ext` for `@bufbuild/cel/ext`. */
const stemOf = (name: string): string => name.replace(/^@/, '').replaceAll('/', '-')

/** Where such a package lies that is loaded with the first condition. */
const besideOf = (name: string): string => `${chunks}/${stemOf(name)}.cjs`
/** Bundles what the compiler wrote into `dist` of the package in this folder. */
async function bundledCommand(folder: string): Promise<Bundled> {
  const dist = join(folder, 'dist')
  const manifest = await manifestOf(folder)
  const isInstalled = installedWith(manifest)
  const isPeer = installedWith({ ...manifest, dependencies: {} })
  const entries = Object.values(manifest.exports).flatMap((one) => {
    const path = z.object({ default: z.string() }).safeParse(one).data?.default
    return path === undefined ? [] : [relative('dist', path)]
  })
  const required = new Set<string>()
  const rest = await written(
    await rolldown({
      cwd: folder,
      input: Object.fromEntries([...programs, ...entries].map((path) => [path, join(dist, path)])),
      platform: 'node',
      resolve,
      external: (name) => isInstalled(name) || name.startsWith('@libsql/'),
      plugins: [keptOutside(dist), requiresBeside(dist, required), placesIn(dist)],
      preserveEntrySignatures: 'allow-extension',
      onLog,
    }),
    {
      entryFileNames: '[name]',
      chunkFileNames: `${chunks}/[name]-[hash].js`,
      codeSplitting: {
        groups: [{ name: chunkNames(dist, isPeer), debugName: 'starts' }],
        includeDependenciesRecursively: false,
      },
    },
  )
  // The version of the fold is taken of the chunks, so all that folds must lie there.
  for (const id of rest.beside) {
    const isOurs = id.startsWith(dist)
    if (isOurs && !folding.test(relative(dist, id))) continue
    throw new Error(`${id} folds, or may, and does not lie in \`${chunks}\``)
  }
  const names = [...required].toSorted()
  const modules = new Set<string>()
  for (const name of names) if (await isModule(name)) modules.add(name)
  // A module keeps its default under that name; of CommonJS the default is the whole.
  const lazily = [
    await bundledRequires(folder, [...modules], 'named'),
    await bundledRequires(
      folder,
      names.filter((name) => !modules.has(name)),
      'auto',
    ),
  ]
  const all = [rest, ...lazily]
  const alone = await written(
    await rolldown({ cwd: folder, input: join(dist, sender), platform: 'node', onLog }),
    { entryFileNames: sender },
  )
  return {
    files: new Map([...all, alone].flatMap(({ files }) => [...files])),
    madeFrom: all.flatMap(({ madeFrom }) => madeFrom),
  }
}

type Built = Awaited<ReturnType<typeof rolldown>>

async function written(built: Built, options: OutputOptions): Promise<Written> {
  const { output } = await built.generate({ format: 'es', comments, ...options })
  await built.close()
  const found = output.filter((one) => one.type === 'chunk')
  return {
    files: new Map(found.map(({ fileName, code }) => [fileName, code])),
    madeFrom: found.flatMap(({ moduleIds }) => moduleIds),
    beside: found.flatMap(({ fileName, moduleIds }) => {
      return fileName.startsWith(chunks) ? [] : moduleIds
    }),
  }
}

const PackageType = z.object({ type: z.string().optional() })

/** Whether a package is written in modules and not in CommonJS. */
async function isModule(name: string): Promise<boolean> {
  const own = packageOf(name)
  const at = createRequire(import.meta.url).resolve(name)
  const root = at.slice(0, at.lastIndexOf(join('node_modules', own)))
  const file = join(root, 'node_modules', own, 'package.json')
  const { type } = PackageType.parse(JSON.parse(await readFile(file, 'utf8')))
  return type === 'module'
}

/** What is loaded with the first condition, as CommonJS, since a `require` loads it. */
async function bundledRequires(
  folder: string,
  names: readonly string[],
  exports: 'named' | 'auto',
): Promise<Bundled> {
  const sources = new Map<string, string>()
  const input: Record<string, string> = {}
  for (const name of names) {
    const loaded = z.record(z.string(), z.unknown()).parse({ ...(await import(name)) })
    const named = Object.keys(loaded).filter((one) => one !== 'module.exports')
    // CommonJS has the whole as its default beside the names of its parts: one of the two will do.
    const exported = named.length > 1 ? named.filter((one) => one !== 'default') : named
    const entry = join(folder, `${stemOf(name)}.entry.mjs`)
    sources.set(entry, `export { ${exported.join(', ')} } from '${name}'\n`)
    input[stemOf(name)] = entry
  }
  const entries: Plugin = {
    name: 'entries',
    resolveId: (id) => (sources.has(id) ? id : null),
    load: (id) => sources.get(id) ?? null,
  }
  const made = await written(
    await rolldown({ cwd: folder, input, platform: 'node', resolve, plugins: [entries], onLog }),
    {
      format: 'cjs',
      exports,
      entryFileNames: `${chunks}/[name].cjs`,
      chunkFileNames: `${chunks}/[name]-[hash].cjs`,
    },
  )
  return { ...made, madeFrom: made.madeFrom.filter((id) => !sources.has(id)) }
}

function keptOutside(dist: string): Plugin {
  return {
    name: 'outside',
    async resolveId(id, importer) {
      if (importer === undefined || !outsideStems.has(basename(id, '.js'))) return null
      const found = await this.resolve(id, importer, { skipSelf: true })
      const path = found === null ? '' : relative(dist, found.id)
      return outside.includes(path) ? { id: `${placed}${path}`, external: true } : null
    },
  }
}

const makesRequire = /^const (?<how>\w+) = createRequire\(import\.meta\.url\);$/m

/** The packages that such a file asks for lie among the chunks, each in a file. */
function requiresBeside(dist: string, required: Set<string>): Plugin {
  return {
    name: 'requires-beside',
    transform(code, id) {
      const how = makesRequire.exec(code)?.groups?.['how']
      if (how === undefined) return null
      const call = new RegExp(String.raw`\b${how}\('(?<name>@?[a-z][^']*)'\)`, 'g')
      return code.replaceAll(call, (_whole, name: string) => {
        required.add(name)
        return `${how}('${relative(dirname(id), join(dist, besideOf(name)))}')`
      })
    },
  }
}

/** What is named by its place in `dist`, until it is known which file names it. */
const placed = 'dist:'

/** What looks for files beside itself goes on looking where it was compiled to. */
function placesIn(dist: string): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null
      const place = `new URL("${placed}${relative(dist, id)}", import.meta.url).href`
      return code.replaceAll('import.meta.url', place)
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/(["'`])dist:(?<path>[^"'`]+)\1/g, (_whole, _quote, path: string) => {
        const place = relative(dirname(fileName), path)
        return JSON.stringify(place.startsWith('.') ? place : `./${place}`)
      }),
  }
}
