// The checks of structure: words, sections, sources, steps. They read the parsed document, so that
// what stands in code is no heading, no list and no source.
import { caseFold } from '#record/case-fold'
import { isWhiteSpace } from '#knowledge/known/white-space'
import { showsNothing, withoutInvisible } from '#knowledge/known/invisible'
import type { Heading, ProseDocument } from './document.ts'
import type { StructuralCheck } from './profiles.ts'

/** Why a check fails or warns. */
export type ProseDetail =
  | 'too_few_words'
  | 'empty_section'
  | 'missing_section'
  | 'no_sources'
  | 'no_steps'
  | 'no_citations'
  | 'unresolved_reference'
  | 'inconsistent_unit'
  | 'date_past'
  | 'date_future'
  | 'not_checked'

export interface ProseFinding {
  readonly detail: ProseDetail
  /** From 1; absent where it is about the whole text. */
  readonly line?: number
  /** What was found or missed: a heading, a name, a date, a number. */
  readonly about?: string
}

export interface Demanded {
  readonly minWords: number
  readonly requiredSections: readonly string[]
}

/** What a section has at least, in code points. */
const sectionCharactersMin = 10
const stepsMin = 2

export function structureFindings(
  check: StructuralCheck,
  document: ProseDocument,
  { minWords, requiredSections }: Demanded,
): readonly ProseFinding[] {
  switch (check) {
    case 'word_count': {
      const words = wordsIn(document.text)
      return words < minWords ? [{ detail: 'too_few_words', about: `${words}/${minWords}` }] : []
    }
    case 'no_empty_sections':
      return emptySections(document).map(({ line, text }) => {
        return { detail: 'empty_section', line: line + 1, about: text }
      })
    case 'required_sections':
      return missingSections(document, requiredSections).map((about) => {
        return { detail: 'missing_section', about }
      })
    case 'sources_list':
      return hasSource(document) ? [] : [{ detail: 'no_sources' }]
    case 'has_steps':
      return document.stepsMost >= stepsMin ? [] : [{ detail: 'no_steps' }]
  }
}

/** Pieces between white space that show something. */
function wordsIn(text: string): number {
  let words = 0
  let isInWord = false
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (isWhiteSpace(point)) isInWord = false
    else if (!isInWord && !showsNothing(point)) {
      isInWord = true
      words += 1
    }
  }
  return words
}

/** A section has all lines up to the next heading of its level or higher. */
function emptySections({ headings, shown }: ProseDocument): readonly Heading[] {
  const ends = endsOf(headings, shown.length)
  return headings.filter((heading, index) => {
    return charactersFrom(shown, heading.end, ends[index] ?? shown.length) < sectionCharactersMin
  })
}

function endsOf(headings: readonly Heading[], linesCount: number): readonly number[] {
  const ends: number[] = []
  // For each level, where the nearest heading of it or of a higher one begins.
  const nearest = Array.from({ length: 7 }, () => linesCount)
  for (const { level, line } of headings.toReversed()) {
    ends.push(nearest[level] ?? linesCount)
    nearest.fill(line, level)
  }
  return ends.toReversed()
}

/** Without white space at both ends, and counted no further than is asked. */
function charactersFrom(lines: readonly string[], from: number, to: number): number {
  let count = 0
  let spaces = 0
  for (let row = from; row < to && count < sectionCharactersMin; row += 1) {
    for (const character of lines[row] ?? '') {
      const point = character.codePointAt(0) ?? 0
      if (isWhiteSpace(point)) spaces += count > 0 ? 1 : 0
      else if (!showsNothing(point)) {
        count += spaces + 1
        spaces = 0
      }
      if (count >= sectionCharactersMin) break
    }
    spaces += count > 0 ? 1 : 0
  }
  return count
}

function missingSections(
  { headings }: ProseDocument,
  required: readonly string[],
): readonly string[] {
  const texts = headings.map(({ text }) => ` ${nameKey(text)} `)
  return required.filter((name) => {
    const key = nameKey(name)
    return !texts.some((text) => hasWords(text, key))
  })
}

/** Equal for two names that differ in case, in white space or in what shows nothing. */
export function nameKey(name: string): string {
  return caseFold(withoutInvisible(name.replaceAll(/\s+/g, ' ')).trim())
}

const ofWord = /[\p{L}\p{M}\p{N}_]/u

/** Whether the words stand in the text with no letter, digit or `_` beside them. */
function hasWords(text: string, words: string): boolean {
  if (words === '') return false
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (isEdge(text, at) && isEdge(text, at + words.length)) return true
  }
  return false
}

/** Whether no word goes on over this place between two characters. */
function isEdge(text: string, at: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ''
  const [after = ''] = text.slice(at, at + 2)
  return !(ofWord.test(before) && ofWord.test(after))
}

const numbered = /\[\^?\p{Nd}{1,9}\]/u
const address = /https?:\/\/[^\s<>()[\]"']/i

/** A line or an item with a link to the web, or with a number in brackets. */
function hasSource({ links, blocks }: ProseDocument): boolean {
  if (links.some((link) => /^https?:\/\/[^/?#]/i.test(link))) return true
  return blocks.some(({ prose }) => address.test(prose) || numbered.test(prose))
}
