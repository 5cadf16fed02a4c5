// The folder of files that a reader edits, and how one line says what to write there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { seedFileNames, seedFolderName } from '#authoring/seed-files'
import type { Hints } from '../hint.ts'

/** Where `init` puts the files; a reader who keeps them elsewhere knows better. */
export function seedHere(): string {
  return existsSync(join(seedFolderName, seedFileNames.graph)) ? seedFolderName : 'FOLDER'
}

/** `place` is within the file, such as `the principal `my-agent``. */
export function toWrite(
  written: string,
  { place, file, hints }: { readonly place: string; readonly file: string; readonly hints: Hints },
): string {
  const folder = seedHere()
  const apply = hints(`apply ${folder}`)
  return `put \`${written}\` into ${place} of ${folder}/${file}, then \`${apply}\``
}
