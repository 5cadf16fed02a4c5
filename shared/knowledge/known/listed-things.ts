// Things that results list: an identifier says little of what it stands for, and the list says it.
// A thing counts as named where people's own words are about what the list calls it, or about what
// was searched for when the list was given. Where others can have written the name,
// people's words must mean this thing and no other that is listed.
import type { ListedThing } from '#schemas/values'
import { pointerToken } from '#record/pointer-token'
import { meansAllAt } from './sentences/date-sets.ts'
import { meansAllCalled } from './sentences/called-sets.ts'
import { groupsMeaning, isNamedIn, isSearchedFor, type OwnWords } from './own-words.ts'
import { isGiven, kindOfValue } from './kinds.ts'
import { meansAllOf, meansAllTheirs, requestIn } from './naming.ts'
import { membersOf, nodesAt, pointedText, tokensOf, type Node } from './pointer.ts'
import { resultPointer, type Leaf, type SaidParts } from './said-parts.ts'

/** Where a list has the thing, and the words of a person that name it, if there are any. */
export interface FoundThing {
  /** Into the message, of what identifies it. */
  readonly pointer: string
  readonly called: string | undefined
  readonly named: { readonly message: string; readonly by: 'name' | 'query' } | null
}

interface Seeking {
  readonly isOf: (id: string) => boolean
  readonly own: readonly OwnWords[]
  /** All that the results list of which others can have written the names. */
  readonly foreign: readonly ThingListed[]
  /** Which day it is, where a result shows it. */
  readonly today: string | null
}

/** The thing in a result, first where it is named. */
export function thingIn(
  source: SaidParts,
  lists: readonly ListedThing[],
  { isOf, own, foreign, today }: Seeking,
): FoundThing | null {
  const found = thingsIn(source, lists).flatMap((one): readonly FoundThing[] => {
    const { pointer, id, called, list } = one
    if (!isOf(id)) return []
    const searched = list.query === undefined ? undefined : pointedText(source.args, list.query)
    const isCalled = (words: OwnWords): boolean => isMeant(one, words, { foreign, today })
    const isSought = (words: OwnWords): boolean => {
      return searched !== undefined && one.isSearch && isSearchedFor(searched, words)
    }
    const [byName, byQuery] = [own.find(isCalled), own.find(isSought)]
    const words = byName ?? byQuery
    const by = byName === undefined ? 'query' : 'name'
    const named = words === undefined ? null : ({ message: words.message, by } as const)
    return [{ pointer, called: called[0], named }]
  })
  return found.find(({ named }) => named !== null) ?? found[0] ?? null
}

/** Whether the words mean it by what the list says of it. */
export function isMeant(
  one: ThingListed,
  words: OwnWords,
  { foreign, today }: Pick<Seeking, 'foreign' | 'today'>,
): boolean {
  if (isOneOfAll(one, words) || isOneOfDay(one, words, { today, foreign })) return true
  if (one.list.foreign === true) return isOnlyOneMeant(one, words, foreign)
  return one.called.some((name) => isNamedIn(name, words))
}

/** One thing that a result lists. */
export interface ThingListed {
  /** Into the message, of what identifies it. */
  readonly pointer: string
  readonly id: string
  readonly called: readonly string[]
  /** Whose it is, or from whom. */
  readonly of: readonly string[]
  /** The addresses of those who take part. */
  readonly with: readonly string[]
  /** When it begins. */
  readonly time: string | null
  readonly ends: string | null
  readonly list: ListedThing
  /** What was searched for can say that this one is meant. */
  readonly isSearch: boolean
}

