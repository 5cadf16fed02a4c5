// The project’s own files, read once: everything that is written by hand or generated into the
// repository.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Files } from './source.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const skipped: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'coverage',
  '.git',
  '.warrant',
])
const read = /\.(tsx?|mjs|json|md|yml|yaml)$|^\.ci\/[\w-]+$|(^|\/)(Dockerfile|LICENSE)$/

export function readTree(): Files {
  const files = new Map<string, string>()
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(path)
      if (entry.isFile() && read.test(path)) {
        files.set(path, readFileSync(join(root, path), 'utf8'))
      }
    }
  }
  return files
}
