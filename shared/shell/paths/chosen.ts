// Which paths a search or a listing chooses: those below its roots that its filters let through.
// A filter may be read as wider than it is, never as narrower.
import { deepMark, globMark, unknownMark } from '../marks.ts'

export interface PathChoice {
  /** Patterns with marks, of which one fits; without any, every path is chosen. */
  readonly filters: readonly string[]
  /** Whether hidden files and all folders below are among them. */
  readonly isDeep: boolean
}

/** The paths below a root, as texts with marks. */
export function chosenBelow(root: string, { filters, isDeep }: PathChoice): readonly string[] {
  const base = root.startsWith('-') ? `./${root}` : root.replace(/(?<=.)\/+$/u, '')
  if (filters.length === 0) {
    return [isDeep ? `${base}/${deepMark}/${globMark}` : `${base}/${globMark}`]
  }
  return filters.map((filter) => {
    const isWhole = /^(?:\/|\.\.?\/)/u.test(filter) || filter.startsWith(`${base}/`)
    return isWhole ? filter : `${base}/${deepMark}/${filter}`
  })
}

/** The patterns of a filter by its role: none for one that only leaves paths out. */
export function filtersOf(role: string, text: string): readonly string[] {
  if (text.includes(unknownMark)) return [globMark]
  switch (role) {
    case 'filter':
      return globsOf(text)
    case 'regex':
      return expressionGlobs(text)
    case 'extension':
      return [`${globMark}.${text.replace(/^\./u, '')}`]
    default:
      return []
  }
}

/** Whether the role is that of a filter. */
export function isFilterRole(role: string): boolean {
  return role === 'filter' || role === 'regex' || role === 'extension'
}

/** Whether a search for it shows more or less every line. */
export function findsAll(pattern: string): boolean {
  if (pattern.includes(unknownMark)) return true
  return expressionGlobs(pattern).some((glob) => glob.replaceAll(globMark, '').trim().length < 2)
}

const alternativesMax = 64

/** Of a pattern for names: `*`, `?`, `[…]`, `{a,b}`. */
function globsOf(text: string): readonly string[] {
  let all: readonly string[] = [text]
  // Each turn at least doubles those that have braces, so there are few.
  while (all.some((one) => withoutBraces(one) !== null)) {
    all = all.flatMap((one) => withoutBraces(one) ?? [one])
    if (all.length > alternativesMax) return [globMark]
  }
  return all.filter((one) => !one.startsWith('!')).map(markedGlob)
}

/** What the first alternatives of a pattern in braces make of it; null where it has none. */
function withoutBraces(text: string): readonly string[] | null {
  const [open, close] = [text.indexOf('{'), text.indexOf('}')]
  if (text.startsWith('!') || open === -1 || open > close) return null
  const inner = text.slice(open + 1, close)
  if (inner.includes('{') || !inner.includes(',')) return [globMark]
  return inner.split(',').map((one) => text.slice(0, open) + one + text.slice(close + 1))
}

function markedGlob(text: string): string {
  const marked = text
    .replaceAll(/\\(?<one>.)/gu, '$<one>')
    .replaceAll(/\[[^\]]*\]|[*?]/gu, globMark)
  return joined(marked)
}

function joined(text: string): string {
  return text.replaceAll(new RegExp(`${globMark}+`, 'gu'), globMark)
}

/** Of a regular expression of any dialect, unanchored as it may be. */
function expressionGlobs(text: string): readonly string[] {
  const found = new Expression(text).alternatives()
  return found.length > alternativesMax ? [globMark] : found.map(joined)
}

/** Reads an expression by what it is made of; what it cannot say exactly becomes a mark. */
class Expression {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  alternatives(): readonly string[] {
    return this.#either(0).map((one) => {
      const start = one.startsWith('^') ? one.slice(1) : globMark + one
      return start.endsWith('$') ? start.slice(0, -1) : start + globMark
    })
  }

  #either(depth: number): readonly string[] {
    const all: string[] = []
    for (;;) {
      all.push(...this.#sequence(depth))
      if (all.length > alternativesMax) return this.#tooMany()
      if (!this.#takes('|') && !this.#takes('\\|')) return all
    }
  }

  #tooMany(): readonly string[] {
    this.#at = this.#text.length
    return [globMark]
  }

  #sequence(depth: number): readonly string[] {
    let made: readonly string[] = ['']
    while (this.#at < this.#text.length) {
      const rest = this.#text.slice(this.#at, this.#at + 2)
      if (rest.startsWith('|') || rest === '\\|') return made
      if (rest.startsWith(')') || rest === '\\)') return made
      const piece = this.#piece(depth)
      const isRepeated = /^(?:[*+?]|\{[\d,]*\}|\\[+?])/u.exec(this.#text.slice(this.#at))
      if (isRepeated !== null) this.#at += isRepeated[0].length
      const texts = isRepeated === null ? piece : [globMark]
      made = made.flatMap((before) => texts.map((one) => before + one))
      if (made.length > alternativesMax) return this.#tooMany()
    }
    return made
  }

  #piece(depth: number): readonly string[] {
    if (depth < 12 && (this.#takes('(') || this.#takes('\\('))) {
      const ahead = /^\?(?<kind>[!<=]+|[a-zA-Z-]*[:)])/u.exec(this.#text.slice(this.#at))
      if (ahead !== null) this.#at += ahead[0].length
      if (ahead?.groups?.['kind']?.endsWith(')') === true) return ['']
      const inner = this.#either(depth + 1)
      if (!this.#takes(')')) this.#takes('\\)')
      const isLook = ahead !== null && !ahead[0].endsWith(':')
      return isLook ? [''] : inner.map((one) => one.replaceAll(/[$^]/gu, globMark))
    }
    if (this.#takes('[')) {
      const end = this.#text.indexOf(']', this.#at + 1)
      this.#at = end === -1 ? this.#text.length : end + 1
      return [globMark]
    }
    if (this.#takes('.')) return [globMark]
    if (this.#takes('\\')) {
      const one = this.#text[this.#at] ?? ''
      this.#at += 1
      return [/[A-Za-z0-9<>]/u.test(one) ? globMark : one === '$' || one === '^' ? globMark : one]
    }
    const one = this.#text[this.#at] ?? ''
    this.#at += 1
    return [one]
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}
