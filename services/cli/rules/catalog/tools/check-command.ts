// `warrant catalog check`: whether imported tools are still what was approved.
import type { Command } from 'commander'
import { withEditing } from '../../editing/edit-options.ts'
import { examples, several } from '#cli/terminal/opening/options'
import type { CheckOptions } from './check.ts'

export function registerCheck(catalog: Command): void {
  const command = withEditing(
    catalog
      .command('check')
      .description('compare imported tools with what their authors say now')
      .argument('<file>', 'a `tools/list` result or an OpenAPI 3 document; - for standard input')
      .option('--suspend', 'suspend those that changed until someone has looked')
      .option('--accept <id>', 'take what the tool is now as approved; repeat for more', several),
  ).action(async (file: string, _options: unknown, called: Command) => {
    const { checkTools } = await import('./check.ts')
    process.exitCode = await checkTools(file, called.optsWithGlobals<CheckOptions>())
  })
  examples(command, [
    'warrant catalog check tools.json',
    'warrant catalog check tools.json --suspend --note "they changed overnight"',
    'warrant catalog check tools.json --accept read_file',
    '',
    'Exit code 5 where a tool is not what was approved. Only a signed change accepts it.',
  ])
}