/** What identifies a thing no one else can have written; what it is called others may. */
export function thingsIn(
  { message, trusted, untrusted }: SaidParts,
  lists: readonly ListedThing[],
): readonly ThingListed[] {
  const textsOf = (leaves: readonly Leaf[]): ReadonlyMap<string, string> =>
    new Map(leaves.map(({ pointer, text }) => [pointer, text]))
  const texts = textsOf(trusted)
  const result = new Map(membersOf(message.payload)).get('value')
  return lists.flatMap((list) => {
    const { at, id, names = [], of: owners = [], with: guests = [], key, foreign = false } = list
    const known = foreign ? textsOf([...untrusted, ...trusted]) : texts
    const nodes = [...nodesAt(result, tokensOf(at))]
    return nodes.flatMap((node): readonly ThingListed[] => {
      const place = `${resultPointer}${node.pointer}`
      const pointer = `${place}/${pointerToken(id)}`
      const value = texts.get(pointer)
      if (value === undefined) return []
      const textAt = (name: string) => known.get(`${place}/${pointerToken(name)}`) ?? []
      const [called, of] = [names.flatMap(textAt), owners.flatMap(textAt)]
      if (key === true) called.push(nameOf(node))
      const inMember = (name: string) => {
        const start = `${place}/${pointerToken(name)}/`
        return [...known].flatMap(([each, text]) => (each.startsWith(start) ? text : []))
      }
      const timeAt = (name: string | undefined): string | null =>
        (name === undefined ? undefined : texts.get(`${place}/${pointerToken(name)}`)) ?? null
      return [
        {
          pointer,
          id: value,
          called,
          of,
          with: guests.flatMap(inMember),
          time: timeAt(list.time),
          ends: timeAt(list.ends),
          list,
          isSearch: !foreign || nodes.length === 1,
        },
      ]
    })
  })
}

/** Whether the words mean all that is of whom the list says that the thing is. */
function isOneOfAll({ of, list: { thing } }: ThingListed, { texts, whole }: OwnWords): boolean {
  return of.some((one) => {
    const whose = kindOfValue('name').form(one)
    if (whose === null) return false
    return [whose, ...placesOfAddress(whose)].some((name) => {
      return texts.some((text) => {
        return meansAllOf(name, thing, text) || meansAllTheirs(name, text, whole)
      })
    })
  })
}

const placeMin = 4

/** What the place is called from where someone writes: of `ann@north-shop.org` both words. */
export function placesOfAddress(email: string): readonly string[] {
  const labels = email
    .slice(email.indexOf('@') + 1)
    .split('.')
    .slice(0, -1)
  const names = labels.flatMap((one) => [one, one.replaceAll('-', ''), ...one.split('-')])
  return names.filter((one) => one.length >= placeMin)
}

/** Whether the words mean all that begins on a day, or in a part of it, or is called so. */
function isOneOfDay(
  { time, called, with: who, list: { thing } }: ThingListed,
  { texts, whole }: OwnWords,
  { today, foreign }: Pick<Seeking, 'today' | 'foreign'>,
): boolean {
  if (time === null) return false
  const same = foreign.filter((one) => one.list.thing === thing)
  const listed = same.map((one) => one.called)
  return texts.some((text) => {
    const { sentences = [] } = requestIn(text) ?? {}
    const one = { time, called, with: who }
    if (meansAllAt(one, { thing, today, sentences, whole, listed })) return true
    return sentences.some(({ meant, denied }) => {
      return denied === '' && meansAllCalled(one, { text: meant, thing, today })
    })
  })
}

/** Whether a group of words means this thing, and nothing else that is listed. */
function isOnlyOneMeant(
  { id, called, list: { thing } }: ThingListed,
  words: OwnWords,
  foreign: readonly ThingListed[],
): boolean {
  const others = foreign.filter((one) => one.list.thing === thing && one.id !== id)
  return words.groups.some((group) => {
    const isCalledSo = (one: Pick<ThingListed, 'called'>, isLoose: boolean): boolean => {
      return one.called.some((name) => {
        return groupsMeaning(name, { thing, isLoose }, { groups: [group] }).length > 0
      })
    }
    // What is called by all of it goes before what is called by a part.
    const isLoose = ![{ called }, ...others].some((one) => isCalledSo(one, false))
    return isCalledSo({ called }, isLoose) && !others.some((one) => isCalledSo(one, isLoose))
  })
}

function nameOf({ pointer, parent }: Node): string {
  return Array.isArray(parent) ? '' : (tokensOf(pointer).at(-1) ?? '')
}

/**
 * Where a result shows the identifier by itself, and not within a text. What any call before was
 * given is no news, by whatever it is shown: an agent could have its own words shown.
 */
export function shownIn<Source extends SaidParts & { readonly given: readonly object[] }>(
  form: string,
  sources: readonly Source[],
): { readonly source: Source; readonly leaf: Leaf } | null {
  const isOf = (text: string): boolean => kindOfValue('id').form(text) === form
  for (const source of sources) {
    if (source.tool === null) continue
    const leaf = [...source.trusted, ...source.untrusted].find(({ text }) => isOf(text))
    if (leaf === undefined) continue
    return source.given.some((args) => isGiven(args, isOf)) ? null : { source, leaf }
  }
  return null
}
