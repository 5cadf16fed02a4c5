// One thing, one word: which words lost in the texts that people read, and where they stand all the
// same. Identifiers are not read here, nor is what stands in backticks: facts, files and formats of
// others keep their names (docs/reference/words.md).
import { sourcesOf, visit, type Files, type Source } from './source.ts'

interface Choice {
  /** The word that won, as the page of words lists it. */
  readonly word: string
  /** What lost, in lower case. */
  readonly lost: RegExp
  /** The files that it is looked for in; absent means all texts. */
  readonly within?: RegExp
  /** What means something else, or is a recorded answer: taken out before. */
  readonly but?: RegExp
}

/** Pages and doors that speak of intents, and of HTTP only by its name. */
const ofIntents = new RegExp(
  '^README\\.md$|^docs/people/(?!notifications)|^docs/rules/(?!drivers)' +
    '|^docs/agents/(?:delegations|frameworks|mcp|shortlists|tokens|work)\\.md$' +
    '|^docs/generate/rules-page\\.ts$|^shared/present/|^services/mcp/serve/' +
    '|^services/cli/(?:agents|people|offline|rules/(?!catalog/))',
)

export const choices: readonly Choice[] = [
  {
    word: 'tool',
    lost: /\bcapabilit(y|ies)\b/g,
    // A place in a file, what completes there, a level of what is known, and a recorded answer.
    but: /capabilities\/|capability capabilities|2 capabilities,|the catalog has no capability/g,
  },
  {
    word: 'intent',
    lost: /\brequests?\b/g,
    within: ofIntents,
    // What the texts of work count, and a recorded answer.
    but: /http requests?|users, requests, ms|'the request'/g,
  },
]

const page = /\.md$/
/** What quotes old words, is generated from texts that are read, or says which words lost. */
const unread = /^(?:CHANGELOG\.md|docs\/reference\/words\.md|test\/|bench\/|clients\/.*\/dist\/)/
const speaking = /^(?:services|shared|schemas)\/(?!generated\/).*\.tsx?$/

/** Every place where a word that lost is read. */
export function speaksTheChosenWords(files: Files): readonly string[] {
  return [...textsOf(files)].flatMap(([path, text]) =>
    choices.flatMap(({ word, lost, within, but }) => {
      if (within !== undefined && !within.test(path)) return []
      const read = but === undefined ? text : text.replaceAll(but, blank)
      return [...read.matchAll(lost)].map(({ 0: found, index }) => {
        const line = read.slice(0, index).split('\n').length
        return `${path}:${line} has “${found}”: write ${word}`
      })
    }),
  )
}

/** What people read of each file, in lower case, at the place where it stands. */
function textsOf(files: Files): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const sources = new Map<string, string>()
  for (const [path, text] of files) {
    // Few files have one at all, and reading a source as a program is dear.
    const lower = text.toLowerCase()
    if (unread.test(path) || choices.every(({ lost }) => lower.search(lost) === -1)) continue
    if (page.test(path)) texts.set(path, proseOf(text))
    if (speaking.test(path)) sources.set(path, text)
  }
  for (const source of sourcesOf(sources)) texts.set(source.path, spokenBy(source))
  return texts
}

const code = /```[\s\S]*?```|`[^`]*`|<!--[\s\S]*?-->|\]\([^)]*\)|https?:\S+/g

function proseOf(text: string): string {
  return text.replaceAll(code, blank).toLowerCase()
}

/** Strings of two words or more, and the text of a page; a name is one word. */
function spokenBy(source: Source): string {
  const parts: (readonly [from: number, to: number])[] = []
  const isProse = (text: string): boolean => /\p{L}{2}[^]*\s[^]*\p{L}{2}/u.test(text)
  visit(source, {
    Literal({ value, start, end }) {
      if (typeof value === 'string' && isProse(value)) parts.push([start, end])
    },
    TemplateLiteral({ quasis }) {
      // What is filled in stands for a word.
      if (!isProse(quasis.map(({ value }) => value.raw).join('0'))) return
      // A part has its delimiters with it, and a backtick would begin a quote.
      for (const { value, start } of quasis) {
        const from = source.text.indexOf(value.raw, start)
        parts.push([from, from + value.raw.length])
      }
    },
    JSXText({ start, end }) {
      parts.push([start, end])
    },
  })
  const spoken: string[] = []
  let read = 0
  for (const [from, to] of parts.toSorted(([left], [right]) => left - right)) {
    if (from < read) continue
    const said = source.text.slice(from, to).replaceAll(/\\?`[^`]*`/g, blank)
    spoken.push(blank(source.text.slice(read, from)), said)
    read = to
  }
  return spoken.join('').toLowerCase()
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
