// The lines of a backup and of an export: one JSON value each, packed by gzip. Both say what they
// hold before it, count it after it, and give digests on the way, so that what is cut or changed
// shows with its place.
import { z } from 'zod'
import type { Fact } from '#ports/log'

export const bundleFormat = 1

const Count = z.int().min(0)
const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const Head = z.string().regex(/^(0|[1-9][0-9]{0,15}):sha256:[0-9a-f]{64}$/)
const Realm = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

const headerBase = {
  is: z.literal('header'),
  format: z.int(),
  /** The version of the program that wrote it, and when. */
  version: z.string(),
  made: z.iso.datetime(),
  realm: Realm,
  /** How many cells the realm has; null where it has one log. */
  cells: z.int().nullable(),
}

const Header = z.discriminatedUnion('holds', [
  /** All facts of the logs. */
  z.strictObject({ ...headerBase, holds: z.literal('backup') }),
  /** Those of one sealed era, or all from that era on, with what it opened with. */
  z.strictObject({ ...headerBase, holds: z.literal('era'), era: z.int().min(1) }),
  /** Those that decide one intent. */
  z.strictObject({ ...headerBase, holds: z.literal('intent'), intent: z.string() }),
])
export type BundleHeader = z.infer<typeof Header>

const FactLine = z.strictObject({
  is: z.literal('fact'),
  position: z.int().min(1),
  appendedAt: Count,
  name: z.string(),
  /** Bytes that are no UTF-8 text are in base64. */
  text: z.string().optional(),
  base64: z.string().optional(),
})

export const BundleLine = z.union([
  FactLine,
  /** The digest of all facts of this log up to here. */
  z.strictObject({ is: z.literal('mark'), head: Head }),
  /** Facts that were left out, and when the last of them was appended. */
  z.strictObject({
    is: z.literal('gap'),
    from: z.int().min(1),
    to: z.int().min(1),
    appendedAt: Count,
  }),
  /** `from`: the position of its first fact; absent where that is the first of the log. */
  z.strictObject({ is: z.literal('log'), realm: Realm, from: z.int().min(2).optional() }),
  z.strictObject({ is: z.literal('log_end'), facts: Count, head: Head }),
  z.strictObject({ is: z.literal('module'), digest: Digest, source: z.string() }),
  /** A module that the log pins and that was not there. */
  z.strictObject({ is: z.literal('module_missing'), digest: Digest }),
  z.strictObject({ is: z.literal('end'), logs: Count, facts: Count, modules: Count }),
  Header,
])
export type BundleLine = z.infer<typeof BundleLine>

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function factLine({ position, appendedAt, name, bytes }: Fact): BundleLine {
  return { is: 'fact', position, appendedAt, name, ...contentOf(bytes) }
}

function contentOf(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}

export function factOf(line: z.infer<typeof FactLine>): Fact {
  const { position, appendedAt, name, text, base64 = '' } = line
  const bytes = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text, 'utf8')
  return { position, appendedAt, name, bytes }
}
