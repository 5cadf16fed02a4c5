// Who signs: which of the keys at hand, and for which principal of the catalog. A key under a
// passphrase is opened only for anyone who signs with it.
import type { Settings } from '#schemas/settings/settings'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Principal } from '#schemas/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { isPolicyAdmin } from '#rules/catalog/catalog-operations'
import { publicKeyOf } from '#record/crypto/private-key'
import { keyPlaces, listKeys, readKey, type KeyFile, type KeyPlaces } from './key-files.ts'
import { unsealedPem } from './key-sealing.ts'

/** Who signs, and with what. */
export interface Signer {
  readonly id: string
  /** PEM, PKCS #8. */
  readonly privateKey: string
  readonly publicKey: string
}

/** The keys at hand, and how those under a passphrase are opened. */
export interface KeyAccess {
  readonly places: KeyPlaces
  /** Throws a Fault where no one can be asked. */
  readonly passphrase: (key: KeyFile) => Promise<string>
  /** Whether a person sits at a terminal here: without one no key of `warrant dev` is used. */
  readonly isAtTerminal?: () => boolean
  /** Is called with the key that is about to be used. */
  readonly onUse?: (key: KeyFile) => void
}

export interface SignerChoice {
  readonly keys: KeyAccess
  /** A key file, or the name of a key at hand. */
  readonly key?: string | undefined
  /** The principal who is to sign. */
  readonly as?: string | undefined
  /** Bindings of keys to principals. */
  readonly catalog: Pick<Catalog, 'principals'> & Partial<Pick<Catalog, 'dev'>>
}

/** What the key of every user was called up to 0.2.0. */
export const formerName = 'you'

/** The keys of this user and those beside the log; `WARRANT_KEY_PASSPHRASE_FILE` opens them. */
export function keysAtHand(folder: string | null, settings: Settings): KeyAccess {
  return {
    places: keyPlaces(folder, settings),
    passphrase: async ({ file }) => {
      const passphrase = await passphraseIn(settings)
      if (passphrase !== null) return passphrase
      const fix = 'sign at a terminal, or name a file in WARRANT_KEY_PASSPHRASE_FILE'
      throw new Fault('key_locked', `\`${file}\` takes a passphrase: ${fix}`)
    },
  }
}

/** The first line of the file that the environment names; null where it names none. */
export async function passphraseIn({ keyPassphraseFile: file }: Settings): Promise<string | null> {
  if (file === undefined) return null
  try {
    const [line = ''] = (await readFile(file, 'utf8')).split(/\r?\n/)
    if (line !== '') return line
  } catch (cause) {
    const message = `the passphrase in \`${file}\` cannot be read`
    throw new Fault('passphrase_unreadable', message, { cause })
  }
  throw new Fault('passphrase_unreadable', `\`${file}\` begins with an empty line`)
}

/**
 * Who signs: the key that was given, else the one of that principal, else the only one or one's
 * own, of those that the catalog binds if there are any.
 */
export async function findSigner(choice: SignerChoice): Promise<Signer> {
  const { keys: access, as, catalog } = choice
  if (choice.key !== undefined) return signerOf(await keyGiven(choice, choice.key), choice)
  const keys = await keysFor(choice)
  if (as !== undefined) {
    const bound = catalog.principals.get(as)?.keys ?? []
    const found =
      keys.find(({ publicKey }) => bound.includes(publicKey)) ??
      keys.find(({ name }) => name === as)
    if (found !== undefined) return signerOf(found, choice)
    const how = `give --key FILE, or make one with \`warrant keys new ${as}\``
    throw new Fault('key_missing', `no key of \`${as}\` is here: ${how}`)
  }
  const held = keys.filter(({ publicKey }) => holderOf(catalog, publicKey) !== null)
  const { own } = access.places
  const found = ownKey(held, own) ?? ownKey(keys, own)
  if (found !== null) return signerOf(found, choice)
  const names = keys.map(({ name }) => `\`${name}\``).join(', ')
  const message =
    keys.length === 0
      ? `no key is here: make one with \`warrant keys new ${own}\`, or give --key FILE`
      : `several keys are here: give --as with one of ${names}`
  throw new Fault('key_missing', message)
}

