// A key of this browser that signs answers for some days. No script can read it out, and it signs
// only where the review admits it; a passkey of its person has enrolled it.
import { toBase64url } from './base64url.ts'
import { sha256Of, signedBytesOf, type Signable } from './challenge.ts'
import { PageProblem } from '../shell/requests.ts'

export interface BrowserKey {
  readonly person: string
  readonly privateKey: CryptoKey
  /** As the log spells it: `ed25519:` and base64url of 32 bytes. */
  readonly publicKey: string
}

const algorithm = 'Ed25519'
const database = 'warrant'
const store = 'browser-keys'
const idBytes = 12

/** Whether this browser can make such a key, and keep it. */
export async function canMakeKeys(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
    await inStore('readonly', (keys) => keys.count())
    return true
  } catch {
    return false
  }
}

/** Makes one that is not kept yet. Throws a PageProblem where this browser cannot. */
export async function makeBrowserKey(person: string): Promise<BrowserKey> {
  const pair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']).catch(() => {
    throw new PageProblem('no_browser_keys')
  })
  if (!('privateKey' in pair)) throw new PageProblem('no_browser_keys')
  const { privateKey, publicKey } = pair
  const bytes = await crypto.subtle.exportKey('raw', publicKey)
  return { person, privateKey, publicKey: `ed25519:${toBase64url(bytes)}` }
}

/** In place of the one that this person had here before. */
export async function keepBrowserKey(key: BrowserKey): Promise<void> {
  await inStore('readwrite', (keys) => keys.put(key))
}

export async function forgetBrowserKey(person: string): Promise<void> {
  await inStore('readwrite', (keys) => keys.delete(person))
}

/** The one that is kept here for that person, whether or not it still counts; null without one. */
export async function keptBrowserKey(person: string): Promise<BrowserKey | null> {
  const found = await inStore('readonly', (keys) => keys.get(person)).catch(() => null)
  return isBrowserKey(found) ? found : null
}

/** Signs the same bytes as any other key. */
export async function browserSignature(
  toSign: Signable,
  { privateKey, publicKey }: BrowserKey,
): Promise<{ readonly format: 'ed25519'; readonly key: string; readonly value: string }> {
  const value = await crypto.subtle.sign(algorithm, privateKey, signedBytesOf(toSign))
  const digest = await sha256Of(new TextEncoder().encode(publicKey))
  return {
    format: 'ed25519',
    key: toBase64url(digest.subarray(0, idBytes)),
    value: toBase64url(value),
  }
}

function isBrowserKey(value: unknown): value is BrowserKey {
  return (
    typeof value === 'object' &&
    value !== null &&
    'privateKey' in value &&
    value.privateKey instanceof CryptoKey &&
    'publicKey' in value &&
    typeof value.publicKey === 'string'
  )
}

async function inStore(
  mode: IDBTransactionMode,
  act: (keys: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opened = await openedStore()
  try {
    return await answerOf(act(opened.transaction(store, mode).objectStore(store)))
  } finally {
    opened.close()
  }
}

function openedStore(): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1)
  opening.addEventListener('upgradeneeded', () => {
    opening.result.createObjectStore(store, { keyPath: 'person' })
  })
  return answerOf(opening)
}

function answerOf<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.addEventListener('success', () => resolve(asked.result))
    asked.addEventListener('error', () => reject(new PageProblem('no_browser_keys')))
  })
}
