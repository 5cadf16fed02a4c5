// The files of the console's page, each with its type and digest. In development they are bundled
// from the sources when they are asked for; a package has them beside its scripts.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { byCodeUnit } from '#record/canonical'
import { digestOf } from '#record/digest'

export interface PageFile {
  readonly bytes: Uint8Array
  /** What a browser takes it for. */
  readonly type: string
  readonly digest: string
}

/** By the path under which a browser asks for it; that of the page itself is `/`. */
export type PageFiles = ReadonlyMap<string, PageFile>

const types: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css; charset=utf-8'],
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['webmanifest', 'application/manifest+json'],
])

/** Where a package has them: `dist/console/`. */
const packed = fileURLToPath(new URL('../../console/', import.meta.url))
const isPacked = import.meta.url.endsWith('.js')

export async function pagesOf(): Promise<PageFiles> {
  const texts = isPacked && existsSync(packed) ? await readPacked() : await bundledNow()
  const files = new Map<string, PageFile>()
  for (const [name, bytes] of [...texts].toSorted(([a], [b]) => byCodeUnit(a, b))) {
    const type = types.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream'
    const path = name === 'index.html' ? '/' : `/${name}`
    files.set(path, { bytes, type, digest: digestOf(bytes) })
  }
  return files
}

async function bundledNow(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { bundledPage } = await import('./bundling.ts')
  return bundledPage()
}

async function readPacked(): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = await readdir(packed, { recursive: true, withFileTypes: true })
  const files = new Map<string, Uint8Array>()
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    files.set(path.slice(packed.length).replaceAll(sep, '/'), await readFile(path))
  }
  return files
}
