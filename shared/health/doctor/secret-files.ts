// Whether the files that hold secrets are for their owner alone. It looks at their modes, and never
// into them.
import { stat } from 'node:fs/promises'
import { forOthers } from '#system/secret-file'
import { failure, ok, type DoctorFinding } from './finding.ts'

export interface SecretFile {
  readonly file: string
  /** Null where it cannot be looked at. */
  readonly mode: number | null
}

export async function secretFilesAt(
  files: readonly (string | undefined)[],
): Promise<readonly SecretFile[]> {
  const named = files.filter((file) => file !== undefined)
  return Promise.all(named.map(async (file) => ({ file, mode: await modeOf(file) })))
}

async function modeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mode & 0o777
  } catch {
    return null
  }
}

export function secretFindings(files: readonly SecretFile[]): readonly DoctorFinding[] {
  const open = files.flatMap(({ file, mode }) => {
    if (mode === null || (mode & forOthers) === 0) return []
    const found = `others may read or write it (mode ${mode.toString(8)})`
    return [failure('secrets', found, { about: file, fix: `chmod go= ${file}` })]
  })
  if (open.length > 0) return open
  const count = files.filter(({ mode }) => mode !== null).length
  return [
    ok('secrets', count === 0 ? 'no secret is in a file here' : `${count} files, all private`),
  ]
}
