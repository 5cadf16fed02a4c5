// The command line as a table: each command, what it does by itself, and what it takes.
import type { Command } from 'commander'
import { buildProgram } from '#cli/program'

export interface NamedCommand {
  /** Its words after `warrant`. */
  readonly path: readonly string[]
  readonly command: Command
}

export async function allCommands(): Promise<readonly NamedCommand[]> {
  return below(await buildProgram(), [])
}

function below(command: Command, above: readonly string[]): readonly NamedCommand[] {
  return command.commands.flatMap((one) => {
    const path = [...above, one.name()]
    return [{ path, command: one }, ...below(one, path)]
  })
}

/** Files by the first word of a command, each with blocks in the order of the table. */
export function byFirstWord(
  blocks: readonly (readonly [path: readonly string[], text: string])[],
): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const [[first = 'warrant'], text] of blocks) {
    const name = `${first}.txt`
    files.set(name, `${files.get(name) ?? ''}${text}`)
  }
  return files
}
