// Makes and lists the keys of this user. Only public halves are ever printed.
import { configuration } from '#wiring/config'
import { keyIdOf } from '#record/signature'
import { Fault } from '#record/fault'
import { keyPlaces, listKeys, newKey, sealKey, type KeyFile } from '#runtime/keys/key-files'
import { holderOf, keyGiven, passphraseIn } from '#runtime/keys/keys'
import { findLog, logExists } from '#runtime/logs/log-url'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import { shellWord } from '#cli/terminal/hint'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { personHere, type Person } from '#cli/terminal/person'
import { print, printJson } from '#cli/terminal/terminal'
import { toned } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'
import { withRuntime } from '#cli/terminal/opening/opened'
import { keyAccess } from '#cli/terminal/signing'
import { jwksOf } from '#messages/warrants/jwk'

interface NewKeyOptions extends GlobalOptions {
  /** False with `--no-passphrase`. */
  readonly passphrase: boolean
}

const typedMax = 3

export async function newKeyFor(name: string, options: NewKeyOptions): Promise<number> {
  const { home } = placesFor(options)
  const passphrase = options.passphrase ? await newPassphrase() : null
  const { file, publicKey, isSealed } = await newKey(home, name, passphrase)
  if (options.json === true) {
    await printJson({ name, file, publicKey, keyId: keyIdOf(publicKey), isSealed })
    return exitCodes.yes
  }
  await print([
    toned(
      'good',
      `made ${file}, ${isSealed ? 'protected by a passphrase' : 'without a passphrase'}`,
    ),
    `  public key  ${publicKey}`,
    '',
    `To make it count, for a principal that the catalog has:`,
    `  warrant keys add ${shellWord(name)} ${publicKey}`,
    `else add it to the principals in your seed’s catalog.json, and apply that folder:`,
    `  { "id": ${JSON.stringify(name)}, "keys": [${JSON.stringify(publicKey)}] }`,
  ])
  return exitCodes.yes
}

export async function protectKey(name: string, options: GlobalOptions): Promise<number> {
  const key = await keyGiven(
    { keys: keyAccess(findLog(options.log, configuration()).folder) },
    name,
  )
  const { file } = key
  if (key.isSealed) {
    throw new Fault('key_sealed', `\`${file}\` is protected by a passphrase already`)
  }
  await sealKey(key, await newPassphrase())
  if (options.json === true) await printJson({ name: key.name, file, isSealed: true })
  else await print([toned('good', `${file} is protected by its passphrase`)])
  return exitCodes.yes
}

/** From the file that the environment names, else typed twice at the terminal. */
export async function newPassphrase(): Promise<string> {
  const given = await passphraseIn(configuration())
  if (given !== null) return given
  const person = personHere()
  if (person === null) {
    const how = 'name a file in WARRANT_KEY_PASSPHRASE_FILE, or use --no-passphrase'
    throw new Fault('no_terminal', `no one can be asked for a passphrase: ${how}`)
  }
  try {
    return await typedTwice(person)
  } finally {
    person.close()
  }
}

async function typedTwice(person: Person): Promise<string> {
  for (let tries = 0; tries < typedMax; tries += 1) {
    const first = await person.secret('a passphrase for it')
    if (first === null) throw usage('no passphrase was given: --no-passphrase makes a key without')
    if ((await person.secret('the same again')) === first) return first
    person.say(['  these are not the same'])
  }
  throw usage('no passphrase was given twice alike: no key was made')
}

export async function listKeysHere(options: GlobalOptions): Promise<number> {
  const places = placesFor(options)
  const keys = await listKeys(places)
  const place = findLog(options.log, configuration())
  const catalog = logExists(place)
    ? await withRuntime(options, { reads: true }, ({ follower }) =>
        Promise.resolve(follower.state.catalog),
      )
    : { principals: new Map() }
  const rows = keys.map(({ name, file, publicKey, isSealed, isBeside }) => {
    const principal = holderOf(catalog, publicKey)?.id ?? null
    return { name, file, publicKey, keyId: keyIdOf(publicKey), principal, isSealed, isBeside }
  })
  if (options.json === true) await printJson(rows)
  else if (rows.length === 0) await print([`no keys in ${places.home}`])
  else {
    const cells = rows.map(({ name, keyId, principal, publicKey, ...where }) => [
      name,
      principal ?? 'no one yet',
      keyId,
      publicKey,
      noteOf(where),
    ])
    await print(tableLines(['name', 'bound to', 'key', 'public key', ''], cells))
  }
  return exitCodes.yes
}

function noteOf({ isSealed, isBeside }: Pick<KeyFile, 'isSealed' | 'isBeside'>): string {
  const where = isBeside ? ', beside the log: move it' : ''
  return `${isSealed ? 'protected by a passphrase' : 'no passphrase'}${where}`
}

/** Where the keys of this user are. */
export function placesFor(options: GlobalOptions) {
  return keyPlaces(findLog(options.log, configuration()).folder, configuration())
}

// Prints the public keys that tokens of the log verify with, as RFC 7517 has them.

export async function printJwks(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const jwks = jwksOf(follower.state.catalog)
    if (options.json === true) await printJson(jwks)
    else await print(JSON.stringify(jwks, null, 2).split('\n'))
    return exitCodes.yes
  })
}
