// A text that a person named, such as a bill by its path: its values count for this request, where
// the catalog lets an argument take them. The result of the tool itself must show what was read and
// who wrote it; the text must show all of itself, and hold one value of the kind and no more.
import type { NamedSource, ValueKind } from '#schemas/values'
import { lower } from './edges.ts'
import { placesAbove } from './holders.ts'
import { isGiven, isValueIn, kindOfValue } from './kinds.ts'
import { asksFor, isWithin, namingOf, requestIn, saysWhich } from './naming.ts'
import type { Naming, OwnRequest } from './naming.ts'
import { isAtOrBelow, wordsBelow } from './pointer.ts'
import { resultPointer, type Leaf, type SaidParts } from './said-parts.ts'
import { isPlain, speaksOfAnother, valuesOfText } from './text-candidates.ts'

/** Something that the agent asked to do, other than to read. */
export interface Act {
  readonly args: object
}

/** How the results of a tool are texts that people can name; null where they are none. */
export type SourceOf = (tool: string) => NamedSource | null

interface Around<Source extends SaidParts> {
  readonly sources: readonly Source[]
  readonly texts: SourceOf
  readonly acts: readonly Act[]
  /** The attributes of the agent and of its owner. */
  readonly ownForms: readonly string[]
}

/** The value in such a text, and how the text came to be one. */
export interface NamedText<Source> {
  readonly source: Source
  readonly leaf: Leaf
  /** The message in which a person named it. */
  readonly named: string
  readonly id: string
  readonly writer: string
}

interface Wanted {
  readonly kind: ValueKind
  readonly form: string
}

export function namedTextWith<Source extends SaidParts>(
  wanted: Wanted,
  around: Around<Source>,
): NamedText<Source> | null {
  const { sources, texts } = around
  const asked = sources.findLastIndex(({ tool, trusted }) => tool === null && trusted.length > 0)
  const speaking = sources[asked]
  if (speaking === undefined) return null
  const words = speaking.trusted.filter(({ pointer }) => pointer.startsWith('/content'))
  const request = requestIn(words.map(({ text }) => text).join('\n'))
  if (request === null) return null
  const shown = sources.flatMap((source) => shownIn(source, texts(source.tool ?? '')))
  const named = shown.flatMap((one): readonly NamedShown<Source>[] => {
    const naming = sources.indexOf(one.source) > asked ? namingFor(one, request) : null
    return naming !== null && asksFor(wanted.kind, naming) ? [{ ...one, naming }] : []
  })
  const [first] = named
  // One text, read once or read alike, and no other that the words could mean.
  if (first === undefined || shown.some((one) => isTwin(one, first))) return null
  if (named.some((one) => !isSame(one, first))) return null
  if (!isUntouched(first, wanted, around) || !isSound(first, wanted, around)) return null
  const leaf = first.body.find(({ text }) => isValueIn(wanted.kind, wanted.form, text))
  if (leaf === undefined) return null
  const { source, id, writer } = first
  return { source, leaf, named: speaking.message.name, id, writer }
}

/** A result that shows what was read, by just that, and whose it is. */
interface Shown<Source> {
  readonly source: Source
  readonly by: NamedSource
  readonly id: string
  readonly form: string
  readonly writer: string
  /** Its text, and all that stands beside it. */
  readonly body: readonly Leaf[]
  readonly beside: readonly Leaf[]
}

interface NamedShown<Source> extends Shown<Source> {
  readonly naming: Naming
}

function shownIn<Source extends SaidParts>(
  source: Source,
  by: NamedSource | null,
): readonly Shown<Source>[] {
  if (by === null) return []
  const at = (pointer: string): string => `${resultPointer}${pointer}`
  const trusted = new Map(source.trusted.map(({ pointer, text }) => [pointer, text]))
  const [id, writer] = [trusted.get(at(by.id)), trusted.get(at(by.writer))]
  const form = id === undefined ? null : kindOfValue(by.kind).form(id)
  if (id === undefined || writer === undefined || form === null) return []
  const all = [...source.trusted, ...source.untrusted]
  const body = all.filter(({ pointer }) => isAtOrBelow(at(by.text), pointer))
  const beside = all.filter(({ pointer }) => {
    const isShown = pointer === at(by.writer) || pointer === at(by.id)
    return !isShown && !isAtOrBelow(at(by.text), pointer)
  })
  return [{ source, by, id, form, writer, body, beside }]
}

/** How the words name it, if what was given is just the identifier that the result shows. */
function namingFor<Source extends SaidParts>(
  { source, by, id, form }: Shown<Source>,
  request: OwnRequest,
): Naming | null {
  const given = [...wordsBelow({ pointer: '', value: source.args })]
  const isAll = given.every(({ pointer }) => isAtOrBelow(pointer, by.arg))
  const isShown = given.some(({ pointer, text }) => {
    return pointer === by.arg && kindOfValue(by.kind).form(text) === form
  })
  return isAll && isShown ? namingOf(request, { kind: by.kind, form, shown: id }) : null
}

/** Another text by the same identifier, whatever read it, or the same one with another content. */
function isTwin(one: Shown<unknown>, first: Shown<unknown>): boolean {
  return lower(one.form) === lower(first.form) && !isSame(one, first)
}

function isSame(one: Shown<unknown>, other: Shown<unknown>): boolean {
  return said(one) === said(other)
}

function said({ form, writer, body, beside }: Shown<unknown>): string {
  return JSON.stringify([form, writer, [...body, ...beside].map(({ text }) => text)])
}

/** Whether nothing that the agent was given or did before can have put the value there. */
function isUntouched<Source extends SaidParts>(
  { source, by, form }: Shown<Source>,
  wanted: Wanted,
  { sources, acts }: Around<Source>,
): boolean {
  const isIn = (text: string): boolean => isValueIn(wanted.kind, wanted.form, text)
  const before = sources.slice(0, sources.indexOf(source) + 1)
  if (before.some(({ args }) => args !== null && isGiven(args, isIn))) return false
  return !acts.some(({ args }) => mayTouch(args, by.kind, form))
}

/** Whether a call may have changed what was read: it names it, or something that holds it. */
function mayTouch(args: object, kind: ValueKind, form: string): boolean {
  const holders = placesAbove(kind, form)
  const last = form.split('/').at(-1) ?? form
  return isGiven(args, (text) => {
    if (isValueIn(kind, form, text) || holders.some(({ isIn }) => isIn(text))) return true
    if (kind !== 'path') return false
    // Where such a path leads is not seen from its text.
    return text.includes(last) || /^[./\s]*$|\.\.|[*~?]/.test(text)
  })
}

function isSound<Source extends SaidParts>(
  { by, body, beside, writer, naming }: NamedShown<Source>,
  { kind, form }: Wanted,
  { ownForms }: Around<Source>,
): boolean {
  const writers = [...(by.writers ?? []), ...(by.own === true ? ownForms : [])]
  if (!writers.some((one) => lower(one) === lower(writer))) return false
  const texts = [...body, ...beside].map(({ text }) => text)
  const whole = texts.join('\n')
  if (!texts.every(isPlain) || speaksOfAnother(whole, writer)) return false
  if (saysWhich(kind, naming) || !isWithin(naming, `${whole}\n${writer}`)) return false
  const own = new Set(ownForms.map((one) => kindOfValue(kind).form(one)))
  const values = [...(valuesOfText(kind, whole) ?? [])].filter((one) => !own.has(one))
  return values.length === 1 && values[0] === form
}
