// The concepts that a command of a shell stands for: those of every simple command in it.
import { standing } from './place.ts'
import type { ReadShell } from './syntax.ts'
import type { ShellTable } from './surroundings.ts'
import { secretSent } from './running.ts'
import { TooMuch } from './scope.ts'
import { Walk } from './walk.ts'

export interface AskedCommand {
  readonly command: string
  /** The absolute path of the folder in which it runs. */
  readonly cwd?: string | undefined
  /** The absolute path of the project's folder; the one in which it runs where that is absent. */
  readonly root?: string | undefined
}

/** Sorted, each once; empty for a command that has nothing in it. */
export function conceptsOfCommand(
  { command, cwd, root }: AskedCommand,
  by: { readonly read: ReadShell; readonly table: ShellTable },
): readonly string[] {
  const walk = new Walk({ ...by, ...standing({ cwd, root }, by.table.isSystem) })
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
