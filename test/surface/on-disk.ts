// What is recorded, on disk: read to be compared, and written where `npm run surface -- --write`
// asks for it. What is frozen is written once.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const here = import.meta.dirname
/** `write`: record again; `first`: only what was never recorded, for lack of a CHANGELOG line. */
const mode = process.env['WARRANT_SURFACE'] ?? 'compare'

export const howToRecord =
  'what a stranger can see has changed. Under `frozen/` that is a defect. Under `ours/` it needs ' +
  'a line in CHANGELOG.md, in the same commit as `npm run surface -- --write`'

export function recorded(folder: string): ReadonlyMap<string, string> {
  const at = join(here, folder)
  if (!existsSync(at)) return new Map()
  const names = readdirSync(at).toSorted()
  return new Map(names.map((name) => [name, readFileSync(join(at, name), 'utf8')]))
}

/** The folders of `frozen` and `ours` that hold something. */
export function recordedFolders(): readonly string[] {
  return ['frozen', 'ours'].flatMap((kind) => {
    const at = join(here, kind)
    return existsSync(at) ? readdirSync(at).map((name) => `${kind}/${name}`) : []
  })
}

/** Writes what differs from what is there, as far as that may be written. */
export function keep(folder: string, files: ReadonlyMap<string, string>): void {
  if (mode === 'compare') return
  const before = recorded(folder)
  const isOnce = folder.startsWith('frozen/') || mode === 'first'
  for (const [name, text] of files) {
    const path = join(here, folder, name)
    if (before.get(name) === text || (isOnce && before.has(name))) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  if (isOnce) return
  for (const name of before.keys()) if (!files.has(name)) rmSync(join(here, folder, name))
}
