// A folder for what outlives a test file and ends with the process that runs it, such as a server
// that many files use: a process of tests is ended by a signal and cannot tidy up.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const name = 'WARRANT_TEST_FOLDER'

/** Vitest calls it before the tests, and what it returns after them. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-run-'))
  process.env[name] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** The folder of this run. */
export function runFolder(): string {
  return process.env[name] ?? tmpdir()
}
