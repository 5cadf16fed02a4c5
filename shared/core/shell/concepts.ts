// The concepts that a command of a shell stands for: those of every simple command in it.
import { locatePath, project, type Root } from './place.ts'
import type { ReadShell } from './syntax.ts'
import type { ShellTable } from './surroundings.ts'
import { secretSent, TooMuch } from './running.ts'
import { Walk } from './walk.ts'

export interface AskedCommand {
  readonly command: string
  /** The absolute path of the folder in which it runs, which is taken as the project's. */
  readonly cwd?: string | undefined
}

/** Sorted, each once; empty for a command that has nothing in it. */
export function conceptsOfCommand(
  { command, cwd }: AskedCommand,
  by: { readonly read: ReadShell; readonly table: ShellTable },
): readonly string[] {
  const walk = new Walk({ ...by, root: rootOf(cwd, by.table) })
  const found = new Set<string>()
  try {
    walk.whole(command)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    found.add('unparsed.command')
  }
  for (const { concepts } of walk.units) for (const one of concepts) found.add(one)
  if (secretSent(walk.units, false)) found.add('secret.send')
  if (found.size > 1) found.delete('harmless')
  return [...found].sort()
}

/** A folder that holds more than a project does not count as one. */
function rootOf(cwd: string | undefined, table: ShellTable): Root {
  if (cwd === undefined || !cwd.startsWith('/')) return null
  const { path } = locatePath(cwd, project, null)
  const isShared = path === '/' || /^\/(?:home|Users|root|tmp|var|opt|mnt)(?:\/[^/]*)?$/u.test(path)
  const isOfMany = /^\/(?:srv|media|run|snap|Volumes|private)$/u.test(path)
  const isOwn = /^\/(?:tmp|var|opt|mnt)\/[^/]+$/u.test(path)
  return (isShared && !isOwn) || isOfMany || table.isSystem(path) ? null : path
}
