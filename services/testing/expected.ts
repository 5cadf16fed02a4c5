// What a test expects of the facts that followed: the parts that it names, and no others. What
// differs is shown by the assertion of Node as a difference of the two.
import assert from 'node:assert/strict'
import { parseJson, readJson } from '#record/json'
import { partsOf, type Place } from '#record/names'
import type { LoggedFact } from '#state/folded'
import { entryBytesMax } from '#ports/log'
import type { EventKind } from '#schemas/kinds'

/** A fact that is there after a step, as far as the log can be read. */
export interface BoundFact {
  readonly kind: string
  readonly name: string
  readonly position: number
  /** Milliseconds since 1970. */
  readonly appendedAt: number
  /** What it says: the content of the fact, or the whole of a message. */
  readonly data: unknown
}

export interface ExpectedFact {
  readonly kind: EventKind
  /** Parts of its content; null where no such fact may be there. */
  readonly data: Readonly<Record<string, unknown>> | null
}

type Parts = Readonly<Record<string, unknown>>

/** The call is allowed; `parts` of the verdict, if any matter. */
export function allow(parts: Parts = {}): ExpectedFact {
  return { kind: 'verdict', data: { outcome: 'allow', ...parts } }
}

/**
 * The call is denied for exactly these reasons, in this order: a code, or parts of a reason. Any
 * denial, if none is given.
 */
export function deny(...reasons: readonly (string | Parts)[]): ExpectedFact {
  const listed = reasons.map((reason) => (typeof reason === 'string' ? { code: reason } : reason))
  const parts = listed.length === 0 ? {} : { reasons: listed }
  return { kind: 'verdict', data: { outcome: 'deny', ...parts } }
}

/** People are asked; `parts` of the review, such as `confirmers` or `questions`. */
export function review(parts: Parts = {}): ExpectedFact {
  return { kind: 'review', data: parts }
}

/** The call waits until what it lacks is known; `parts` of the hold, such as `gaps`. */
export function hold(parts: Parts = {}): ExpectedFact {
  return { kind: 'hold', data: parts }
}

/** A fact of that kind is bound, with these parts. */
export function bound(kind: EventKind, parts: Parts = {}): ExpectedFact {
  return { kind, data: parts }
}

/** No fact of that kind is bound; no verdict, if none is named. */
export function none(kind: EventKind = 'verdict'): ExpectedFact {
  return { kind, data: null }
}

/** Throws an AssertionError unless the last fact of that kind has these parts. */
export function expectFact({ kind, data }: ExpectedFact, facts: readonly BoundFact[]): void {
  const found = facts.findLast((fact) => fact.kind === kind)
  const all = facts.map((fact) => fact.kind).join(', ') || 'nothing'
  if (data === null) {
    assert(found === undefined, `a \`${kind}\` is bound, and none was expected: ${all}`)
    return
  }
  assert(found !== undefined, `no \`${kind}\` is bound; what followed is: ${all}`)
  assert.deepStrictEqual(pickedFrom(found.data, data), plain(data))
}

/** The fact as it can be read; `data` is null where it cannot. */
export function boundFact(fact: LoggedFact, place: Place): BoundFact {
  const { name, position, appendedAt } = fact
  const kind = partsOf(name, place)?.kind ?? ''
  return { kind, name, position, appendedAt, data: contentOf(fact, kind) }
}

function contentOf({ bytes }: LoggedFact, kind: string): unknown {
  const reading = readJson(bytes, { bytesMax: entryBytesMax, depthMax: 128, inexact: 'change' })
  if (!reading.ok) return null
  const { value } = reading
  const isEvent = kind !== 'vlp' && typeof value === 'object' && value !== null && 'data' in value
  return isEvent ? value.data : value
}

/** What is there of the actual value where the expected one says something. */
function pickedFrom(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return actual.map((each: unknown, index) => pickedFrom(each, expected[index]))
  }
  if (!isMap(actual) || !isMap(expected)) return actual
  const shared = Object.keys(expected).filter((key) => Object.hasOwn(actual, key))
  return Object.fromEntries(shared.map((key) => [key, pickedFrom(actual[key], expected[key])]))
}

function plain(value: unknown): unknown {
  return parseJson(JSON.stringify(value))
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
