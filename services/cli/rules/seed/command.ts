// `warrant seed`: the older name of `warrant apply FOLDER`.
import type { Command } from 'commander'
import { examples, withSigner } from '#cli/terminal/opening/options'
import type { ApplyOptions } from '../plan/apply.ts'

export function registerSeed(program: Command): void {
  const command = withSigner(
    program
      .command('seed')
      .description('apply a folder to the log: `warrant apply`, without a preview')
      .argument('<folder>', 'the folder with the files')
      .option('--dry-run', 'show what would change, and change nothing'),
  ).action(async (folder: string, _options: unknown, called: Command) => {
    const { apply } = await import('../plan/apply.ts')
    const options = called.optsWithGlobals<Omit<ApplyOptions, 'last'>>()
    process.exitCode = await apply(folder, { ...options, last: 0 })
  })
  examples(command, [
    'warrant seed warrant',
    'warrant seed warrant --dry-run',
    '',
    'What is new is added, what differs is changed, what only the log has stays.',
    'The first catalog of a log needs a policy admin: if the file has none, your key is added.',
  ])
}