/**
 * Who may sign change sets: the signer that was named, else which of the keys at hand is a policy
 * admin.
 */
export async function findPolicyAdmin(choice: SignerChoice): Promise<Signer> {
  const { keys: access, key: given, as, catalog } = choice
  if (given === undefined && as === undefined) {
    const keys = await keysFor(choice)
    const own = ownKey(keys, access.places.own)
    const found = [...(own === null ? [] : [own]), ...keys].find((key) => {
      const holder = holderOf(catalog, key.publicKey)
      return holder !== null && isPolicyAdmin(holder)
    })
    if (found !== undefined) return signerOf(found, choice)
    throw noPolicyAdmin(catalog, 'no key here is')
  }
  const signer = await findSigner(choice)
  const principal = catalog.principals.get(signer.id)
  const isTheirs = principal?.keys.includes(signer.publicKey) === true
  if (principal !== undefined && isTheirs && isPolicyAdmin(principal)) return signer
  throw noPolicyAdmin(catalog, `\`${signer.id}\` with that key is not`)
}

/** The key file of that path, or the key at hand of that name. */
export async function keyGiven(
  { keys: { places } }: Pick<SignerChoice, 'keys'>,
  given: string,
): Promise<KeyFile> {
  if (!isKeyName(given)) return readKey(given)
  const named = (await listKeys(places)).find(({ name }) => name === given)
  if (named !== undefined) return named
  const message = `no key \`${given}\` is here: give a file, or make it with \`warrant keys new\``
  throw new Fault('key_missing', message)
}

/** The keys at hand that could sign in that log. */
export async function keysFor({ keys, catalog }: Pick<SignerChoice, 'keys' | 'catalog'>) {
  const all = await listKeys(keys.places)
  return all.filter(({ isDev }) => !isDev || catalog.dev === true)
}

/** A file is given by a path; what is neither there nor looks like one is a name. */
function isKeyName(given: string): boolean {
  return !/[\\/]|\.pem$/.test(given) && !existsSync(given)
}

function noPolicyAdmin(catalog: SignerChoice['catalog'], who: string): Fault {
  const names = [...catalog.principals.values()].filter(isPolicyAdmin).map(({ id }) => `\`${id}\``)
  const there = names.length === 0 ? 'it has none' : `they are ${names.join(', ')}`
  const message = `${who} of a policy admin of this log (${there}): give --key FILE`
  return new Fault('no_policy_admin', message)
}

/** The key of the current user: the only one, else the one named like the user. */
function ownKey(keys: readonly KeyFile[], own: string): KeyFile | null {
  const [only] = keys
  if (keys.length === 1 && only !== undefined) return only
  const named = (name: string) => keys.find((key) => key.name === name)
  return named(own) ?? named(formerName) ?? null
}

/** To whom the catalog binds the key, or null. */
export function holderOf(
  catalog: Pick<Catalog, 'principals'>,
  publicKey: string,
): Principal | null {
  for (const principal of catalog.principals.values()) {
    if (principal.keys.includes(publicKey)) return principal
  }
  return null
}

async function signerOf(
  key: KeyFile,
  { keys, as, catalog }: Pick<SignerChoice, 'keys' | 'as' | 'catalog'>,
): Promise<Signer> {
  const { publicKey, name, isDev, file } = key
  if (isDev && catalog.dev !== true) {
    throw new Fault('key_invalid', `\`${file}\` signs in a log of \`warrant dev\`, and in no other`)
  }
  const id = as ?? holderOf(catalog, publicKey)?.id ?? name
  return { id, privateKey: await opened(key, keys), publicKey }
}

/** The private half as PEM. Throws a Fault where its passphrase is not given. */
export async function opened(key: KeyFile, access: KeyAccess): Promise<string> {
  access.onUse?.(key)
  if (key.isDev && access.isAtTerminal?.() !== true) {
    const what = `no person is at a terminal here, and nothing else signs with \`${key.file}\``
    throw new Fault('no_terminal', what)
  }
  if (!key.isSealed) return key.text
  const privateKey = unsealedPem(key.text, await access.passphrase(key))
  if (publicKeyOf(privateKey) === key.publicKey) return privateKey
  const message = `\`${key.file}\` holds another key than it says`
  throw new Fault('key_invalid', message)
}
