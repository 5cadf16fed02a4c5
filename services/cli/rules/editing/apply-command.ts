// `apply` of the graph and of the catalog: operations of a file as one signed change set.
import type { Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'
import { withEditing, type EditOptions } from './edit-options.ts'

/** `load` gives what applies them, and answers with an exit code. */
export function registerApplying(
  noun: Command,
  load: () => Promise<(file: string, options: EditOptions) => Promise<number>>,
  shown: readonly string[],
): void {
  const command = withEditing(
    noun
      .command('apply')
      .description('apply operations as one change set: all of them or none')
      .argument(
        '<file>',
        'a JSON array, one operation per line, or the output of diff; - for standard input',
      ),
  ).action(running(load))
  examples(command, shown)
}
