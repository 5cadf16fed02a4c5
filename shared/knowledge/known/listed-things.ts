// Things that results list: an identifier says little of what it stands for, and the list says it.
// A thing counts as named where people's own words are about what the list calls it, or about what
// was searched for when the list was given.
import type { ListedThing } from '#schemas/values'
import { pointerToken } from '#record/pointer-token'
import { isNamedIn, isSearchedFor, type OwnWords } from './own-words.ts'
import { membersOf, nodesAt, tokensOf, type Node } from './pointer.ts'
import { resultPointer, type SaidParts } from './said-parts.ts'

/** Where a list has the thing, and the words of a person that name it, if there are any. */
export interface FoundThing {
  /** Into the message, of what identifies it. */
  readonly pointer: string
  readonly called: string | undefined
  readonly named: { readonly message: string; readonly by: 'name' | 'query' } | null
}

/** The thing in a result, first where it is named. Parts that others can have written count not. */
export function thingIn(
  { message, args, trusted }: SaidParts,
  lists: readonly ListedThing[],
  { isOf, own }: { readonly isOf: (id: string) => boolean; readonly own: readonly OwnWords[] },
): FoundThing | null {
  const texts = new Map(trusted.map(({ pointer, text }) => [pointer, text]))
  const result = new Map(membersOf(message.payload)).get('value')
  const found: FoundThing[] = []
  for (const { at, id, names = [], key = false, query } of lists) {
    const searched = query === undefined ? undefined : textAt(args, query)
    for (const node of nodesAt(result, tokensOf(at))) {
      const place = `${resultPointer}${node.pointer}`
      const pointer = `${place}/${pointerToken(id)}`
      const value = texts.get(pointer)
      if (value === undefined || !isOf(value)) continue
      const called = names.flatMap((name) => texts.get(`${place}/${pointerToken(name)}`) ?? [])
      if (key) called.push(nameOf(node))
      found.push({ pointer, called: called[0], named: namedBy(called, searched, own) })
    }
  }
  return found.find(({ named }) => named !== null) ?? found[0] ?? null
}

function namedBy(
  called: readonly string[],
  searched: string | undefined,
  own: readonly OwnWords[],
): FoundThing['named'] {
  for (const words of own) {
    if (called.some((name) => isNamedIn(name, words))) return { message: words.message, by: 'name' }
  }
  if (searched === undefined) return null
  const words = own.find((one) => isSearchedFor(searched, one))
  return words === undefined ? null : { message: words.message, by: 'query' }
}

function nameOf({ pointer, parent }: Node): string {
  return Array.isArray(parent) ? '' : (tokensOf(pointer).at(-1) ?? '')
}

function textAt(args: object | null, pointer: string): string | undefined {
  const [node] = nodesAt(args, tokensOf(pointer))
  return typeof node?.value === 'string' ? node.value : undefined
}
