// `warrant seed`: applies a folder of files that people write to the log.
import type { Command } from 'commander'
import { examples, withSigner } from '../opening/options.ts'
import type { SeedOptions } from './run.ts'

export function registerSeed(program: Command): void {
  const command = withSigner(
    program
      .command('seed')
      .description('apply graph.json, catalog.json and callbacks.ts of a folder to the log')
      .argument('<folder>', 'the folder with the files')
      .option('--dry-run', 'show what would change, and change nothing'),
  ).action(async (folder: string, _options: unknown, called: Command) => {
    const { seed } = await import('./run.ts')
    process.exitCode = await seed(folder, called.optsWithGlobals<SeedOptions>())
  })
  examples(command, [
    'warrant seed warrant',
    'warrant seed warrant --dry-run',
    '',
    'What is new is added, what differs is replaced, what only the log has stays.',
    'The first catalog of a log needs a policy admin: if the file has none, your key is added.',
  ])
}
