// A file as it is before a tool changes it: read only below folders that the server was given, or
// the project where the hook runs in the agent's own account. A link never leads out of them.
import { constants, open, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { contentBytesMax } from '#shell/hooks/hook-contents'

export interface FilePlace {
  readonly path: string
  readonly cwd: string | null
  /** The folders that it may lie in. */
  readonly folders: readonly string[]
}

export interface ReadFile {
  /** Where it really lies. */
  readonly real: string
  readonly text: string
}

/** Null where it is not there, lies elsewhere, is no text or is too large. It never throws. */
export async function fileBefore({ path, cwd, folders }: FilePlace): Promise<ReadFile | null> {
  if (!isAbsolute(path) && cwd === null) return null
  try {
    const real = await realpath(isAbsolute(path) ? path : join(cwd ?? '', path))
    const roots = await Promise.all(folders.map((folder) => realpath(folder)))
    if (!roots.some((root) => root !== '/' && real.startsWith(`${root}/`))) return null
    // Not to wait for a pipe, and no link that was put there meanwhile.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = await open(real, flags)
    try {
      const found = await file.stat()
      if (!found.isFile() || found.size > contentBytesMax) return null
      const bytes = await file.readFile()
      return { real, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
