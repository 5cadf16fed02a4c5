// Patterns of JSON Schema, which are written as ECMAScript has them, as RE2 takes them: the same
// language in the same characters, in linear time. What RE2 has no form for is refused.
import { celPackages } from '#platform/packages'

/** A pattern that can be searched for; `toString` is the pattern as it was written. */
export interface SchemaPattern {
  test(text: string): boolean
  toString(): string
}

/** Thrown where RE2 has no form for the pattern. */
export class PatternUnsupported extends Error {
  readonly pattern: string

  constructor(pattern: string, message: string) {
    super(message)
    this.pattern = pattern
  }
}

/** Throws `PatternUnsupported`. */
export function schemaPattern(pattern: string): SchemaPattern {
  const { RE2JS } = celPackages()
  let made: InstanceType<typeof RE2JS>
  try {
    made = RE2JS.compile(new Translation(pattern).text())
  } catch (error) {
    if (isMalformed(pattern)) {
      throw new PatternUnsupported(pattern, `\`${pattern}\` is malformed: no engine can read it`)
    }
    if (error instanceof PatternUnsupported) throw error
    const isFar = /\{(?:[0-9]{4,}|[0-9]+,[0-9]{4,})/.test(pattern)
    const help = isFar ? ': it counts to 1000 at most, so bound the length by `maxLength`' : ''
    throw new PatternUnsupported(pattern, `\`${pattern}\` is no pattern that RE2 takes${help}`)
  }
  return { test: (text) => made.test(text), toString: () => pattern }
}

/** Whether ECMAScript cannot read it either, with or without its older forms. */
function isMalformed(pattern: string): boolean {
  return ['u', ''].every((flags) => {
    try {
      return RegExp(pattern, flags).flags !== flags
    } catch {
      return true
    }
  })
}

/**
 * Whether both engines find the same in every text, for a pattern that ECMAScript takes: tables of
 * characters differ between versions of either, the engine takes the middle of a surrogate pair
 * for no boundary of a word, and nothing else differs that RE2 has a form for.
 */
export function isSameInBoth(pattern: string): boolean {
  if (/\\(?:[pP]\{|B)/.test(pattern)) return false
  try {
    schemaPattern(pattern)
    return true
  } catch {
    return false
  }
}

// White space and line ends as ECMAScript counts them; RE2 knows those of ASCII.
const spaces = [
  String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}`,
  String.raw`\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`,
].join('')
const others = [
  String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}`,
  String.raw`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}`,
  String.raw`\x{ff00}-\x{10ffff}`,
].join('')
const anyInLine = String.raw`[^\n\r\x{2028}\x{2029}]`
const anything = String.raw`[\x{0}-\x{10ffff}]`
const nothing = String.raw`[^\x{0}-\x{10ffff}]`

const categories = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfo]?)$/
const longNames: ReadonlyMap<string, string> = new Map([
  ['Letter', 'L'],
  ['Uppercase_Letter', 'Lu'],
  ['Lowercase_Letter', 'Ll'],
  ['Mark', 'M'],
  ['Number', 'N'],
  ['Decimal_Number', 'Nd'],
  ['Punctuation', 'P'],
  ['Symbol', 'S'],
  ['Separator', 'Z'],
])

