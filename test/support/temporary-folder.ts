// Folders for tests that are gone when the tests of a file are over.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithFile } from './vitest/endings.ts'

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-test-'))
  endWithFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}
