// What a commit and a tree of git hold, as bytes, and which of a tree's names may become paths.
// A tree comes from anyone who may push, and may hold what no honest program wrote.
import { byCodeUnit } from '#record/canonical'

export type TreeEntryKind = 'file' | 'program' | 'link' | 'folder' | 'submodule'

export interface TreeEntry {
  readonly name: string
  readonly kind: TreeEntryKind
  /** What git calls it: a digest, in hexadecimal. */
  readonly object: string
  /** Whether it may stand in a path here. */
  readonly isSafe: boolean
}

const objectNames = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** In full: what is shorter, or in capitals, may be the name of something else. */
export function isObjectName(text: string): boolean {
  return objectNames.test(text)
}

/** The name of a commit's tree; null where that is no commit. */
export function treeOfCommit(bytes: Uint8Array): string | null {
  const first = Buffer.from(bytes.subarray(0, 80)).toString('latin1')
  const tree = /^tree (?<name>[0-9a-f]+)\n/.exec(first)?.groups?.['name']
  return tree === undefined || !isObjectName(tree) ? null : tree
}

const typeMask = 0o170000
const kinds: ReadonlyMap<number, TreeEntryKind> = new Map([
  [0o040000, 'folder'],
  [0o100000, 'file'],
  [0o120000, 'link'],
  [0o160000, 'submodule'],
])

/** Null where that is no tree, or one that has a name twice. */
export function treeEntries(bytes: Uint8Array, objectBytes: number): readonly TreeEntry[] | null {
  const entries: TreeEntry[] = []
  const names = new Set<string>()
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at)
    const end = space < 0 ? -1 : bytes.indexOf(0, space)
    if (end < 0 || end + 1 + objectBytes > bytes.length) return null
    const mode = latin1(bytes.subarray(at, space))
    const kind = kindOf(mode)
    const raw = bytes.subarray(space + 1, end)
    const key = latin1(raw)
    if (kind === null || raw.length === 0 || raw.includes(0x2f) || names.has(key)) return null
    names.add(key)
    at = end + 1 + objectBytes
    const object = Buffer.from(bytes.subarray(end + 1, at)).toString('hex')
    entries.push({ ...namedBy(raw), kind, object })
  }
  return entries.toSorted((a, b) => byCodeUnit(a.name, b.name))
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function kindOf(text: string): TreeEntryKind | null {
  if (!/^[0-7]{5,6}$/.test(text)) return null
  const mode = Number.parseInt(text, 8)
  const kind = kinds.get(mode & typeMask) ?? null
  return kind === 'file' && (mode & 0o100) !== 0 ? 'program' : kind
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder()
const nameBytesMax = 255

function namedBy(raw: Uint8Array): { readonly name: string; readonly isSafe: boolean } {
  try {
    const name = utf8.decode(raw)
    return { name, isSafe: raw.length <= nameBytesMax && isSafeName(name) }
  } catch {
    return { name: lossy.decode(raw), isSafe: false }
  }
}

/** Also as file systems write it that have a short form, or do not see some characters. */
const gitFolder = /^(?:\.git|git~\d+)[ .]*(?:$|:)/i

function isSafeName(name: string): boolean {
  if (name === '.' || name === '..' || /[\p{Cc}\\]/u.test(name)) return false
  return !gitFolder.test(name.replaceAll(/\p{Cf}/gu, ''))
}
