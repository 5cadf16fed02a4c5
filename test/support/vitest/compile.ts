// Compiles the sources once before tests that start processes of their own: those run what is
// shipped, and start in a third of the time. What is compiled already is used as it is.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')
const config = join(root, 'test', 'tsconfig.json')
/** What is compiled, and what lies beside it in the package. */
const sources = [
  'schemas',
  'shared',
  'services',
  'seeds',
  'test',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'bundle-chunks.ts',
  'bundle-command.ts',
]
const daysKept = 2

/** Vitest calls it before the tests; they find the folder by `builtFile`. */
export function setup(): void {
  const cache = join(realpathSync(join(root, 'node_modules')), '.cache', 'warrant-test')
  const built = join(cache, digestOf(sources))
  if (!existsSync(built)) compile(cache, built)
  const now = Date.now() / 1_000
  utimesSync(built, now, now)
  forgetOld(cache)
  process.env['WARRANT_TEST_BUILD'] = built
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of paths) {
    const isFolder = statSync(join(root, path)).isDirectory()
    const names = isFolder
      ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).toSorted()
      : ['']
    for (const name of names) {
      const file = join(root, path, name)
      if (name.endsWith('.test.ts') || !/\.(tsx?|json|css|svg)$/.test(file)) continue
      hash.update(JSON.stringify([path, name])).update(readFileSync(file))
    }
  }
  return hash.digest('hex').slice(0, 32)
}

function compile(cache: string, kept: string): void {
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'new-'))
  // As an installed package lies: readable for every user, with its seeds.
  mkdirSync(join(made, 'package'))
  for (const name of ['package.json', 'seeds']) {
    cpSync(join(root, name), join(made, 'package', name), { recursive: true })
  }
  const compiler = join(
    dirname(createRequire(config).resolve('typescript/package.json')),
    'bin/tsc',
  )
  const words = [compiler, '-p', config, '--outDir', join(made, 'package', 'dist')]
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the sources do not compile:\n${stdout}`)
  const built = join(made, 'package')
  run('services/console/bundling.ts', 'layPage', [join(built, 'dist', 'console')])
  // What is shipped lies in a folder of its own: programs of tests ask for single modules as well.
  const shipped = join(built, 'shipped')
  run('bundle-command.ts', 'layCommand', [built, join(shipped, 'dist')])
  for (const name of ['package.json', 'seeds', 'dist/console']) {
    cpSync(join(built, name), join(shipped, name), { recursive: true })
  }
  try {
    renameSync(built, kept)
  } catch (error) {
    // Another run was quicker, with the same sources.
    if (!existsSync(kept)) throw error
  }
  rmSync(made, { recursive: true })
}

// In a process of its own, since the bundler cannot be loaded by what runs the tests.
function run(file: string, name: string, words: readonly string[]): void {
  const module = pathToFileURL(join(root, file)).href
  const program =
    'import(process.argv[1]).then((all) => all[process.argv[2]](...process.argv.slice(3)))'
  const flags = ['--conditions=warrant-source', '--import', 'tsx', '--eval', program]
  const { status, stderr } = spawnSync(process.execPath, [...flags, module, name, ...words], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${file} cannot bundle:\n${stderr}`)
}

function forgetOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const age = Date.now() - statSync(join(cache, name)).mtimeMs
    if (age > daysKept * 86_400_000) rmSync(join(cache, name), { recursive: true, force: true })
  }
}
