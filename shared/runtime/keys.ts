// Private keys beside an embedded log, one file each, for their owner's eyes alone. Nothing here
// ever prints or returns a private half to anything but what signs with it.
import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { Principal } from '#schemas/catalog'
import type { Catalog } from '#core/catalog/catalog'
import { Fault } from '#core/fault'
import { isPolicyAdmin } from '#core/seed/catalog-difference'
import { publicKeyOf } from '#core/signature'

export interface LocalKey {
  /** The file's name without its ending; the principal's id, unless the catalog says otherwise. */
  readonly name: string
  readonly file: string
  /** PEM, PKCS #8. */
  readonly privateKey: string
  readonly publicKey: string
}

/** Who signs, and with what. */
export interface Signer {
  readonly id: string
  readonly privateKey: string
  readonly publicKey: string
}

export interface SignerChoice {
  /** Where the log is kept; null where it has no folder. */
  readonly folder: string | null
  /** A key file that is not beside the log. */
  readonly keyFile?: string | undefined
  /** The principal who is to sign. */
  readonly as?: string | undefined
  /** Bindings of keys to principals. */
  readonly catalog: Pick<Catalog, 'principals'>
}

/** Who signs where nobody says, beside the name that the system has for its user. */
export const localName = 'you'

const keysMax = 1_000
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/

export function keysFolder(folder: string): string {
  return join(folder, 'keys')
}

/**
 * Makes a key and writes it where only its owner can read it. Throws a Fault if one is there
 * already.
 */
export async function newKey(folder: string, name: string): Promise<LocalKey> {
  if (!namePattern.test(name)) {
    const message = `\`${name}\` can not name a key: use letters, digits and . _ @ + -`
    throw new Fault('key_name_invalid', 'never', message)
  }
  const home = keysFolder(folder)
  await mkdir(home, { recursive: true, mode: 0o700 })
  // A folder that was there already keeps its mode, and a key in a repository is no secret any
  // more.
  await chmod(home, 0o700)
  await writeFile(join(home, '.gitignore'), '*\n')
  const file = join(home, `${name}.pem`)
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  try {
    await writeFile(file, pem, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if (!isCode(cause, 'EEXIST')) throw unreadable(file, cause)
    throw new Fault('key_exists', 'never', `\`${file}\` is there already: give another name`)
  }
  return { name, file, privateKey: pem, publicKey: publicKeyOf(pem) }
}

/** The keys beside the log, by name. */
export async function listKeys(folder: string | null): Promise<readonly LocalKey[]> {
  if (folder === null) return []
  const home = keysFolder(folder)
  let names: string[]
  try {
    names = await readdir(home)
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return []
    throw unreadable(home, cause)
  }
  const files = names.filter((name) => name.endsWith('.pem')).slice(0, keysMax)
  return Promise.all(files.toSorted().map((name) => readKey(join(home, name))))
}

/** Reads one key file. Throws a Fault that never repeats what is in it. */
export async function readKey(file: string): Promise<LocalKey> {
  let privateKey: string
  try {
    privateKey = await readFile(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause)
  }
  try {
    const publicKey = publicKeyOf(privateKey)
    if (publicKey === 'ed25519:') throw new Error('no key of that kind')
    return { name: basename(file).replace(/\.pem$/, ''), file, privateKey, publicKey }
  } catch {
    const message = `\`${file}\` holds no Ed25519 key in PEM: make one with \`warrant keys new\``
    throw new Fault('key_invalid', 'never', message)
  }
}

/**
 * Who signs: the key that was given, else the one of that principal, else the only one or one's
 * own.
 */
export async function findSigner(choice: SignerChoice): Promise<Signer> {
  const { folder, keyFile, as, catalog } = choice
  if (keyFile !== undefined) return signerOf(await readKey(keyFile), as, catalog)
  const keys = await listKeys(folder)
  if (as !== undefined) {
    const bound = catalog.principals.get(as)?.keys ?? []
    const found =
      keys.find(({ publicKey }) => bound.includes(publicKey)) ??
      keys.find(({ name }) => name === as)
    if (found !== undefined) return signerOf(found, as, catalog)
    const how = `give --key FILE, or make one with \`warrant keys new ${as}\``
    const message = `no key of \`${as}\` is here: ${how}`
    throw new Fault('key_missing', 'never', message)
  }
  const found = ownKey(keys)
  if (found !== null) return signerOf(found, undefined, catalog)
  const message =
    keys.length === 0
      ? `no key is here: make one with \`warrant keys new ${localName}\`, or give --key FILE`
      : `there are keys of ${keys.map(({ name }) => `\`${name}\``).join(', ')}: say --as which`
  throw new Fault('key_missing', 'never', message)
}

/**
 * Who may sign change sets: the signer that was named, else whoever of the local keys is an
 * policy admin.
 */
export async function findPolicyAdmin(choice: SignerChoice): Promise<Signer> {
  const { folder, keyFile, as, catalog } = choice
  if (keyFile === undefined && as === undefined) {
    const keys = await listKeys(folder)
    const own = ownKey(keys)
    const found = [...(own === null ? [] : [own]), ...keys].find((key) => {
      const holder = holderOf(catalog, key.publicKey)
      return holder !== null && isPolicyAdmin(holder)
    })
    if (found !== undefined) return signerOf(found, undefined, catalog)
    throw noPolicyAdmin(catalog, 'no key here is')
  }
  const signer = await findSigner(choice)
  const principal = catalog.principals.get(signer.id)
  const isTheirs = principal?.keys.includes(signer.publicKey) === true
  if (principal !== undefined && isTheirs && isPolicyAdmin(principal)) return signer
  throw noPolicyAdmin(catalog, `\`${signer.id}\` with that key is not`)
}

function noPolicyAdmin(catalog: SignerChoice['catalog'], who: string): Fault {
  const names = [...catalog.principals.values()].filter(isPolicyAdmin).map(({ id }) => `\`${id}\``)
  const there = names.length === 0 ? 'it has none' : `they are ${names.join(', ')}`
  const message = `${who} of a policy admin of this log (${there}): give --key FILE`
  return new Fault('no_policy_admin', 'never', message)
}

/** The key of whoever sits here: the only one, else the one named like the user, else `you`. */
function ownKey(keys: readonly LocalKey[]): LocalKey | null {
  const [only] = keys
  if (keys.length === 1 && only !== undefined) return only
  const named = (name: string) => keys.find((key) => key.name === name)
  return named(userName()) ?? named(localName) ?? null
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

function signerOf(key: LocalKey, as: string | undefined, catalog: SignerChoice['catalog']): Signer {
  const { privateKey, publicKey, name } = key
  return { id: as ?? holderOf(catalog, publicKey)?.id ?? name, privateKey, publicKey }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the system's list has no name.
    return localName
  }
}

function unreadable(path: string, cause: unknown): Fault {
  const why = cause instanceof Error ? cause.message : 'it can not be read'
  return new Fault('key_unreadable', 'never', `\`${path}\`: ${why}`, { cause })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
