// The types of what is shipped: the declarations that a program can reach through `exports` lie
// beside the scripts, with those of zod, and no others do.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { installedWith, manifestOf } from './bundle-command.ts'

const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')
const manifest = await manifestOf(root)
const isInstalled = installedWith(manifest)

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
const zodFolder = join(root, 'node_modules/zod')
const adapters = join(dist, 'services/frameworks')

/** Null for what Node declares. */
function declarationOf(name: string, from: string): string | null {
  if (name.startsWith('node:')) return null
  if (name.startsWith('.')) return asDeclaration(join(dirname(from), name))
  const alias = /^(?<front>#[\w-]+\/)(?<rest>.+)$/.exec(name)?.groups
  if (alias !== undefined) {
    const { front = '', rest = '' } = alias
    const found = manifest.imports[`${front}*`]
    if (found === undefined) throw new Error(`${from}: package.json has no \`${front}*\``)
    return asDeclaration(join(root, found.default.replace('*', rest)))
  }
  if (name === 'zod') return join(zodFolder, 'index.d.ts')
  // Who uses the adapter of a framework has the framework.
  if (from.startsWith(adapters) && isInstalled(name)) return null
  throw new Error(`${from}: a program that uses the types would need ${name}`)
}

/** Keeps the declarations that a program can reach, with those of zod, and no others. */
export async function keepTypes(): Promise<void> {
  const entries = Object.values(manifest.exports).flatMap((one) => {
    const { types } = z.object({ types: z.string().optional() }).catch({}).parse(one)
    return types === undefined ? [] : [join(root, types)]
  })
  const reached = await declarationsFrom(entries)
  const zodAt = join(dist, 'zod')
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
  for (const name of await readdir(dist, { recursive: true })) {
    const path = join(dist, name)
    const isNeeded = reached.has(path) || path.startsWith(zodAt)
    if (name.endsWith('.d.ts') && !isNeeded) await rm(path)
  }
}
