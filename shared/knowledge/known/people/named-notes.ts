// Notes of the owner's own that people name: their words may be the title of what is made by
// them, such as an issue for each line of `/mine/minutes.md`. A note in which something is hidden,
// or that a call of the session may have written, counts for nothing.
import type { OwnNotes } from '#schemas/values'
import { placesAbove } from '../holders.ts'
import { isGiven, isValueIn, kindOfValue } from '../kinds.ts'
import type { Act } from '../named-texts.ts'
import { partsMeant } from '../naming.ts'
import { ownWordsIn, saysAll, titleWordsIn, type OwnWords } from '../own-words.ts'
import { pointedText } from '../pointer.ts'
import type { Leaf, SaidParts } from '../said-parts.ts'
import { isPlain } from '../text-candidates.ts'

export interface AroundNotes<Source> {
  readonly sources: readonly Source[]
  readonly own: readonly { readonly words: OwnWords }[]
  readonly acts: readonly Act[]
  readonly notes: (tool: string) => OwnNotes | null
}

/** A result that is a note of the owner's, and the path by which it was read. */
interface Note<Source> {
  readonly source: Source
  readonly path: string
  readonly leaves: readonly Leaf[]
}

/** The notes that no call of the session can have written. */
export function ownNotesIn<Source extends SaidParts>({
  sources,
  acts,
  notes,
}: Pick<AroundNotes<Source>, 'sources' | 'acts' | 'notes'>): readonly Note<Source>[] {
  return sources.flatMap((source) => {
    const by = notes(source.tool ?? '')
    const path = by === null ? undefined : pointedText(source.args, by.arg)
    if (by === null || path === undefined || !isUnder(by.under, path)) return []
    if (acts.some(({ args }) => mayWrite(args, path))) return []
    return [{ source, path, leaves: [...source.trusted, ...source.untrusted] }]
  })
}

/** Whether the path is in one of these folders, as far as can be seen from its text. */
function isUnder(folders: readonly string[], path: string): boolean {
  const leads = /(?:^|\/)\.{0,2}\/|[*~?]/.test(path.slice(1))
  return !leads && folders.some((one) => path.startsWith(one))
}

/** Whether a call may have put something there: it names the note, or a folder that may hold it. */
function mayWrite(args: object, path: string): boolean {
  const holders = placesAbove('path', path)
  const file = path.slice(path.lastIndexOf('/') + 1)
  return isGiven(args, (text) => {
    if (isValueIn('path', path, text) || holders.some(({ isIn }) => isIn(text))) return true
    // Where such a path leads is not seen from its text.
    return text.includes(file) || /^(?:[./]+|\S*(?:\.\.|[*~?])\S*)$/.test(text)
  })
}

export interface NotedTitle<Source> {
  readonly source: Source
  readonly leaf: Leaf
  /** The message in which a person names the note. */
  readonly named: string
  readonly path: string
}

/** A note that people named, all words of the title in it. */
export function notedTitle<Source extends SaidParts>(
  title: string,
  around: AroundNotes<Source>,
): NotedTitle<Source> | null {
  const words = titleWordsIn(title)
  // A title that pays someone says more than what it is about.
  if (words === '' || /[0-9]{5}|\b[A-Z]{2}[0-9]{2}|[$€£¥]/.test(title)) return null
  for (const { source, path, leaves } of ownNotesIn(around)) {
    const speaking = around.own.find(({ words: { texts } }) => {
      return texts.some((text) => partsMeant(text).some((part) => isNoteIn(path, part)))
    })
    const leaf = leaves.find(({ text }) => saysAll(words, ownWordsIn('', [text])))
    if (speaking === undefined || leaf === undefined) continue
    if (!leaves.every(({ text }) => isPlain(text))) continue
    return { source, leaf, named: speaking.words.message, path }
  }
  return null
}

/** By its path, by its file, or by its folder and the words that the file is called by. */
export function isNoteIn(path: string, text: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (isValueIn('path', path, text)) return true
  if (file.includes('.') && kindOfValue('path').isIn(file, text)) return true
  const [folder] = placesAbove('path', path)
  const stem = file.replace(/\.[^.]*$/, '').replaceAll(/[_-]/g, ' ')
  return folder?.isIn(text) === true && stem.length > 2 && saysAll(stem, ownWordsIn('', [text]))
}
