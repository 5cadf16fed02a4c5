// Which log is meant and how it is opened. An address that this version has no adapter for is
// refused, and never opened as something else.
import { dirname, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { Fault } from '#core/fault'
import type { Log } from '#ports/log'

export const logFileDefault = '.warrant/log.db'

export interface LogPlace {
  readonly url: string
  /** Where keys and callback modules of an embedded log are kept; null where it has no folder. */
  readonly folder: string | null
}

/**
 * The log that is meant: what was given, else the environment's, else the nearest folder upwards.
 */
export function findLog(given: string | undefined, environment: NodeJS.ProcessEnv): LogPlace {
  const url = given ?? environment['WARRANT_LOG']
  if (url !== undefined && url !== '') return placeOf(url)
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const file = resolve(folder, logFileDefault)
    if (existsSync(file)) return placeOf(file)
    if (dirname(folder) === folder) break
  }
  return placeOf(resolve(logFileDefault))
}

/** Whether the log of that place is there already. */
export function logExists({ url, folder }: LogPlace): boolean {
  return folder === null || existsSync(url)
}

/** Opens the log. Throws a Fault for an address that no adapter here knows. */
export async function openLog({ url, folder }: LogPlace): Promise<Log> {
  // Only the adapter that is meant is loaded: the others' drivers cost start-up time.
  if (url === 'memory:') return (await import('#adapters/log/memory')).memoryLog()
  if (folder === null) {
    const message = `no adapter for the log \`${url}\`: use a file path, \`sqlite:\` or \`memory:\``
    throw new Fault('log_unsupported', 'never', message)
  }
  return (await import('#adapters/log/sqlite')).sqliteLog(url)
}

function placeOf(url: string): LogPlace {
  if (url.startsWith('sqlite:')) return placeOf(url.slice('sqlite:'.length))
  if (url === 'memory:' || /^[a-z][a-z0-9+.-]+:\/\//.test(url)) return { url, folder: null }
  const file = resolve(url)
  return { url: file, folder: dirname(file) }
}
