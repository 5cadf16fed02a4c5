// Where this package lies, from source and installed alike: its seeds are read from there.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from '#record/fault'

/** The nearest folder upwards of this file that has both `package.json` and `seeds`. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'seeds'))) return folder
    if (dirname(folder) === folder) {
      throw new Fault('package_broken', 'the package has lost its `seeds` folder')
    }
  }
}

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
  return /"version": *"([^"]+)"/.exec(text)?.[1] ?? 'unknown'
}
