// `warrant keys`: the private keys of this user, outside of any project.
import type { Command } from 'commander'
import { examples, running, withSigner } from '#cli/terminal/opening/options'
import type { BindOptions } from './bind.ts'

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('the keys that people and agents sign with')
  const make = keys
    .command('new')
    .description('create a key outside the project, and print its public key')
    .argument('[name]', 'whose it is', 'you')
    .option('--no-passphrase', 'any program of this user can then sign with it')
    .action(running(async () => (await import('./run.ts')).newKeyFor))
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
    .action(running(async () => (await import('./run.ts')).protectKey))
  examples(protect, ['warrant keys protect', 'warrant keys protect olga'])
  const list = keys
    .command('list')
    .description('list the keys on this machine, and the principals they belong to')
    .action(running(async () => (await import('./run.ts')).listKeysHere))
  examples(list, ['warrant keys list'])
  registerBinding(keys)
  registerTokenKeys(keys)
}

function registerBinding(keys: Command): void {
  const add = withSigner(
    keys
      .command('add')
      .description('let a principal sign with one key more')
      .argument('<principal>', 'an entry of the catalog')
      .argument('<key>', 'the public key, as `warrant keys new` prints it')
      .option('--retire <key>', 'take that key away in the same change: a rotation'),
  ).action(async (id: string, key: string, _options: unknown, called: Command) => {
    const { changeKeys } = await import('./bind.ts')
    const options = called.optsWithGlobals<BindOptions & { readonly retire?: string }>()
    const { retire = null } = options
    process.exitCode = await changeKeys(id, { add: key, retire }, options)
  })
  examples(add, [
    'warrant keys add olga ed25519:BvuEE0D8THbLu9r7_6GqWfcWVJy5zhCSptEqxeLg6FE',
    'warrant keys add olga ed25519:… --retire ed25519:…',
  ])
  const retire = withSigner(
    keys
      .command('retire')
      .description('take a key from a principal: what it signs from then on does not count')
      .argument('<principal>', 'an entry of the catalog')
      .argument('<key>', 'the public key, its id as `list` prints it, or its kid as `jwks` does'),
  ).action(async (id: string, key: string, _options: unknown, called: Command) => {
    const { changeKeys } = await import('./bind.ts')
    const options = called.optsWithGlobals<BindOptions>()
    process.exitCode = await changeKeys(id, { add: null, retire: key }, options)
  })
  examples(retire, [
    'warrant keys retire olga ed25519:BvuEE0D8THbLu9r7_6GqWfcWVJy5zhCSptEqxeLg6FE',
    'warrant keys retire gate BvuEE0D8THbLu9r7_6GqWfcWVJy5zhCSptEqxeLg6FE',
    '',
    'What an issuer’s key has signed no longer verifies either.',
  ])
}

function registerTokenKeys(keys: Command): void {
  const jwks = keys
    .command('jwks')
    .description('print the public keys that tokens verify with, as a JSON Web Key Set')
    .action(running(async () => (await import('./run.ts')).printJwks))
  examples(jwks, ['warrant keys jwks > keys.json'])
  const issuer = withSigner(
    keys
      .command('issuer')
      .description('make a key that signs tokens, and put it into the catalog')
      .argument('[name]', 'the principal that signs with it', 'issuer')
      .option('--rotate', 'one key more for an issuer that is there')
      .option('--no-passphrase', 'any program of this user can then sign with it'),
  ).action(running(async () => (await import('./bind.ts')).issuerCommand))
  examples(issuer, [
    'warrant keys issuer gate --no-passphrase',
    'warrant keys issuer gate --rotate --no-passphrase',
    '',
    'To rotate, add a key, let everyone who verifies take the new set, then retire the old one',
    'with `warrant keys retire`.',
  ])
}
