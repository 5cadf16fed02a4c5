// The catalog file of a seed folder, as it is written and as it is read, for a command that adds to
// it what a person then applies.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { Fault } from '#record/fault'
import { seedFileNames } from '#authoring/seed-files'
import { jsonLines } from '#present/json-lines'
import { writeTexts } from '#cli/terminal/opening/file'
import { inInput, readInput } from '#cli/terminal/opening/input'

/** Throws a Fault where the folder has none, or one that is not read. */
export async function catalogIn(folder: string) {
  const path = join(folder, seedFileNames.catalog)
  if (!existsSync(path)) {
    throw new Fault(
      'seed_missing',
      `\`${folder}\` has no \`${seedFileNames.catalog}\`: make one first`,
    )
  }
  return inInput(path, async () => {
    const input = await readInput(path, () => false)
    const value = input.as === 'value' ? input.value : null
    const { file, refused } = parseCatalogFile(value)
    if (refused !== undefined) throw new Fault(refused.code, `${refused.at}: ${refused.message}`)
    const written: object = typeof value === 'object' && value !== null ? value : {}
    return { path, written, file }
  })
}

/** As they stand there, without the defaults. */
export function writtenIn(written: object, list: 'principals' | 'capabilities') {
  const there: unknown = Object.getOwnPropertyDescriptor(written, list)?.value
  const entries: readonly unknown[] = Array.isArray(there) ? there : []
  return entries
}

export function writeCatalogFile(path: string, catalog: object): Promise<void> {
  return writeTexts(path, [`${jsonLines(catalog)}\n`])
}
