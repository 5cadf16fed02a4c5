// The envelope of every fact that is not a VLP message: a CloudEvents 1.0 event in canonical bytes.
// What cannot be read exactly as it was promised is void, and learns why; it is never guessed at.
import type { z } from 'zod'
import { Envelope } from '#schemas/envelope'
import { schemaOf, type ContentOf } from '#schemas/contents'
import type { EventKind } from '#schemas/kinds'
import { canonicalBytes, type Json } from './canonical.ts'
import { readJson } from './json.ts'
import { describeJsonFault } from './json-fault.ts'
import { namesInside } from './roles.ts'

/** What a decider draws up: the worker adds who, when and from which basis. */
export type Draft<K extends EventKind = EventKind> = K extends EventKind ? DraftOf<K> : never

interface DraftOf<K extends EventKind> {
  readonly kind: K
  readonly name: string
  readonly data: ContentOf<K>
}

/**
 * Writes instants as facts have them. Many in a row are of one millisecond: its text is made once.
 */
export function instantWriter(): (ms: number) => string {
  let last = Number.NaN
  let text = ''
  return (ms) => {
    if (ms === last) return text
    text = new Date(ms).toISOString()
    last = ms
    return text
  }
}

/** Who wrote it, when, and up to which position everything was known. */
export interface Stamp {
  readonly source: string
  /** RFC 3339, UTC, milliseconds. */
  readonly time: string
  readonly basis: number
  /** Where the intent stands in a distributed trace, if its message has it. */
  readonly traceparent?: string
  /** The door that bound it in its author's name; absent where the author did. */
  readonly via?: string
}

export interface Event<T> {
  readonly data: T
  /** The same as it was written, without what a schema fills in: a signature covers this. */
  readonly written: unknown
  readonly stamp: Stamp
}

export type Reading<T> =
  | { readonly ok: true; readonly event: Event<T> }
  | { readonly ok: false; readonly why: string }

/** The bytes of the fact. */
export function writeEvent(kind: EventKind, name: string, data: Json, stamp: Stamp): Uint8Array {
  return canonicalBytes({
    basis: String(stamp.basis),
    data,
    datacontenttype: 'application/json',
    id: name,
    source: stamp.source,
    specversion: '1.0',
    time: stamp.time,
    type: `warrant.${kind}.v1`,
    ...(stamp.traceparent !== undefined && { traceparent: stamp.traceparent }),
    ...(stamp.via !== undefined && { via: stamp.via }),
  })
}

// Anyone who may bind a name may bind anything under it. What is nested deeper than any fact of
// ours could break anyone who reads it, and on one machine sooner than on another.
const limits = { bytesMax: 262_144, depthMax: 128, inexact: 'change' } as const

// zod compiles a schema when it first reads by it: that costs more than to read so many facts of a
// kind without, and most starts read fewer.
const uncompiledMax = 32
const uncompiled = { jitless: true } as const
const counts = new Map<EventKind, number>()

function isSeldom(kind: EventKind): boolean {
  const count = counts.get(kind) ?? 0
  if (count < uncompiledMax) counts.set(kind, count + 1)
  return count < uncompiledMax
}

/** Reads a fact of that kind; the name inside must be one that it may give itself. */
export function readEvent<K extends EventKind>(
  kind: K,
  fact: { readonly name: string; readonly bytes: Uint8Array },
): Reading<ContentOf<K>> {
  const json = readJson(fact.bytes, limits)
  if (!json.ok) return { ok: false, why: describeJsonFault(json) }
  const envelope = Envelope.safeParse(json.value)
  if (!envelope.success) return { ok: false, why: `envelope: ${firstIssue(envelope.error)}` }
  const { id, type, source, time, basis, traceparent, via } = envelope.data
  if (id !== fact.name && !namesInside(fact.name).includes(id)) {
    return { ok: false, why: `it calls itself \`${id}\`` }
  }
  if (type !== `warrant.${kind}.v1`) return { ok: false, why: `its type is \`${type}\`` }
  const written = envelope.data.data
  const data = schemaOf(kind).safeParse(written, isSeldom(kind) ? uncompiled : undefined)
  if (!data.success) return { ok: false, why: `data: ${firstIssue(data.error)}` }
  const traced = traceparent === undefined ? {} : { traceparent }
  const through = via === undefined ? {} : { via }
  const stamp = { source, time, basis: Number(basis), ...traced, ...through }
  return { ok: true, event: { data: data.data, written, stamp } }
}

/** What the fact says; null where there is none, or where it cannot be read. */
export function readData<K extends EventKind>(
  kind: K,
  fact: { readonly name: string; readonly bytes: Uint8Array } | undefined,
): ContentOf<K> | null {
  const reading = fact && readEvent(kind, fact)
  return reading?.ok === true ? reading.event.data : null
}

/** Where what was read does not fit its schema, and why. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue === undefined ? 'unreadable' : `/${issue.path.join('/')} ${issue.message}`
}

/** A fact about an intent, with what only the log may say of it. */
export interface Placed<T> {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
  readonly data: T
}
