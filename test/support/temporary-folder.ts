// Folders for tests that are gone when the tests of a file are over.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

afterAll(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
})

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-test-'))
  made.push(folder)
  return folder
}
