// Callback modules beside an embedded log, each under its digest: every version that ever decided
// is kept, so that a replay finds it.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import type { Runtime } from '#runtime/engine/runtime'

/** Keeps the module and returns its digest. */
export async function keepModule(folder: string, source: string): Promise<string> {
  const digest = digestOf(source)
  await mkdir(join(folder, 'callbacks'), { recursive: true })
  await writeFile(fileOf(folder, digest), source)
  return digest
}

/** The module of that digest, or null where it is not here. Throws a Fault if it was changed. */
export async function loadModule(folder: string, digest: string): Promise<string | null> {
  let source: string
  try {
    source = await readFile(fileOf(folder, digest), 'utf8')
  } catch {
    return null
  }
  if (digestOf(source) === digest) return source
  const message = `the callback module ${digest} was changed after it was pinned`
  throw new Fault('callbacks_changed', message)
}

function fileOf(folder: string, digest: string): string {
  return join(folder, 'callbacks', `${digest.replace('sha256:', '')}.ts`)
}

/**
 * What the module that the log pins exports; null where it pins none that is here. It reads the
 * module's text and never runs it.
 */
export async function pinnedNames({
  folder,
  follower,
}: Pick<Runtime, 'folder' | 'follower'>): Promise<readonly string[] | null> {
  const { callbacks } = follower.state.catalog
  if (folder === null || callbacks === null) return null
  const source = await loadModule(folder, callbacks)
  if (source === null) return null
  const { exportedNames } = await import('#runtime/callbacks/module')
  return exportedNames(source)
}
