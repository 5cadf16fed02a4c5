// The values of a call that must be known, each once: those at the arguments that the catalog
// names.
import type { KnownArgument, ValueKind } from '#schemas/values'
import { kindOfValue, valuesInText } from './kinds.ts'
import { valuesMax } from './known-value.ts'
import { nodesAt, tokensOf, wordsBelow } from './pointer.ts'
import type { Leaf } from './said-parts.ts'

/** A secret, and where a result shows it, if one does. */
export interface Secret<Source> {
  readonly text: string
  /** What a result, or the form that asks for it, calls it. */
  readonly called: string | null
  readonly place: { readonly source: Source; readonly leaf: Leaf } | null
}

export interface ValueWanted<Source = unknown> {
  /** It is not to go out without people's word. */
  readonly secret?: Secret<Source>
  readonly arg: string
  readonly kind: ValueKind
  readonly text: string
  /** The form in which it is compared; null for what is no value of its kind. */
  readonly form: string | null
  readonly unknown: 'ask' | 'deny'
  readonly thing: string | undefined
  readonly also: AlsoKnown
}

/** In which further ways a value of the argument may be known. */
export type AlsoKnown = Pick<
  KnownArgument,
  | 'within'
  | 'about'
  | 'confirmed'
  | 'fromNamed'
  | 'bare'
  | 'absent'
  | 'asks'
  | 'says'
  | 'madeBy'
  | 'shown'
  | 'person'
  | 'rooted'
  | 'part'
>

// What stands below a pointer as a name or a truth value is in doubt a value too. One more than are
// looked for, which shows that there are more.
export function valuesWanted(
  known: readonly KnownArgument[],
  args: unknown,
): readonly ValueWanted<never>[] {
  const wanted = new Map<string, ValueWanted<never>>()
  for (const { arg, kind, inText = false, unknown = 'ask', thing, secret, ...also } of known) {
    if (secret === true) continue
    for (const node of nodesAt(args, tokensOf(arg))) {
      for (const { pointer, text: whole } of wordsBelow(node)) {
        for (const text of inText ? valuesInText(kind, whole) : [whole]) {
          if (wanted.size > valuesMax) return [...wanted.values()]
          const form = formOf(kind, text, also)
          const said = form === null ? `? ${text}` : `= ${form}`
          const key = [kind, unknown, thing ?? '', ...waysOf(also), said].join(' ')
          if (wanted.has(key)) continue
          wanted.set(key, { arg: pointer, kind, text, form, unknown, thing, also })
        }
      }
    }
  }
  return [...wanted.values()]
}

function waysOf({
  confirmed = [],
  absent = [],
  asks = [],
  says = [],
  madeBy = [],
  ...also
}: AlsoKnown) {
  const { within, about, fromNamed, bare, shown, person, rooted, part } = also
  const made = madeBy.flatMap(({ tool, arg, name = '', shown: is = false }) => {
    return [tool, arg, name, String(is)]
  })
  const lists = [confirmed, absent, asks, says, made].flatMap((each) => ['', ...each])
  return [within, about, fromNamed, bare, shown, person, rooted, part, ...lists].map(String)
}

/** The form of a path that a tool reads from the root begins there. */
export function formOf(kind: ValueKind, text: string, { rooted }: Pick<AlsoKnown, 'rooted'>) {
  const form = kindOfValue(kind).form(text)
  const isBare = rooted === true && form !== null && /^[^/\\~.][^\\]*$/.test(form)
  return isBare ? `/${form}` : form
}
