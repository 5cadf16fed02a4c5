// A text held against the sources that its task came with: numbers and links that no source has,
// and citations that have no entry. Time is linear in the text and its sources.
import { withoutEnd } from '#record/reading/text-end'
import type { ProseDocument } from './document.ts'

export interface SourceFinding {
  readonly detail: 'number_without_source' | 'link_without_source' | 'citation_without_entry'
  readonly line?: number
  readonly about: string
}

const integer = String.raw`(?:[0-9]{1,3}(?:,[0-9]{3}){1,8}|[0-9]{1,64})`
const numeral = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,[])${integer}(?:\.[0-9]{1,64})?(?![\p{L}_\]])`,
  'gu',
)
/** Shorter ones count steps and sections, and are in every text. */
const digitsMin = 2

/** Each number that no source has, once. */
export function numbersWithoutSource(
  document: ProseDocument,
  sources: readonly string[],
): readonly SourceFinding[] {
  const known = new Set(sources.flatMap((source) => numbersIn(source)))
  const found = new Map<string, SourceFinding>()
  for (const { prose, line } of document.blocks) {
    for (const number of numbersIn(prose)) {
      if (number.length < digitsMin || known.has(number) || found.has(number)) continue
      found.set(number, { detail: 'number_without_source', line: line + 1, about: number })
    }
  }
  return [...found.values()]
}

function numbersIn(text: string): readonly string[] {
  return [...text.matchAll(numeral)].map(([digits]) => digits.replaceAll(',', ''))
}

/** Each link that no source has, once. */
export function linksWithoutSource(
  document: ProseDocument,
  sources: readonly string[],
): readonly SourceFinding[] {
  const known = new Set(sources.flatMap((source) => addressesIn(source).map(plainAddress)))
  return webLinks(document)
    .filter((link) => !known.has(plainAddress(link)))
    .map((about) => ({ detail: 'link_without_source' as const, about }))
}

function plainAddress(link: string): string {
  return link.replace(/#.*$/, '').replace(/\/$/, '')
}

const address = /https?:\/\/[^\s<>"'`)\]]{1,2048}/gi

function addressesIn(text: string): readonly string[] {
  return [...text.matchAll(address)].map(([found]) => withoutEnd(found, /[.,;:!?*|]/))
}

/** The addresses of the web that a text names, as links or in its words, each once. */
export function webLinks({ links, blocks }: ProseDocument): readonly string[] {
  const found = new Set<string>()
  for (const link of links) if (/^https?:/i.test(link)) found.add(link)
  for (const { prose } of blocks) for (const one of addressesIn(prose)) found.add(one)
  return [...found]
}

const citation = /(?<![\p{L}\p{N}_\])])\[(?<first>[0-9]{1,4})\]/gu
const entry = /^(?: {0,3}[-*+] +| {0,3})\[(?<number>[0-9]{1,4})\]/gm

/** Each `[n]` that neither a line that begins with it nor an ordered list has as an entry. */
export function citationsWithoutEntry(document: ProseDocument): readonly SourceFinding[] {
  const entries = new Set<number>()
  for (const { groups = {} } of document.text.matchAll(entry)) {
    entries.add(Number(groups['number']))
  }
  const found = new Map<number, SourceFinding>()
  for (const { prose, line } of document.blocks) {
    for (const { 0: about, groups = {} } of prose.matchAll(citation)) {
      const number = Number(groups['first'])
      const isEntered = entries.has(number) || (number > 0 && number <= document.stepsMost)
      if (isEntered || found.has(number)) continue
      found.set(number, { detail: 'citation_without_entry', line: line + 1, about })
    }
  }
  return [...found.values()]
}
