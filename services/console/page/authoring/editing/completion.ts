// What can stand in place of what is being written: names that the log has, and what the schema of
// an entry allows there.
import type { CatalogRead } from '../catalog/places.ts'
import { mayStandAt, type EntrySchema } from './entry-schema.ts'

export interface NamesAtCaret {
  /** What is replaced. */
  readonly from: number
  readonly to: number
  readonly begun: string
  /** Whether concepts may stand there, of which only those that begin so are known. */
  readonly isOfConcepts: boolean
  /** Each with what it is written as. */
  readonly fit: readonly { readonly name: string; readonly written: string }[]
}

export interface KnownNames {
  readonly catalog: CatalogRead
  readonly concepts: readonly string[]
}

const fitMax = 8

const idsOf = (all: readonly { readonly id: string }[] = []): readonly string[] =>
  all.map(({ id }) => id)

const conceptMembers: readonly string[] = ['concepts', 'target']

/** Members whose values are names, with the names that there are. */
const named: ReadonlyMap<string, (known: KnownNames) => readonly string[]> = new Map([
  ...[
    ['principals', 'owner principal person members issuers sender confirmers'],
    ['groups', 'group'],
    ['confirmations', 'confirmation'],
    ['capabilities', 'capability capabilities'],
    ['servers', 'server'],
  ].flatMap(([collection = '', members = '']) =>
    members.split(' ').map((member) => {
      const names = ({ catalog }: KnownNames) => idsOf(entriesIn(catalog, collection))
      return [member, names] as const
    }),
  ),
  ...['role', 'roles'].map((member) => [member, rolesIn] as const),
  ...conceptMembers.map((member) => {
    return [member, ({ concepts }: KnownNames) => concepts] as const
  }),
])

function entriesIn(catalog: CatalogRead, collection: string): readonly { readonly id: string }[] {
  if (collection === 'principals') return catalog.principals
  if (collection === 'groups') return catalog.groups
  if (collection === 'confirmations') return catalog.confirmations
  return collection === 'servers' ? (catalog.servers ?? []) : catalog.capabilities
}

function rolesIn({ catalog }: KnownNames): readonly string[] {
  return [...new Set(catalog.principals.flatMap(({ roles }) => roles))]
}

/** Names of what the log has that a member of that name is about; none for another. */
export function namesAbout(member: string, known: KnownNames): readonly string[] {
  return named.get(member)?.(known) ?? []
}

function allNames(known: KnownNames): readonly string[] {
  const { principals, groups, confirmations, capabilities } = known.catalog
  const entries = [principals, groups, confirmations, capabilities].flatMap(idsOf)
  return [...new Set([...entries, ...known.concepts])]
}

/** In a JSON text of that schema. */
export function completionInJson(
  text: string,
  caret: number,
  { schema, known }: { readonly schema: EntrySchema; readonly known: KnownNames },
): NamesAtCaret | null {
  const string = stringAt(text, caret)
  if (string === null) return null
  const { from, to, begun, isClosed, path, isKey } = string
  const member = path.findLast((step) => typeof step === 'string') ?? ''
  const allowed = mayStandAt(schema, path, isKey)
  const names = isKey ? [] : namesAbout(member, known)
  const likely = [...allowed, ...names]
  const all = likely.length > 0 || isKey || begun === '' ? likely : allNames(known)
  const quote = isClosed ? '' : '"'
  const written = (name: string) => `${JSON.stringify(name).slice(1, -1)}${quote}`
  return {
    from,
    to,
    begun,
    isOfConcepts: !isKey && (conceptMembers.includes(member) || likely.length === 0),
    fit: fitting(all, begun).map((name) => ({ name, written: written(name) })),
  }
}

/** In a text that has one name in each line. */
export function completionInLines(
  text: string,
  caret: number,
  { member, names }: { readonly member: string; readonly names: readonly string[] },
): NamesAtCaret {
  const from = text.lastIndexOf('\n', caret - 1) + 1
  const end = text.indexOf('\n', caret)
  const begun = text.slice(from, caret)
  const taken = new Set(text.split('\n'))
  const left = names.filter((name) => !taken.has(name))
  const fit = fitting(left, begun).map((name) => ({ name, written: name }))
  const to = end === -1 ? text.length : end
  return { from, to, begun, isOfConcepts: conceptMembers.includes(member), fit }
}

/** Those that begin so come before those that hold it; what is written in full needs nothing. */
function fitting(names: readonly string[], begun: string): readonly string[] {
  const wanted = begun.toLowerCase()
  const holding = names.filter((name) => name !== begun && name.toLowerCase().includes(wanted))
  const isFirst = (name: string) => name.toLowerCase().startsWith(wanted)
  const ordered = [...holding.filter(isFirst), ...holding.filter((name) => !isFirst(name))]
  return ordered.slice(0, fitMax)
}

// What stands at the caret of a JSON text that is still being written: the string that it is in,
// and the members and items around that.

interface StringAt {
  /** Of the characters of the string, without its quotes. */
  readonly from: number
  readonly to: number
  /** What stands before the caret. */
  readonly begun: string
  readonly isClosed: boolean
  /** The members and items that it is in, and of a value its own. */
  readonly path: readonly (string | number)[]
  /** Whether it is the name of a member. */
  readonly isKey: boolean
}

interface Open {
  at: string | number
  isValue: boolean
}

/** Null where the caret is in no string. */
export function stringAt(text: string, caret: number): StringAt | null {
  const open: Open[] = []
  let at = 0
  while (at < caret) {
    const character = text[at] ?? ''
    const top = open.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      const isClosed = text[end] === '"'
      const isKey = typeof top?.at === 'string' && !top.isValue
      if (caret <= end) {
        const path = (isKey ? open.slice(0, -1) : open).map((one) => one.at)
        return { from: at + 1, to: end, begun: text.slice(at + 1, caret), isClosed, path, isKey }
      }
      if (isKey) top.at = text.slice(at + 1, end)
      at = end
    } else if (character === '{') open.push({ at: '', isValue: false })
    else if (character === '[') open.push({ at: 0, isValue: true })
    else if (character === '}' || character === ']') open.pop()
    else if (top !== undefined) pass(top, character)
    at += 1
  }
  return null
}

function pass(top: Open, character: string): void {
  if (character === ':') top.isValue = true
  if (character !== ',') return
  if (typeof top.at === 'number') top.at += 1
  else top.isValue = false
}

/** Where its second quote is, or where its line ends. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1
  }
  return Math.min(at, text.length)
}
