// What a tool would write into files, as far as a person can be shown it: an excerpt, or the lines
// that differ where the file is known. The log keeps no contents of files, and nothing at all of
// those that may hold a secret.
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { utf8Length } from '#platform/bytes'
import { redact } from '#firewall/redact'
import { digestOf } from '#record/digest'
import { changedLines, linesIn } from './changed-lines.ts'
import type { HookTool } from './tool-table.ts'
import { textsAt } from './tool-words.ts'

/** Why there is no excerpt. */
export type Unseen = 'too_large' | 'binary' | 'secret'

export interface ShownContents {
  /** Lines that go begin with `-`, lines that come with `+`. */
  readonly excerpt?: string
  /** The digest of all of it, where the excerpt is only its beginning. */
  readonly whole?: string
  readonly unseen?: Unseen
}

export interface Contents {
  readonly shown: ShownContents
  /** All of what the excerpt is the beginning of; null where it is all, or there is none. */
  readonly whole: string | null
}

export interface ContentsOf {
  /** The file as it is; null where it is not known. */
  readonly before: string | null
  readonly isSecret: boolean
  /** What stands in the heredocs of its command. */
  readonly heredocs: readonly string[]
}

/** Of all contents, and of a file that is read for the difference. */
export const contentBytesMax = 256 * 1024
const excerptBytesMax = 4 * 1024

interface Edit {
  readonly old: string | null
  readonly now: string
}

/** The arguments that hold contents: what else a call has is shown as it is. */
export function contentFields({ old, new: now, edits, patch }: HookTool): ReadonlySet<string> {
  return new Set([old, now, edits, patch].flatMap((fields) => fields?.split(' ') ?? []))
}

/** Null where nothing is written. */
export function shownContents(
  entry: HookTool,
  args: JsonObject,
  { before, isSecret, heredocs }: ContentsOf,
): Contents | null {
  const patches = textsAt(args, entry.patch) ?? []
  const given = editsOf(entry, args)
  const edits: readonly Edit[] = [...given, ...heredocs.map((now) => ({ old: null, now }))]
  if (patches.length + edits.length === 0) return null
  const texts = [...patches, ...edits.flatMap(({ old, now }) => [old ?? '', now])]
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0)
  if (bytes > contentBytesMax) return without('too_large')
  if (isSecret) return without('secret')
  if (texts.some(isBinary)) return without('binary')
  const whole =
    patches.length > 0 ? patches.join('\n') : (difference(entry, edits, before) ?? editLines(edits))
  const isSuspect = [...texts, whole].some((text) => redact(text).warnings.length > 0)
  if (isSuspect) return without('secret')
  const excerpt = cut(whole)
  if (excerpt === whole) return { shown: { excerpt }, whole: null }
  return { shown: { excerpt, whole: digestOf(whole) }, whole }
}

function without(unseen: Unseen): Contents {
  return { shown: { unseen }, whole: null }
}

function editsOf(entry: HookTool, args: JsonObject): readonly Edit[] {
  const listed = entry.edits?.split(' ').flatMap((field) => objectsAt(args[field])) ?? []
  return [args, ...listed].flatMap((one) => {
    const [old] = textAt(one, entry.old)
    const [now] = textAt(one, entry.new)
    return old === undefined && now === undefined ? [] : [{ old: old ?? null, now: now ?? '' }]
  })
}

function textAt(args: JsonObject, fields: string | undefined): readonly string[] {
  return (fields?.split(' ') ?? []).flatMap((field) => {
    const value = Object.hasOwn(args, field) ? args[field] : undefined
    return typeof value === 'string' ? [value] : []
  })
}

function objectsAt(value: JsonValue | undefined): readonly JsonObject[] {
  const all = Array.isArray(value) ? value : []
  return all.filter((one): one is JsonObject => {
    return typeof one === 'object' && one !== null && !Array.isArray(one)
  })
}

/** So many are worked out; more are shown one by one. */
const editsMax = 64

/** Null where the file is not known, or the edits do not fit it. */
function difference(
  { reads, old: replaced }: HookTool,
  edits: readonly Edit[],
  before: string | null,
): string | null {
  if (before === null || isBinary(before) || edits.length > editsMax) return null
  // A part of the file that no text names: only the tool knows where.
  if (reads !== undefined && replaced === undefined) return null
  let after = before
  for (const { old, now } of edits) {
    if (old === null || old === '') {
      after = now
      continue
    }
    const pieces = after.split(old)
    const length = after.length + (pieces.length - 1) * (now.length - old.length)
    if (pieces.length === 1 || length > 2 * contentBytesMax) return null
    after = pieces.join(now)
  }
  const { head, gone, come } = changedLines(linesIn(before), linesIn(after))
  const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)]
  return [`@@ line ${head + 1} @@`, ...lines].join('\n')
}

function editLines(edits: readonly Edit[]): string {
  return edits
    .flatMap(({ old, now }) => [
      ...linesIn(old ?? '').map((line) => `-${line}`),
      ...linesIn(now).map((line) => `+${line}`),
    ])
    .join('\n')
}

/** No text that a person could be shown. */
function isBinary(text: string): boolean {
  return /[^\P{Cc}\t\n\r\f\v]/u.test(text)
}

/** The beginning that fits, and how much of it is left out. */
function cut(text: string): string {
  const whole = utf8Length(text)
  if (whole <= excerptBytesMax) return text
  let shown = ''
  let bytes = 0
  for (const one of text) {
    const more = utf8Length(one)
    if (bytes + more > excerptBytesMax - noteBytesMax) break
    shown += one
    bytes += more
  }
  return `${shown}\n[${whole - bytes} more bytes]`
}

const noteBytesMax = 32
