// `warrant catalog check`: whether imported tools are still what was approved.
import type { Command } from 'commander'
import { withEditing } from '../../editing/edit-options.ts'
import { examples, running, several } from '#cli/terminal/opening/options'

export function registerCheck(catalog: Command): void {
  const command = withEditing(
    catalog
      .command('check')
      .description('compare imported tools with what their authors say now')
      .argument('<file>', 'a `tools/list` result or an OpenAPI 3 document; - for standard input')
      .option('--suspend', 'suspend those that changed until someone has looked')
      .option('--accept <id>', 'take what the tool is now as approved; repeat for more', several),
  ).action(running(async () => (await import('./check.ts')).checkTools))
  examples(command, [
    'warrant catalog check tools.json',
    'warrant catalog check tools.json --suspend --note "they changed overnight"',
    'warrant catalog check tools.json --accept read_file',
    '',
    'Exit code 5 where a tool is not what was approved. Only a signed change accepts it.',
  ])
}
