// `warrant keys`: private keys beside the log.
import type { Command } from 'commander'
import { examples, type GlobalOptions } from './options.ts'

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('the keys that people and agents sign with')
  const make = keys
    .command('new')
    .description('make a key beside the log, and print its public half')
    .argument('[name]', 'whose it is', 'you')
    .action(async (name: string, _options: unknown, called: Command) => {
      const { newKeyFor } = await import('./run/keys.ts')
      process.exitCode = await newKeyFor(name, called.optsWithGlobals<GlobalOptions>())
    })
  examples(make, ['warrant keys new olga'])
  const list = keys
    .command('list')
    .description('list the keys beside the log, and to whom the catalog binds them')
    .action(async (_options: unknown, called: Command) => {
      const { listKeysHere } = await import('./run/keys.ts')
      process.exitCode = await listKeysHere(called.optsWithGlobals<GlobalOptions>())
    })
  examples(list, ['warrant keys list'])
}
