// Which fold this is: the digest of the very files that fold, and of what they stand on. No one has
// to remember to raise it, and it must never be the same for two programs that may fold otherwise.
import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

let version: string | null | undefined

/**
 * That of this process, as it was when it was first asked; null where it cannot be known, as in a
 * program that was packed into one file.
 */
export function foldVersion(): string | null {
  if (version === undefined) version = versionOf(folders)
  return version
}

/** The version that the sources in these folders make. */
export function versionOf(sources: readonly string[]): string | null {
  const hash = createHash('sha256')
  // The characters of names are folded by the tables that Node brings along.
  hash.update(JSON.stringify([process.version, process.versions['unicode']]))
  try {
    hash.update(JSON.stringify(packageVersions(besides)))
    if (!isShipped) addDriving(hash)
    for (const folder of sources) {
      addFiles(hash, folder, sourcesIn(readdirSync(folder, { encoding: 'utf8', recursive: true })))
    }
  } catch {
    return null
  }
  return `sha256:${hash.digest('hex')}`
}

function addDriving(hash: Hash): void {
  addFiles(hash, here, sourcesIn(readdirSync(here)))
  const ending = extname(fileURLToPath(import.meta.url))
  addFiles(
    hash,
    shared,
    driving.map((name) => name + ending),
  )
}

function sourcesIn(names: readonly string[]): readonly string[] {
  const isSource = (name: string): boolean => /\.c?[jt]s$/.test(name) && !name.endsWith('.d.ts')
  return names.filter(isSource)
}

function addFiles(hash: Hash, folder: string, names: readonly string[]): void {
  if (names.length === 0) throw new Error('nothing folds here')
  for (const name of names.toSorted()) {
    const bytes = readFileSync(join(folder, name))
    hash.update(JSON.stringify([name, bytes.length]))
    hash.update(bytes)
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
