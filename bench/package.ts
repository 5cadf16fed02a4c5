// The package as npm installs it.
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '#record/fault'

/** Packs the package, installs it in the folder, and gives its program. */
export function installed(folder: string): string {
  const root = join(import.meta.dirname, '..')
  const npm = (words: readonly string[], cwd: string): void => {
    execFileSync('npm', words, { cwd, stdio: 'pipe' })
  }
  npm(['pack', '--silent', '--pack-destination', folder], root)
  // What was compiled for it is of no use here.
  rmSync(join(root, 'dist'), { recursive: true })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  assert(packed !== undefined, 'npm packed it')
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(['install', '--silent', '--prefer-offline', '--omit=dev', `./${packed}`], folder)
  return join(folder, 'node_modules', 'warrant-runtime', 'dist', 'services', 'cli', 'main.js')
}
