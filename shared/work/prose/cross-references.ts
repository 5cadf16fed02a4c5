// References of a text to its own sections, and whether another heading has that name.
import type { ProseDocument } from './document.ts'
import { rowsFrom } from './rows.ts'
import { nameKey, type ProseFinding } from './structure.ts'

const phrase = /(?<![\p{L}\p{N}_])(?:see section|as described in|refer to)\s{1,8}/giu
const nameCharactersMax = 200
const quotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201d'],
  ['\u2018', '\u2019'],
])
/** What ends a name that is not in quotes: a full stop within `3.2` does not. */
const nameEnd = /[",;:!?()\n\u201c\u201d]|[.'\u2019](?=\s|$)/u
/** What follows a name in a sentence, and is no part of it. */
const goesOn = / (?:for|on|where|which|when|that|if|as|about|to|in|below|above|sections?)(?: .*)?$/u
const number = /^(?<number>[0-9]+(?:\.[0-9]+)*)[.)]?(?: (?<rest>.*))?$/u

/** Each reference that no other heading answers, in order. */
export function unresolvedReferences({ blocks, headings }: ProseDocument): readonly ProseFinding[] {
  const named = new Map<string, Set<number>>()
  for (const [index, { text }] of headings.entries()) {
    for (const name of namesOf(text)) named.set(name, (named.get(name) ?? new Set()).add(index))
  }
  const isNamed = (name: string, own: number | null): boolean => {
    const found = named.get(name)
    if (found === undefined) return false
    return found.size > 1 || own === null || !found.has(own)
  }
  return blocks.flatMap(({ text, prose, line, heading }) => {
    const rows = rowsFrom(text, line + 1)
    return [...prose.matchAll(phrase)].flatMap((match) => {
      const { 0: words, index } = match
      const row = rows(index)
      const about = nameAt(text, index + words.length)
      if (about === '' || meanings(about).some((name) => isNamed(name, heading))) return []
      return [{ detail: 'unresolved_reference' as const, line: row, about }]
    })
  })
}

/** The name of a heading, also without its number, and its number alone. */
function namesOf(text: string): readonly string[] {
  const name = nameKey(text)
  const groups = number.exec(name)?.groups
  if (groups === undefined) return [name]
  return [name, groups['number'] ?? '', groups['rest'] ?? ''].filter((each) => each !== '')
}

function nameAt(text: string, at: number): string {
  const rest = text.slice(at, at + nameCharactersMax)
  const closing = quotes.get(rest.charAt(0))
  if (closing === undefined) return rest.slice(0, nameEnd.exec(rest)?.index).trim()
  const end = rest.slice(1).search(closing === '"' ? /["\n]/u : new RegExp(`${closing}|\n`, 'u'))
  return rest.slice(1, end === -1 ? undefined : end + 1).trim()
}

/** What it may mean: as it stands, without an article, and without what the sentence adds. */
function meanings(about: string): readonly string[] {
  const name = nameKey(about)
  const bare = name.replace(/^the /u, '').replace(/^section /u, '')
  return [name, bare, bare.replace(goesOn, '')]
}
