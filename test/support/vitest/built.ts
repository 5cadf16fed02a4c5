// Where the compiled form of a source file is, for tests that start it as a process of its own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '#record/fault'

/** The folder of the compiled sources. They lie as an installed package does. */
export function builtPackage(): string {
  const folder = process.env['WARRANT_TEST_BUILD'] ?? ''
  assert(folder !== '', 'test/support/vitest/compile.ts ran before')
  return folder
}

/** The folder of the package as it is shipped: bundled, each entry where its source lies. */
export function shippedPackage(): string {
  return join(builtPackage(), 'shipped')
}

/**
 * The program of the source at this path from the root, such as `services/cli/main.ts`: that which
 * is shipped, or what is compiled of what is not.
 */
export function builtFile(path: string): string {
  const file = join('dist', path.replace(/\.ts$/, '.js'))
  const shipped = join(shippedPackage(), file)
  return existsSync(shipped) ? shipped : join(builtPackage(), file)
}
