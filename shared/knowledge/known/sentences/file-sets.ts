// All files of a folder that people mean: `delete everything in /downloads except keep.zip`. Each
// word of it must be understood: in doubt no set is meant.
import { withoutEnd } from '#record/reading/text-end'
import { ownTextIn, partsOfActs, sentencesOf } from '../naming.ts'

export interface FileSet {
  /** The words that mean it, as they stand in the text. */
  readonly clause: string
  /** From the root, without a slash at its end. */
  readonly folder: string
  /** Whether the file of that name, in that folder, is one of them. */
  readonly has: (name: string) => boolean
}

const heads = /\b(?:all|every|each|everything|(?:the )?(?:others|rest)|the other\b)(?=\W|$)/i
const rest = /^(?:the )?(?:others?|rest)$/i
const except =
  /,?\s*\b(?:except|excepting|but|apart from|other than|besides|excluding|save|without|leaving)\b/i
/** Words that keep something from being in a set. */
const keeping =
  /\b(?:keep|keeps|keeping|leave|spare|retain|preserve|need|not|no|never|don['’]?t|without|only)\b/i

/** What may stand beside the set without a say in it. */
const mute = new RegExp(
  '\\b(?:of|in|from|under|inside|within|at|to|into|the|my|our|this|that|these|those|it|its|them' +
    '|there|therein|here|is|are|which|i|we|have|local|folder|directory|disk|content|contents' +
    '|files?|documents?|items?|things?|nodes?|entries|entry|stuff|copies|versions|ones?|single' +
    '|now|please|too|also|again|for|me|us|good|permanently|deleted|removed|erased|copied|moved' +
    '|and|then|up|away|out|thanks|thank|you)\\b',
  'gi',
)
const endings: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bmark-?down\b/i, ['md', 'markdown']],
  [/\b(?:plain )?text\b/i, ['txt']],
  [/\bpython\b/i, ['py']],
  [/\b(?:images?|pictures?|photos?)\b/i, ['png', 'jpg', 'jpeg', 'gif', 'webp']],
  [/\bjpe?gs?\b/i, ['jpg', 'jpeg']],
  [/\b(?:temp|temporary)\b/i, ['tmp', 'temp']],
  [/\binstallers?\b/i, ['exe', 'msi', 'dmg', 'pkg']],
]
const ending = /(?<![\w/.])\*?\.([a-z0-9]{1,8})\b(?:-?(?=files?\b))?/gi
/** Named by its ending alone, as `log files`. */
const bareEnding =
  /\b(log|txt|csv|tsv|json|xml|yml|yaml|pdf|png|gif|zip|tmp|bak|bin|exe|py|js|ts|md)s?\b/gi
