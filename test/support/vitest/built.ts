// Where the compiled form of a source file is, for tests that start it as a process of its own.
import { join } from 'node:path'
import { assert } from '#core/kernel/fault'

/** The folder of the compiled package. It lies as an installed one does. */
export function builtPackage(): string {
  const folder = process.env['WARRANT_TEST_BUILD'] ?? ''
  assert(folder !== '', 'test/support/vitest/compile.ts ran before')
  return folder
}

/** The compiled form of the source at this path from the root, such as `services/cli/main.ts`. */
export function builtFile(path: string): string {
  return join(builtPackage(), 'dist', path.replace(/\.ts$/, '.js'))
}
