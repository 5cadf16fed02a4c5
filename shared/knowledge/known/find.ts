// Where the values of a call come from: each one that must be known is looked for in what the agent
// was given before it asked, by those whom the catalog trusts for it. Pure: the same live, in a
// preview and on replay.
import type { Principal } from '#schemas/catalog'
import type { KnownArgument } from '#schemas/values'
import type { ValueFound, ValueKind } from '#schemas/values'
import { short } from '#record/quote'
import { kindOfValue, valuesInText } from './kinds.ts'
import { nodesAt, tokensOf, wordsBelow } from './pointer.ts'
import {
  saidPartsOf,
  type Leaf,
  type Distrust,
  type SaidMessage,
  type SaidParts,
} from './said-parts.ts'
import { isKnown, valuesMax } from './known-value.ts'

/** An attribute of the agent or of its owner. */
export interface OwnAttribute {
  readonly principal: string
  readonly attribute: string
  readonly value: string
}

export function attributesOf(
  principals: readonly Pick<Principal, 'id' | 'attributes'>[],
): readonly OwnAttribute[] {
  return principals.flatMap(({ id: principal, attributes }) =>
    Object.entries(attributes).map(([attribute, value]) => ({ principal, attribute, value })),
  )
}

export interface ValueEvidence {
  readonly attributes: readonly OwnAttribute[]
  /** In log order. */
  readonly messages: readonly SaidMessage[]
  readonly untrusted: Distrust['untrusted']
  readonly isDriven: Distrust['isDriven']
}

export const noEvidence: ValueEvidence = {
  attributes: [],
  messages: [],
  untrusted: () => null,
  isDriven: () => false,
}

/** A value that must be known, where it was found, and what becomes of it if it is not known. */
export interface SoughtValue {
  readonly found: ValueFound
  readonly unknown: 'ask' | 'deny'
}

const valueCharactersMax = 512

/** Each value once, in the order of the catalog's list and of the arguments. */
export function soughtValues(
  known: readonly KnownArgument[],
  args: unknown,
  { attributes, messages, untrusted, isDriven }: ValueEvidence,
): readonly SoughtValue[] {
  const wanted = valuesOf(known, args)
  if (wanted.length === 0) return []
  const own = attributes.map(({ value }) => value)
  const sources = messages.flatMap((message) => {
    const source = saidPartsOf(message, { untrusted, own, isDriven })
    return source === null ? [] : [source]
  })
  const isIncomplete = sources.some(({ digests }) => digests?.incomplete === true)
  return wanted.map((one, index) => {
    const { arg, kind, unknown } = one
    const base = { arg, kind, value: short(one.text, valueCharactersMax) }
    if (index >= valuesMax) return { unknown: 'deny', found: { ...base, found: 'beyond' } }
    const place = placeOf(one, attributes, sources)
    // What a result does not list may have been in it all the same: people can know.
    const asks = !isKnown({ found: place.found }) && isIncomplete
    return { unknown: asks ? 'ask' : unknown, found: { ...base, ...place } }
  })
}

interface Wanted {
  readonly arg: string
  readonly kind: ValueKind
  readonly text: string
  /** The form in which it is compared; null for what is no value of its kind. */
  readonly form: string | null
  readonly unknown: 'ask' | 'deny'
}

// What stands below a pointer as a name or a truth value is in doubt a value too. One more than are
// looked for, which shows that there are more.
function valuesOf(known: readonly KnownArgument[], args: unknown): readonly Wanted[] {
  const wanted = new Map<string, Wanted>()
  for (const { arg, kind, inText = false, unknown = 'ask' } of known) {
    for (const node of nodesAt(args, tokensOf(arg))) {
      for (const { pointer, text: whole } of wordsBelow(node)) {
        for (const text of inText ? valuesInText(kind, whole) : [whole]) {
          if (wanted.size > valuesMax) return [...wanted.values()]
          const form = kindOfValue(kind).form(text)
          const key = `${kind} ${unknown} ${form === null ? `? ${text}` : `= ${form}`}`
          if (!wanted.has(key)) wanted.set(key, { arg: pointer, kind, text, form, unknown })
        }
      }
    }
  }
  return [...wanted.values()]
}

type Place = Omit<ValueFound, 'arg' | 'kind' | 'value'>

function placeOf(
  { kind, form }: Wanted,
  attributes: readonly OwnAttribute[],
  sources: readonly SaidParts[],
): Place {
  if (form === null) return { found: 'nowhere' }
  const isOf = (text: string): boolean => isValueIn(kind, form, text)
  const own = attributes.find(({ value }) => kindOfValue(kind).form(value) === form)
  if (own !== undefined) {
    return { found: 'attribute', principal: own.principal, attribute: own.attribute }
  }
  let repeated: Place | null = null
  for (const source of sources) {
    const leaf =
      source.trusted.find(({ text }) => isOf(text)) ?? source.digests?.trusted(kind, form)
    if (leaf === undefined) continue
    // What its call had been given is no news.
    if (source.args === null || !isAmong(source.args, isOf)) return placeIn('message', source, leaf)
    repeated ??= placeIn('repeated', source, leaf)
  }
  for (const source of sources) {
    const leaf =
      source.untrusted.find(({ text }) => isOf(text)) ?? source.digests?.untrusted(kind, form)
    if (leaf !== undefined) return placeIn('untrusted', source, leaf)
  }
  return repeated ?? { found: 'nowhere' }
}

function placeIn(
  found: Place['found'],
  { message, tool }: SaidParts,
  { pointer }: Pick<Leaf, 'pointer'>,
): Place {
  const { name, sender } = message
  return { found, message: name, sender, pointer, ...(tool !== null && { tool }) }
}

function isAmong(args: object, isOf: (text: string) => boolean): boolean {
  for (const { text } of wordsBelow({ pointer: '', value: args })) if (isOf(text)) return true
  return false
}

/** Equal to the whole text, or in it with no character of its kind beside it. */
function isValueIn(kind: ValueKind, form: string, text: string): boolean {
  const of = kindOfValue(kind)
  return of.isIn(form, text) || of.form(text) === form
}
