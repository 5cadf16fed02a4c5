// Private keys of people and agents, one file each, for their owner's eyes alone and outside of any
// project. Nothing here ever prints a private half or a passphrase.
import { withoutEnd } from '#record/reading/text-end'
import type { Settings } from '#schemas/settings/settings'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir, platform, userInfo } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileProblem, hasCode } from '#system/file-problem'
import { Fault } from '#record/fault'
import { publicKeyOf } from '#record/crypto/private-key'
import { isSealed, sealedPem } from './key-sealing.ts'

/** Where keys are looked for. */
export interface KeyPlaces {
  /** The folder of this user's keys. */
  readonly home: string
  /** Where keys lay until 0.1.0: still found, and never written to. Null for a log in memory. */
  readonly beside: string | null
  /** The user's own id where no one says another: it names their key, and them in a new log. */
  readonly own: string
}

export interface KeyFile {
  /** The file's name without its ending; the principal's id, unless the catalog says otherwise. */
  readonly name: string
  readonly file: string
  readonly publicKey: string
  /** Whether it takes a passphrase. */
  readonly isSealed: boolean
  /** Whether it lies beside the log, where whatever works there can read it. */
  readonly isBeside: boolean
  /** Whether it began a log of `warrant dev`: it signs in such a log alone. */
  readonly isDev: boolean
  /** As it is in the file, from where the key begins. */
  readonly text: string
}

const keysMax = 1_000
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/
/** Stands before the key, where PEM lets words stand. */
const devMark = 'For one log of `warrant dev`, and worthless in any other.\n'
const publicPattern = /^(ed25519:[A-Za-z0-9_-]{43})$/m

/** `WARRANT_KEYS`, else the folder that the system has for what a user configures. */
export function keyPlaces(folder: string | null, settings: Settings): KeyPlaces {
  const { keys, user } = settings
  const home = keys === undefined ? homeOf(settings) : resolve(keys)
  const own = idFrom(user ?? systemName())
  return { home, beside: folder === null ? null : keysBeside(folder), own }
}

const ownDefault = 'owner'
const ownCharactersMax = 40

/** A log is shown to others, and keeps it for ever: an id, and nothing that could be an address. */
export function idFrom(name: string): string {
  const [local = ''] = name.split('@')
  const plain = local.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const id = plain.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, ownCharactersMax)
  return withoutEnd(id.replace(/^-+/, ''), /-/) || ownDefault
}

function systemName(): string {
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the system's list has no name.
    return ownDefault
  }
}

function homeOf({ configHome, appData }: Settings): string {
  if (configHome !== undefined) return join(resolve(configHome), 'warrant', 'keys')
  if (platform() === 'win32') {
    const data = appData ?? join(homedir(), 'AppData', 'Roaming')
    return join(data, 'warrant', 'keys')
  }
  if (platform() === 'darwin') {
    return join(homedir(), 'Library', 'Application Support', 'warrant', 'keys')
  }
  return join(homedir(), '.config', 'warrant', 'keys')
}

/** Where keys lay until 0.1.0. */
/** The key of an era keeper: apart from those of people, with which it has nothing in common. */
export function keeperKeyFile(folder: string | null): string | null {
  return folder === null ? null : join(folder, 'keeper', 'era-keeper.pem')
}

export function keysBeside(folder: string): string {
  return join(folder, 'keys')
}

export function canNameKey(name: string): boolean {
  return namePattern.test(name)
}

/**
 * Makes a key and writes it where only its owner can read it; sealed if there is a passphrase.
 * Throws a Fault if one is there already.
 */