const neverLinear = /^(?:\(\?<?[=!]|\\[1-9k])/
const property = /^\{(?:(?<kind>General_Category|gc|Script|sc)=)?(?<name>\w+)\}/
const hex = /^(?:u\{(?<point>[0-9a-fA-F]{1,6})\}|u(?<unit>[0-9a-fA-F]{4})|x(?<byte>[0-9a-fA-F]{2}))/
const lowSurrogate = /^\\u(?<unit>[dD][c-fC-F][0-9a-fA-F]{2})/

class Translation {
  readonly #pattern: string
  #at = 0
  /** Where what is being read began. */
  #from = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  text(): string {
    let made = ''
    while (this.#at < this.#pattern.length) made += this.#next()
    return made
  }

  #next(): string {
    this.#from = this.#at
    const one = this.#take()
    if (one === '\\') return this.#escape(false)
    if (one === '.') return anyInLine
    if (one === '[') return this.#class()
    return one === '(' ? this.#group() : one
  }

  /** The next character, whole. */
  #take(): string {
    const one = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
    this.#at += one.length
    return one
  }

  #left(): string {
    return this.#pattern.slice(this.#at)
  }

  #group(): string {
    const left = this.#left()
    if (!left.startsWith('?') || left.startsWith('?:')) return '('
    const named = /^\?<(?<name>[A-Za-z_]\w*)>/.exec(left)
    if (named !== null) {
      this.#at += named[0].length
      return `(?P<${named.groups?.['name'] ?? ''}>`
    }
    const flags = /^\?[is]+(?::|\))/.exec(left)
    if (flags !== null) return '('
    throw this.#unsupported(left.startsWith('?<=') || left.startsWith('?<!') ? 3 : 2)
  }

  #unsupported(length: number): PatternUnsupported {
    const found = this.#pattern.slice(this.#from, this.#at + length)
    const of = `\`${found}\` of \`${this.#pattern}\``
    const why = neverLinear.test(found) ? ': it has no lookaround or backreference' : ''
    const message = `${of} is not in RE2, which searches in linear time${why}`
    return new PatternUnsupported(this.#pattern, message)
  }

  /** Behind a backslash. */
  #escape(isInClass: boolean): string {
    const left = this.#left()
    const coded = hex.exec(left)
    if (coded !== null) {
      this.#at += coded[0].length
      return this.#point(coded.groups ?? {})
    }
    const one = this.#take()
    switch (one) {
      case 's':
        return isInClass ? spaces : `[${spaces}]`
      case 'S':
        return isInClass ? others : `[${others}]`
      case 'b':
        return isInClass ? String.raw`\x{8}` : String.raw`\b`
      case 'B':
        if (isInClass) throw this.#unsupported(0)
        return String.raw`\B`
      case 'd':
      case 'D':
      case 'w':
      case 'W':
      case 'n':
      case 'r':
      case 't':
      case 'v':
      case 'f':
        return `\\${one}`
      case '0':
        if (/^[0-9]/.test(this.#left())) throw this.#unsupported(0)
        return String.raw`\x{0}`
      case 'c':
        return this.#control()
      case 'p':
      case 'P':
        return this.#property(one)
      default:
        // A letter or digit without a meaning would get one in RE2, as `\A` has.
        if (/^[\p{L}\p{N}_]$/u.test(one) && one !== '_') throw this.#unsupported(0)
        return one === '_' ? one : literal(one)
    }
  }

  #point({ point, unit, byte }: Readonly<Record<string, string | undefined>>): string {
    if (unit === undefined) return `\\x{${point ?? byte ?? ''}}`
    const low = /^[dD][89abAB]/.test(unit) ? lowSurrogate.exec(this.#left()) : null
    if (low === null) return `\\x{${unit}}`
    this.#at += low[0].length
    const pair = [unit, low.groups?.['unit'] ?? ''].map((each) => Number.parseInt(each, 16))
    return `\\x{${(String.fromCharCode(...pair).codePointAt(0) ?? 0).toString(16)}}`
  }

  #control(): string {
    const letter = this.#take()
    if (!/^[A-Za-z]$/.test(letter)) throw this.#unsupported(0)
    return `\\x{${(letter.charCodeAt(0) % 32).toString(16)}}`
  }

  #property(sign: string): string {
    const found = property.exec(this.#left())
    const { kind = '', name = '' } = found?.groups ?? {}
    const isScript = kind === 'Script' || kind === 'sc'
    const category = categories.test(name) ? name : longNames.get(name)
    const known = isScript ? name : category
    if (found === null || known === undefined) throw this.#unsupported(found?.[0].length ?? 0)
    this.#at += found[0].length
    return `\\${sign}{${known}}`
  }

  #class(): string {
    const isNegated = this.#left().startsWith('^')
    if (isNegated) this.#at += 1
    let made = ''
    for (let one = this.#take(); one !== ']'; one = this.#take()) {
      if (this.#at > this.#pattern.length || one === '\0') throw this.#unsupported(0)
      made += this.#member(one)
    }
    if (made === '') return isNegated ? anything : nothing
    return `[${isNegated ? '^' : ''}${made}]`
  }

  /** What stands in a class; a range is kept one, and a dash beside a whole class is a dash. */
  #member(one: string): string {
    const start = this.#atom(one)
    if (!this.#left().startsWith('-') || this.#left().startsWith('-]')) return start.text
    this.#at += 1
    const end = this.#atom(this.#take())
    if (start.isOne && end.isOne) return `${start.text}-${end.text}`
    return `${start.text}\\-${end.text}`
  }

  #atom(one: string): { readonly text: string; readonly isOne: boolean } {
    this.#from = this.#at - one.length
    if (one !== '\\') return { text: literal(one), isOne: true }
    const isSet = /^[sSdDwWpP]/.test(this.#left())
    return { text: this.#escape(true), isOne: !isSet }
  }
}

/** A character that stands for itself, in a class and outside. */
function literal(one: string): string {
  return /^[!-/:-@[-^`{-~]$/.test(one) ? `\\${one}` : one
}
