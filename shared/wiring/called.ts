// How the reader of a hint calls this program: through npm or `npx`, or by its name. Where only
// `npx` knows it, `npx warrant` would be another package of the registry.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from './environment.ts'

export interface Calling {
  /** What npm calls the way in which it was called; absent where npm did not. */
  readonly npmCommand?: string | undefined
  /** A file of this package. */
  readonly file?: string
  readonly exists?: (path: string) => boolean
}

const own = fileURLToPath(import.meta.url)
const installedIn = /^(?<folder>.*?)[\\/]node_modules[\\/](?:.*[\\/])?warrant-runtime[\\/]/

/** The command, such as `warrant` or `npx warrant`. */
export function calledBy({ npmCommand, file = own, exists = existsSync }: Calling): string {
  const { folder } = installedIn.exec(file)?.groups ?? {}
  if (folder === undefined) {
    if (npmCommand === 'npx') return 'npx warrant'
    return npmCommand === 'warrant' || npmCommand === 'demo' ? 'npm run -s warrant --' : 'warrant'
  }
  if (isOfNpxCache(file)) return 'npx warrant-runtime'
  // A project has it in its folder, and no shell finds it there; what is global has no project.
  const isOfProject = npmCommand === 'npx' || exists(`${folder}/package.json`)
  return isOfProject ? 'npx warrant' : 'warrant'
}

/** As this process was called. A hook reads no settings before it has answered. */
export function programHere(): string {
  return calledBy({ npmCommand: environment()['npm_lifecycle_event'] })
}

/** Whether only the cache of `npx` has it, which npm may empty. */
export function isOfNpxCache(file: string = own): boolean {
  return /[\\/]_npx[\\/]/.test(dirname(file))
}

/** A text of our own, whose commands can be pasted: `` `warrant log` `` as it is called here. */
export function asCalled(text: string, command: string = programHere()): string {
  return command === 'warrant' ? text : text.replaceAll(ownCommand, command)
}

const ownCommand = /(?<=[`']| {2})warrant(?= [a-z])/g
