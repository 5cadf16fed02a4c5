// Which fold this is: the digest of the very files that fold, and of what they stand on. No one has
// to remember to raise it, and it must never be the same for two programs that may fold otherwise.
import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { parseJson } from '#record/json'

/** What the core, the schemas and the check of callback modules are written with. */
export const foldPackages = [
  '@bufbuild/cel',
  '@bufbuild/protobuf',
  '@bufbuild/re2',
  '@noble/curves',
  '@noble/hashes',
  '@swc/wasm-typescript',
  'acorn',
  'ajv',
  'ajv-formats',
  'lru-cache',
  'wink-lemmatizer',
  'zod',
] as const

const here = fileURLToPath(new URL('./', import.meta.url))
/** In what is shipped most of them are part of the files that fold, and so is this one. */
const chunks = join(here, '../../../chunks')
const isShipped = import.meta.dirname === chunks
const besides = isShipped ? (['@swc/wasm-typescript'] as const) : foldPackages
const shared = join(here, '../..')
/** The packages that fold, and those that they stand on. */
export const foldingPackages = [
  'record',
  'conditions',
  'knowledge',
  'firewall',
  'rules',
  'work',
  'messages',
  'state',
  'stages',
] as const
const folders = isShipped
  ? [chunks]
  : [...foldingPackages.map((name) => join(shared, name)), join(shared, '../schemas')]
/** What says where a fold begins, and what folds. */
const driving = ['replay/eras/beginning', 'runtime/engine/follower']

let begun: string | null | undefined
let version: string | null | undefined

/**
 * Sees which files fold, before anything is folded: the program may be replaced on the disk while
 * it runs. Reading them can then wait until a snapshot is read or written, which is seldom.
 */
export function beginFold(): void {
  begun ??= stampsOf(folders)
}

/**
 * That of this process, as it began; null where it cannot be known, as in a program that was packed
 * into one file, or one whose files are no more those that it began with.
 */
export function foldVersion(): string | null {
  beginFold()
  if (version === undefined) {
    const found = versionOf(folders)
    const isAsBegun = begun !== null && begun === stampsOf(folders)
    version = isAsBegun ? found : null
  }
  return version
}

/** Other stamps for other files; null where none can be found. */
export function stampsOf(sources: readonly string[]): string | null {
  try {
    const stamps = filesIn(sources).map(([folder, name]) => {
      const { ino, size, ctimeNs } = statSync(join(folder, name), { bigint: true })
      return `${name} ${ino} ${size} ${ctimeNs}`
    })
    return stamps.join('\n')
  } catch {
    return null
  }
}

/** The version that the sources in these folders make. */
export function versionOf(sources: readonly string[]): string | null {
  const hash = createHash('sha256')
  // The characters of names are folded by the tables that Node brings along.
  hash.update(JSON.stringify([process.version, process.versions['unicode']]))
  try {
    hash.update(JSON.stringify(packageVersions(besides)))
    for (const [folder, name] of filesIn(sources)) addFile(hash, folder, name)
  } catch {
    return null
  }
  return `sha256:${hash.digest('hex')}`
}

type Source = readonly [folder: string, name: string]

/** All that the version is taken of, in one order. */
function filesIn(sources: readonly string[]): readonly Source[] {
  const files: Source[] = isShipped ? [] : [...drivingFiles()]
  for (const folder of sources) {
    const names = sourcesIn(readdirSync(folder, { encoding: 'utf8', recursive: true }))
    files.push(...sorted(folder, names))
  }
  return files
}

function drivingFiles(): readonly Source[] {
  const ending = extname(fileURLToPath(import.meta.url))
  const names = driving.map((name) => name + ending)
  return [...sorted(here, sourcesIn(readdirSync(here))), ...sorted(shared, names)]
}

function sorted(folder: string, names: readonly string[]): readonly Source[] {
  if (names.length === 0) throw new Error('nothing folds here')
  return names.toSorted().map((name) => [folder, name])
}

function sourcesIn(names: readonly string[]): readonly string[] {
  const isSource = (name: string): boolean => /\.c?[jt]s$/.test(name) && !name.endsWith('.d.ts')
  return names.filter(isSource)
}

// In pieces of one buffer: whole files would be megabytes of garbage in a start.
const piece = Buffer.allocUnsafeSlow(64 * 1024)

function addFile(hash: Hash, folder: string, name: string): void {
  const file = openSync(join(folder, name), 'r')
  try {
    hash.update(JSON.stringify([name, fstatSync(file).size]))
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      hash.update(piece.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

const Package = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
})

const packagesMax = 256

/** Name and version of each package and of all that it stands on, in one order everywhere. */
export function packageVersions(names: readonly string[]): readonly (readonly [string, string])[] {
  const found = new Map<string, readonly [string, string]>()
  const wanted = names.map((name) => ({ name, from: here }))
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    const folder = folderOf(next.name, next.from)
    if (found.has(folder)) continue
    if (found.size === packagesMax) throw new Error('too many packages')
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const { version: own, dependencies } = Package.parse(parseJson(text))
    found.set(folder, [next.name, own])
    for (const name of Object.keys(dependencies)) wanted.push({ name, from: `${folder}/` })
  }
  return [...found.values()].toSorted(([a, va], [b, vb]) => (`${a} ${va}` < `${b} ${vb}` ? -1 : 1))
}

// A package need not export its own description, so it is looked for where Node would.
function folderOf(name: string, from: string): string {
  const modules = createRequire(from)
    .resolve.paths(name)
    ?.find((folder) => existsSync(join(folder, name, 'package.json')))
  if (modules === undefined) throw new Error(`no package \`${name}\` is here`)
  return join(modules, name)
}