const fileNames = /(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.[a-z0-9]{1,8}(?![\w/-])/gi
const folders = /(?<![\w./~])\/[\w.-]+(?:\/[\w.-]+)*\/?/g

/** The sets that a text means, each with the clause that does. */
export function fileSetsIn(text: string): readonly FileSet[] {
  const own = ownTextIn(text)
  if (own === null) return []
  const sentences = sentencesOf(own).map(partsOfActs)
  return sentences.flatMap((clauses, at) => {
    const before = [...(sentences[at - 1] ?? []), ...clauses]
    return clauses.flatMap((clause) => {
      const set = setIn(clause, { all: sentences.flat(), near: clauses, before })
      return set === null ? [] : [set]
    })
  })
}

/** The names of files that a text says are to be kept, or leaves out of all that it means. */
export function filesKeptIn(text: string): readonly string[] {
  const clauses = sentencesOf(ownTextIn(text) ?? '').flatMap(partsOfActs)
  const kept = clauses.filter((clause) => keeps.test(clause))
  return [...kept.flatMap(namesIn), ...filesLeftOutIn(text)]
}

/** The names of files that a text leaves out of all that it means. */
export function filesLeftOutIn(text: string): readonly string[] {
  const clauses = sentencesOf(ownTextIn(text) ?? '').flatMap(partsOfActs)
  return clauses.flatMap((clause) => {
    const head = keeps.test(clause) ? null : heads.exec(clause)
    const after = head === null ? '' : clause.slice(head.index)
    const at = after.search(except)
    return at === -1 ? [] : namesIn(after.slice(at))
  })
}

const keeps = /^\W*(?:\w+ ){0,2}(?:keep|leave|spare|retain|preserve)\b/i

interface Around {
  readonly all: readonly string[]
  /** Of the same sentence, and of that with the one before it. */
  readonly near: readonly string[]
  readonly before: readonly string[]
}

function setIn(clause: string, { all, near, before }: Around): FileSet | null {
  const head = heads.exec(clause)
  if (head === null) return null
  const after = clause.slice(head.index + head[0].length)
  const at = after.search(except)
  const [said, left] = at === -1 ? [after, ''] : [after.slice(0, at), after.slice(at)]
  const spared = sparedIn(
    left,
    all.filter((one) => one !== clause),
  )
  const folder = folderOf([[clause], near, before])
  if (spared === null || folder === null || keeping.test(clause.slice(0, head.index))) return null
  const like = rest.test(head[0]) ? spared.map(stemOf) : null
  const filter = filterIn(said)
  if (filter === null || like?.length === 0) return null
  const isAll = /everything/i.test(head[0])
  return {
    clause: clause.slice(0, head.index + head[0].length + said.length),
    folder,
    has(name) {
      const low = name.toLowerCase()
      const end = /[^.]\.([a-z0-9]{1,8})$/.exec(low)?.[1]
      if (spared.includes(low)) return false
      if (like !== null) return like.includes(stemOf(low))
      if (filter.length > 0) return end !== undefined && filter.includes(end)
      return isAll || end !== undefined
    },
  }
}

/** The names that are not to be in it; null where words keep something that names no file. */
function sparedIn(left: string, others: readonly string[]): readonly string[] | null {
  const names = others.flatMap(namesIn)
  if (others.some((one) => keeping.test(one) && namesIn(one).length === 0)) return null
  if (left === '') return names
  const spared = namesIn(left)
  const more = left
    .replace(except, ' ')
    .replaceAll(fileNames, ' ')
    .replaceAll(/\b(?:for|called|named|and|or|not)\b/gi, ' ')
    .replaceAll(mute, ' ')
  return spared.length === 0 || /[\p{L}\p{N}]/u.test(more) ? null : [...names, ...spared]
}

function namesIn(text: string): readonly string[] {
  return (text.match(fileNames) ?? []).map((name) => name.toLowerCase())
}

/** What a name is without its ending, its numbers and what joins them. */
function stemOf(name: string): string {
  return name.toLowerCase().replaceAll(/[0-9_ -]/g, '')
}

/** The one folder that the nearest words name. */
function folderOf(near: readonly (readonly string[])[]): string | null {
  for (const clauses of near) {
    const named = new Set(
      clauses.flatMap((one) => (one.match(folders) ?? []).map((each) => withoutEnd(each, /[/.]/))),
    )
    const [folder = ''] = named
    if (named.size > 0) return named.size === 1 && !/\.[a-z0-9]{1,8}$/i.test(folder) ? folder : null
  }
  return null
}

/** The endings that are meant, none for all; null where a word of it is not understood. */
function filterIn(said: string): readonly string[] | null {
  const found: string[] = []
  let left = said.replaceAll(folders, ' ').replaceAll(ending, (_, end: string) => {
    found.push(end.toLowerCase())
    return ' '
  })
  for (const [words, ends] of endings) {
    if (!words.test(left)) continue
    left = left.replace(words, ' ')
    found.push(...ends)
  }
  left = left.replaceAll(bareEnding, (_, end: string) => {
    found.push(end.toLowerCase())
    return ' '
  })
  return /[\p{L}\p{N}]/u.test(left.replaceAll(mute, ' ')) ? null : found
}