export async function newKey(
  home: string,
  name: string,
  passphrase: string | null,
  isDev = false,
): Promise<KeyFile> {
  if (!canNameKey(name)) {
    const message = `\`${name}\` cannot name a key: use letters, digits and . _ @ + -`
    throw new Fault('key_name_invalid', message)
  }
  await mkdir(home, { recursive: true, mode: 0o700 })
  // A folder that was there already keeps its mode.
  await chmod(home, 0o700)
  const file = join(home, `${name}.pem`)
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = publicKeyOf(pem)
  const text = passphrase === null ? pem : sealedText(pem, publicKey, passphrase)
  try {
    await writeFile(file, isDev ? devMark + text : text, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if (!hasCode(cause, 'EEXIST')) throw unreadable(file, cause)
    throw new Fault('key_exists', `\`${file}\` is there already: give another name`)
  }
  return { name, file, publicKey, isSealed: passphrase !== null, isBeside: false, isDev, text }
}

// The public half stands before it, where PEM lets words stand: so keys are found without a
// passphrase.
function sealedText(pem: string, publicKey: string, passphrase: string): string {
  return `${publicKey}\n${sealedPem(pem, passphrase)}`
}

/** Puts the key under a passphrase, in the same file. */
export async function sealKey(
  { file, text, publicKey }: KeyFile,
  passphrase: string,
): Promise<void> {
  const half = `${file}.new`
  const sealed = sealedText(text, publicKey, passphrase)
  await writeFile(half, sealed, { flag: 'wx', mode: 0o600 })
  await rename(half, file)
}

/** The keys of those places, by name, those of the user first. */
export async function listKeys({ home, beside }: KeyPlaces): Promise<readonly KeyFile[]> {
  const own = await keysIn(home)
  const others = beside === null || beside === home ? [] : await keysIn(beside)
  const known = new Set(own.map(({ publicKey }) => publicKey))
  const more = others.filter(({ publicKey }) => !known.has(publicKey))
  return [...own, ...more.map((key) => ({ ...key, isBeside: true }))]
}

/** Those of them that this process can read, whatever else lies there. */
export async function readableKeys({ home, beside }: KeyPlaces): Promise<readonly KeyFile[]> {
  const folders = beside === null ? [home] : [home, beside]
  const found = await Promise.all(
    folders.map(async (folder) => {
      const files = await filesIn(folder).catch(() => [])
      return Promise.all(files.map((file) => readKey(file).catch(() => null)))
    }),
  )
  return found.flat().filter((key) => key !== null)
}

async function keysIn(folder: string): Promise<readonly KeyFile[]> {
  return Promise.all((await filesIn(folder)).map(readKey))
}

async function filesIn(folder: string): Promise<readonly string[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return []
    throw unreadable(folder, cause)
  }
  const files = names.filter((name) => name.endsWith('.pem')).slice(0, keysMax)
  return files.toSorted().map((name) => join(folder, name))
}

/** Reads one key file. Throws a Fault that never repeats what is in it. */
export async function readKey(file: string): Promise<KeyFile> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause)
  }
  const isDev = text.startsWith(devMark)
  if (isDev) text = text.slice(devMark.length)
  const name = basename(file).replace(/\.pem$/, '')
  if (isSealed(text)) {
    const publicKey = publicPattern.exec(text)?.[1]
    if (publicKey !== undefined) {
      return { name, file, publicKey, isSealed: true, isBeside: false, isDev, text }
    }
    const fix = 'put its public half, `ed25519:…`, on a line before it'
    throw new Fault('key_invalid', `\`${file}\` does not say whose it is: ${fix}`)
  }
  try {
    const publicKey = publicKeyOf(text)
    if (publicKey === 'ed25519:') throw new Error('no key of that kind')
    return { name, file, publicKey, isSealed: false, isBeside: false, isDev, text }
  } catch {
    const message = `\`${file}\` holds no Ed25519 key in PEM: make one with \`warrant keys new\``
    throw new Fault('key_invalid', message)
  }
}

function unreadable(path: string, cause: unknown): Fault {
  const why = fileProblem(cause, 'it cannot be read')
  return new Fault('key_unreadable', `\`${path}\`: ${why}`, { cause })
}
