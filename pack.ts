// Makes of what the compiler wrote into `dist` what is shipped: the packages that it stands on lie
// beside it, each only as far as it is used. So what determines bytes of facts is the same in every
// installation, and an installation is small. Types stay where a program can reach them.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { z } from 'zod'
import { layPage } from '#services/console/bundling'
import { licencesOf } from './pack-licences.ts'

const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')
const vendor = join(dist, 'vendor')

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  exports: z.record(z.string(), z.unknown()),
})
const manifest = Manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
/** What npm installs beside the package, or people do. */
const installed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))

/** `from 'x'`, `import('x')`, and `load('x')` of what a `require` was made for. */
const asked = /(?<how>\b(?:from |import |import\(|load\(|require\())'(?<name>@?[a-z][\w.:/-]*)'/g

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

const isBroughtAlong = (name: string): boolean =>
  !name.startsWith('node:') && !installed.has(packageOf(name))

/** The file that has a package, or a part of one: `bufbuild-cel-ext` for `@bufbuild/cel/ext`. */
const stemOf = (name: string): string =>
  name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-')

async function filesIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
}

const Loaded = z.record(z.string(), z.unknown())

type Format = 'es' | 'cjs'
const endings = { es: '.js', cjs: '.cjs' } satisfies Record<Format, string>
/** What is loaded by a `require` is CommonJS. */
const formatOf = (how: string): Format => (/load|require/.test(how) ? 'cjs' : 'es')

/** Lets every script ask for the files beside it, and returns what they must have. */
async function pointAtVendor(): Promise<ReadonlyMap<string, Format>> {
  const wanted = new Map<string, Format>()
  for (const path of await filesIn(dist, '.js')) {
    const text = await readFile(path, 'utf8')
    const pointed = text.replaceAll(asked, (whole, how: string, name: string) => {
      if (!isBroughtAlong(name)) return whole
      const format = formatOf(how)
      wanted.set(name, format)
      const file = join(vendor, `${stemOf(name)}${endings[format]}`)
      return `${how}'${relative(dirname(path), file)}'`
    })
    if (pointed !== text) await writeFile(path, pointed)
  }
  return wanted
}

/** Modules before CommonJS: a bundler cannot follow a `require` whose name is a variable. */
const resolve = { mainFields: ['module', 'main'] }

/** Bundles those packages, and returns the files that they were made from. */
async function bundle(names: readonly string[], format: Format): Promise<readonly string[]> {
  const sources = new Map<string, string>()
  const input: Record<string, string> = {}
  for (const name of names) {
    const loaded = Loaded.parse({ ...(await import(name)) })
    const named = Object.keys(loaded).filter((one) => one !== 'module.exports')
    // CommonJS has the whole as its default beside the names of its parts: one of the two will do.
    const hasParts = format === 'cjs' && named.length > 1
    const exported = hasParts ? named.filter((one) => one !== 'default') : named
    const entry = join(root, `${stemOf(name)}.entry.mjs`)
    sources.set(entry, `export { ${exported.join(', ')} } from '${name}'\n`)
    input[stemOf(name)] = entry
  }
  const built = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    resolve,
    external: /^@libsql\//,
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (sources.has(id) ? id : null),
        load: (id) => sources.get(id) ?? null,
      },
    ],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await built.write({
    dir: vendor,
    format,
    entryFileNames: `[name]${endings[format]}`,
    chunkFileNames: `shared/[name]${endings[format]}`,
    comments: { legal: false, jsdoc: false, annotation: true },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  return output
    .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    .filter((id) => !sources.has(id))
}

const alone = join(dist, 'services/cli/hook/alone.js')
/** What it loads when it is called is part of that file; all else stays where it lies. */
const calledAlone = ['./check.js', './run.js']

/**
 * One file of `hook check` and `hook run` and all that they stand on, since an agent waits for each
 * start. Its text, and the files that it was made from.
 */
async function bundleAlone(): Promise<{
  readonly text: string
  readonly used: readonly string[]
}> {
  const built = await rolldown({
    cwd: root,
    input: alone,
    platform: 'node',
    resolve,
    plugins: [
      {
        name: 'alone',
        resolveId(id, importer, { kind }) {
          if (importer === undefined || kind !== 'dynamic-import') return null
          if (calledAlone.includes(id)) return null
          return { id: id.startsWith('.') ? join(dirname(importer), id) : id, external: 'relative' }
        },
        transform: (code) =>
          code.includes('const load = createRequire') ? withRequire(code) : null,
      },
    ],
    external: ['wink-lemmatizer'],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await built.generate({
    dir: dirname(alone),
    format: 'es',
    codeSplitting: false,
    comments: { legal: false, jsdoc: false, annotation: true },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  const [file, ...others] = output
  if (others.length > 0) throw new Error('`hook` was to become one file')
  return { text: file.code, used: file.moduleIds }
}

/** What is loaded with the first condition, as the bundler reads it. */
function withRequire(code: string): string {
  return code
    .replace('const load = createRequire(import.meta.url);', '')
    .replaceAll(/\bload\('(?=[^']+'\))/g, "require('")
}

const modules = 'node_modules/'

/** The folders of the packages that these files are of. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => {
    const at = file.lastIndexOf(modules)
    if (at === -1) return []
    const end = at + modules.length
    return [join(file.slice(0, end), packageOf(file.slice(end)))]
  })
  return [...new Set(folders)].toSorted()
}

/** The declarations that those files need, with themselves. */
async function declarationsFrom(files: readonly string[]): Promise<ReadonlySet<string>> {
  const reached = new Set(files)
  for (const path of reached) {
    for (const name of namesIn(await readFile(path, 'utf8'))) {
      const file = declarationOf(name, path)
      if (file !== null) reached.add(file)
    }
  }
  return reached
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom ["'](?<name>[^"']+)["'];$/gm)].map(
    ({ groups }) => groups?.['name'] ?? '',
  )

const asDeclaration = (path: string): string => path.replace(/\.[jt]s$/, '.d.ts')
const zodFolder = join(root, modules, 'zod')
const adapters = join(dist, 'services/frameworks')

/** Null for what Node declares. */
function declarationOf(name: string, from: string): string | null {
  if (name.startsWith('node:')) return null
  if (name.startsWith('.')) return asDeclaration(join(dirname(from), name))
  const alias = /^#(?<layer>\w+)\/(?<rest>.+)$/.exec(name)?.groups
  if (alias !== undefined) {
    const { layer = '', rest = '' } = alias
    if (layer === 'platform') return join(dist, 'shared/core/platform', `${rest}-node.d.ts`)
    const folder = ['schemas', 'services'].includes(layer) ? layer : join('shared', layer)
    return join(dist, folder, `${rest}.d.ts`)
  }
  if (name === 'zod') return join(zodFolder, 'index.d.ts')
  // Who uses the adapter of a framework has the framework.
  if (from.startsWith(adapters) && installed.has(packageOf(name))) return null
  throw new Error(`${from}: a program that uses the types would need ${name}`)
}

/** Keeps the declarations that a program can reach, with those of zod, and no others. */
async function keepTypes(): Promise<void> {
  const entries = Object.values(manifest.exports).flatMap((one) => {
    const { types } = z.object({ types: z.string().optional() }).catch({}).parse(one)
    return types === undefined ? [] : [join(root, types)]
  })
  const reached = await declarationsFrom(entries)
  const zodAt = join(vendor, 'zod')
  for (const path of reached) {
    if (path.startsWith(zodFolder)) {
      const copy = join(zodAt, relative(zodFolder, path))
      await mkdir(dirname(copy), { recursive: true })
      await copyFile(path, copy)
      continue
    }
    const text = await readFile(path, 'utf8')
    const place = relative(dirname(path), join(zodAt, 'index.js'))
    await writeFile(path, text.replaceAll(/(?<=\bfrom |\bimport\()["']zod["']/g, `'${place}'`))
  }
  for (const path of await filesIn(dist, '.d.ts')) {
    if (!reached.has(path) && !path.startsWith(zodAt)) await rm(path)
  }
}

if (existsSync(vendor)) throw new Error('`dist` was packed already: compile it first')
const pageUsed = await layPage(join(dist, 'console'))
// A package has the page, and nothing of what bundles it.
await rm(join(dist, 'services/console/bundling.js'))
const { text: aloneText, used: aloneUsed } = await bundleAlone()
const wanted = await pointAtVendor()
const used = [...pageUsed, ...aloneUsed].filter((file) => file.includes(modules))
for (const format of ['es', 'cjs'] as const) {
  const names = [...wanted].filter(([, one]) => one === format).map(([name]) => name)
  used.push(...(await bundle(names.toSorted(), format)))
}
const tables = relative(dirname(alone), join(vendor, 'wink-lemmatizer.cjs'))
await writeFile(alone, aloneText.replaceAll(/(?<=["'`])wink-lemmatizer(?=["'`])/g, tables))
await writeFile(
  join(vendor, 'LICENSES.txt'),
  await licencesOf(foldersOf(used), join(root, 'LICENSE')),
)
await keepTypes()
