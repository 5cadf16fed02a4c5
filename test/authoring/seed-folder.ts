// Seed folders for tests, and runtimes on empty logs to bring them into.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryLog } from '#log/memory/log'
import { seedFolder as seedBy, type SeedReport } from '#authoring/seed'
import type { AuthorOptions } from '#authoring/seed-author'
import { keysAtHand, type KeyAccess } from '#runtime/keys/keys'
import { startRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { endWithTest } from '../support/vitest/endings.ts'
import { testParts } from '../support/runtime.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export async function emptyRuntime(): Promise<Runtime & { readonly folder: string }> {
  const folder = await temporaryFolder()
  const parts = testParts(memoryLog(), { parts: { folder } })
  const runtime = await startRuntime(parts, [])
  endWithTest(() => runtime.stop())
  return { ...runtime, folder }
}

/** The keys of anyone who seeds that runtime: no test looks among those of its user. */
export function keysHere({ folder }: Pick<Runtime, 'folder'>): KeyAccess {
  return keysAtHand(folder, { keys: join(folder ?? '', 'own-keys'), user: 'you' })
}

export function seedFolder(
  runtime: Runtime,
  folder: string,
  options: AuthorOptions = {},
): Promise<SeedReport> {
  return seedBy(runtime, folder, { keys: keysHere(runtime), ...options })
}

export async function seedOf(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, name), text)
  }
  return folder
}

export const file = {
  name: 'file',
  depths: [{ level: 0 }, { level: 1, properties: { is: 'a text' } }],
}
export const erase = (policies: unknown[]) => ({
  name: 'erase',
  depths: [
    { level: 0 },
    {
      level: 1,
      properties: { is: 'an end' },
      relata: [{ type: 'APPLIES_TO', target: 'file', targetDepth: 1, policies }],
    },
  ],
})
export const eraser = { id: 'eraser', safetyClass: 'WRITE', concepts: ['erase', 'file'] }
export const graph = (...primitives: unknown[]) => ({ primitives })
