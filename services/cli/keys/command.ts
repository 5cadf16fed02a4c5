// `warrant keys`: the private keys of this user, outside of any project.
import type { Command } from 'commander'
import { examples, withSigner, type GlobalOptions } from '../opening/options.ts'
import type { IssuerOptions } from './issuer.ts'
import type { NewKeyOptions } from './run.ts'

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('the keys that people and agents sign with')
  const make = keys
    .command('new')
    .description('create a key outside the project, and print its public key')
    .argument('[name]', 'whose it is', 'you')
    .option('--no-passphrase', 'any program of this user can then sign with it')
    .action(async (name: string, _options: unknown, called: Command) => {
      const { newKeyFor } = await import('./run.ts')
      process.exitCode = await newKeyFor(name, called.optsWithGlobals<NewKeyOptions>())
    })
  examples(make, [
    'warrant keys new olga',
    'warrant keys new my-agent --no-passphrase',
    '',
    'Keys are in WARRANT_KEYS, else in the folder that the system has for configuration,',
    'such as ~/.config/warrant/keys. A passphrase is typed, or WARRANT_KEY_PASSPHRASE_FILE has it.',
  ])
  const protect = keys
    .command('protect')
    .description('protect one of your keys with a passphrase')
    .argument('[name]', 'which key', 'you')
    .action(async (name: string, _options: unknown, called: Command) => {
      const { protectKey } = await import('./run.ts')
      process.exitCode = await protectKey(name, called.optsWithGlobals<GlobalOptions>())
    })
  examples(protect, ['warrant keys protect', 'warrant keys protect olga'])
  const list = keys
    .command('list')
    .description('list the keys on this machine, and the principals they belong to')
    .action(async (_options: unknown, called: Command) => {
      const { listKeysHere } = await import('./run.ts')
      process.exitCode = await listKeysHere(called.optsWithGlobals<GlobalOptions>())
    })
  examples(list, ['warrant keys list'])
  registerTokenKeys(keys)
}

function registerTokenKeys(keys: Command): void {
  const jwks = keys
    .command('jwks')
    .description('print the public keys that tokens verify with, as a JSON Web Key Set')
    .action(async (_options: unknown, called: Command) => {
      const { printJwks } = await import('./jwks.ts')
      process.exitCode = await printJwks(called.optsWithGlobals<GlobalOptions>())
    })
  examples(jwks, ['warrant keys jwks > keys.json'])
  const issuer = withSigner(
    keys
      .command('issuer')
      .description('make a key that signs tokens, and put it into the catalog')
      .argument('[name]', 'the principal that signs with it', 'issuer')
      .option('--rotate', 'one key more for an issuer that is there')
      .option('--retire <kid>', 'take this key away: what it signed no longer verifies')
      .option('--no-passphrase', 'any program of this user can then sign with it'),
  ).action(async (name: string, _options: unknown, called: Command) => {
    const { issuerCommand } = await import('./issuer.ts')
    process.exitCode = await issuerCommand(name, called.optsWithGlobals<IssuerOptions>())
  })
  examples(issuer, [
    'warrant keys issuer gate --no-passphrase',
    'warrant keys issuer gate --rotate --no-passphrase',
    'warrant keys issuer gate --retire BvuEE0D8THbLu9r7_6GqWfcWVJy5zhCSptEqxeLg6FE',
    '',
    'To rotate, add a key, let everyone who verifies take the new set, then retire the old one.',
  ])
}
