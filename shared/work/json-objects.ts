// The JSON objects in a text of a language model, with prose or a fence around them. It must never
// read what two readers could read differently, and takes time linear in the text.
import { utf8 } from '#platform/bytes'
import { readJson } from '#record/json'
import { spaces } from '#record/reading/json-scan'

const depthMax = 64
/** How often, on average, a character may be read before a text counts as unreadable. */
const readingsMax = 16
const readingsFree = 65_536

/**
 * Every object from the first `{` at which one can be read, in order, those inside another left to
 * it. Null where one has a key twice, is nested deeper than 64, or holds what UTF-8 or a double
 * cannot say; and where finding out would take too long.
 */
export function jsonObjectsIn(text: string): readonly object[] | null {
  const found: object[] = []
  let readingsLeft = readingsFree + readingsMax * text.length
  for (let start = text.indexOf('{'); start >= 0;) {
    const { end, isWhole } = scanObject(text, start)
    readingsLeft -= end - start
    if (readingsLeft < 0) return null
    if (isWhole) {
      const bytes = utf8(text.slice(start, end))
      const reading = readJson(bytes, { bytesMax: bytes.length, depthMax, inexact: 'change' })
      if (!reading.ok || typeof reading.value !== 'object' || reading.value === null) return null
      found.push(reading.value)
    }
    start = text.indexOf('{', isWhole ? end : start + 1)
  }
  return found
}

interface Scanned {
  /** Where it has ended, or where it stopped to be one. */
  readonly end: number
  readonly isWhole: boolean
}

type Expected = 'key' | 'key_or_end' | 'colon' | 'value' | 'value_or_end' | 'comma_or_end'

const quote = 0x22
const backslash = 0x5c
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** The grammar of JSON, from the `{` at `start` to its `}`. */
function scanObject(text: string, start: number): Scanned {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = start
  while (at < text.length) {
    const character = text.charAt(at)
    if (spaces.has(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const next = after(character, expected, open)
    if (next === null) return { end: at, isWhole: false }
    const { end, isWhole } = endOf(text, at, next.reads)
    if (!isWhole) return { end, isWhole }
    at = end
    if (open.length === 0) return { end: at, isWhole }
    expected = next.expected
  }
  return { end: at, isWhole: false }
}

interface Next {
  readonly reads: 'mark' | 'string' | 'scalar'
  readonly expected: Expected
}

const mark = (expected: Expected): Next => ({ reads: 'mark', expected })

/** What this character begins where that is expected, and what follows it; null for nothing. */
function after(character: string, expected: Expected, open: ('{' | '[')[]): Next | null {
  const inObject = open.at(-1) === '{'
  switch (expected) {
    case 'colon':
      return character === ':' ? mark('value') : null
    case 'comma_or_end':
      if (character === ',') return mark(inObject ? 'key' : 'value')
      return closing(character, open)
    case 'key_or_end':
    case 'key':
      if (character === '"') return { reads: 'string', expected: 'colon' }
      return expected === 'key' ? null : closing(character, open)
    case 'value_or_end':
    case 'value':
      if (character === '"') return { reads: 'string', expected: 'comma_or_end' }
      if (character === '{' || character === '[') {
        open.push(character)
        return mark(character === '{' ? 'key_or_end' : 'value_or_end')
      }
      if (character === ']') return expected === 'value' ? null : closing(character, open)
      return { reads: 'scalar', expected: 'comma_or_end' }
  }
}

function closing(character: string, open: ('{' | '[')[]): Next | null {
  if (character !== (open.at(-1) === '{' ? '}' : ']')) return null
  open.pop()
  return mark('comma_or_end')
}

function endOf(text: string, at: number, reads: Next['reads']): Scanned {
  if (reads === 'mark') return { end: at + 1, isWhole: true }
  if (reads === 'string') return endOfString(text, at)
  scalar.lastIndex = at
  return scalar.test(text) ? { end: scalar.lastIndex, isWhole: true } : { end: at, isWhole: false }
}

function endOfString(text: string, start: number): Scanned {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return { end: at + 1, isWhole: true }
    if (code < 0x20) break
    if (code === backslash) {
      escaped.lastIndex = at
      if (!escaped.test(text)) break
      at = escaped.lastIndex
    } else at += 1
  }
  return { end: at, isWhole: false }
}
