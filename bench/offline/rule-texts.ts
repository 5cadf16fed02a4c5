// The texts with which a finder of secrets tries its own rules, read out of its sources in Go: what
// each rule has to find, and what it must not. Only what such tests are made of is understood:
// texts, lists of them, sums, and calls that make a secret by chance from an expression.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'

export interface RuleText {
  readonly rule: string
  readonly isSecret: boolean
  readonly text: string
}

const sources = join('cmd', 'generate', 'config')

/** Null where the folder is no clone of github.com/gitleaks/gitleaks. */
export function ruleTextsIn(folder: string): readonly RuleText[] | null {
  const rules = join(folder, sources, 'rules')
  if (!existsSync(rules)) return null
  const utils = join(folder, sources, 'utils')
  const forms = valueIn(readFileSync(join(utils, 'generate.go'), 'utf8'), 'samples')
  const patterns = patternsOf(readFileSync(join(utils, 'patterns.go'), 'utf8'))
  const found: RuleText[] = []
  for (const file of readdirSync(rules).toSorted()) {
    if (!file.endsWith('.go')) continue
    const functions = readFileSync(join(rules, file), 'utf8').split(/^(?=func )/m)
    for (const source of functions) {
      const [, rule = ''] = /RuleID:\s*"([^"]+)"/.exec(source) ?? []
      if (rule === '') continue
      const read = new Reading(source, { forms, patterns })
      for (const text of read.textsOf('tps')) found.push({ rule, isSecret: true, text })
      for (const text of read.textsOf('fps')) found.push({ rule, isSecret: false, text })
    }
  }
  return found
}

function valueIn(source: string, name: string): readonly string[] {
  return new Reading(source, { forms: [], patterns: new Map() }).textsOf(name)
}

/** What stands for a class of signs: `func Hex(size string)` with `[a-f0-9]{%s}`. */
function patternsOf(source: string): ReadonlyMap<string, string> {
  const found = source.matchAll(/func (\w+)\([^)]*\) string \{\s*return [^`]*`([^`]+)`/g)
  return new Map([...found].map(([, name = '', pattern = '']) => [name, pattern]))
}

const comment = '\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/'
const quote = '`(?<raw>[^`]*)`|(?<quoted>"(?:[^"\\\\]|\\\\.)*")'
const token = new RegExp(`${comment}|${quote}|(?<word>[\\w.]+)|(?<sign>:=|\\.\\.\\.|\\S)`, 'g')

interface Token {
  readonly text: string
  readonly kind: 'text' | 'word' | 'sign'
}

function tokensOf(source: string): readonly Token[] {
  return [...source.matchAll(token)].flatMap(({ groups = {} }): Token[] => {
    const { raw, quoted, word, sign } = groups
    if (raw !== undefined) return [{ text: raw, kind: 'text' }]
    if (quoted !== undefined) return [{ text: unquoted(quoted), kind: 'text' }]
    if (word !== undefined) return [{ text: word, kind: 'word' }]
    return sign === undefined ? [] : [{ text: sign, kind: 'sign' }]
  })
}

const escaped: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

function unquoted(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)/g, (_, one: string) => {
      if (one.length > 1) return String.fromCharCode(Number.parseInt(one.slice(1), 16))
      return escaped.get(one) ?? one
    })
}

/** A text, several, or what is not understood. */
type Value = readonly string[] | null

interface Known {
  readonly forms: readonly string[]
  readonly patterns: ReadonlyMap<string, string>
}

class Reading {
  readonly #tokens: readonly Token[]
  readonly #known: Known
  readonly #variables = new Map<string, Value>()
  #at = 0

  constructor(source: string, known: Known) {
    this.#tokens = tokensOf(source)
    this.#known = known
    for (; this.#at < this.#tokens.length; this.#at += 1) {
      const name = this.#tokens[this.#at]
      const isGiven = this.#isSign(1, ':=') || this.#isSign(1, '=')
      if (name?.kind !== 'word' || !isGiven) continue
      const before = this.#at
      this.#at += 2
      this.#variables.set(name.text, this.#sum())
      this.#at = Math.max(before + 1, this.#at - 1)
    }
  }

  textsOf(name: string): readonly string[] {
    return this.#variables.get(name) ?? []
  }

  #isSign(ahead: number, sign: string): boolean {
    const one = this.#tokens[this.#at + ahead]
    return one?.kind === 'sign' && one.text === sign
  }

  #sum(): Value {
    let value = this.#term()
    while (this.#isSign(0, '+')) {
      this.#at += 1
      const next = this.#term()
      value = value === null || next === null ? null : [`${value[0] ?? ''}${next[0] ?? ''}`]
    }
    return value
  }

  #term(): Value {
    const one = this.#tokens[this.#at]
    if (one === undefined) return null
    this.#at += 1
    if (one.kind === 'text') return [one.text]
    if (one.kind === 'sign') {
      // A list, or a map, whose keys are paths: `[]string{…}`.
      if (one.text !== '[') return null
      while (this.#at < this.#tokens.length && !this.#isSign(0, '{')) this.#at += 1
      return this.#items('}')
    }
    if (one.text === 'map') {
      while (this.#at < this.#tokens.length && !this.#isSign(0, '{')) this.#at += 1
      return this.#items('}')
    }
    if (!this.#isSign(0, '(')) return this.#variables.get(one.text) ?? null
    return this.#called(one.text.replace(/^.*\./, ''), this.#arguments())
  }

  /** Those between brackets; of an item with a key, what it has. What is not understood goes. */
  #items(closing: string): readonly string[] {
    return this.#listed(closing).flatMap((item) => item ?? [])
  }

  #arguments(): readonly Value[] {
    return this.#listed(')')
  }

  #listed(closing: string): readonly Value[] {
    const found: Value[] = []
    this.#at += 1
    while (this.#at < this.#tokens.length && !this.#isSign(0, closing)) {
      const before = this.#at
      let item = this.#sum()
      if (this.#isSign(0, ':')) {
        this.#at += 1
        item = this.#sum()
      }
      found.push(item)
      if (this.#isSign(0, '...')) this.#at += 1
      if (this.#isSign(0, ',')) this.#at += 1
      else if (!this.#isSign(0, closing)) this.#at = Math.max(this.#at, before) + 1
    }
    this.#at += 1
    return found
  }

  #called(name: string, given: readonly Value[]): Value {
    const [first, second] = given.map((one) => one?.[0])
    if (name === 'append') return given.flatMap((one) => one ?? [])
    if (name === 'NewSecret' || name === 'newPlausibleSecret') {
      return first === undefined ? null : madeFrom(first)
    }
    if (name === 'GenerateSampleSecret' && second !== undefined) {
      return [`${first ?? ''}_api_token = "${second}"`]
    }
    if (name === 'GenerateSampleSecrets' && first !== undefined && second !== undefined) {
      return this.#known.forms.map((form) =>
        form
          .replaceAll('{i}', first)
          .replaceAll('{I}', first.toUpperCase())
          .replaceAll('{s}', second),
      )
    }
    const pattern = this.#known.patterns.get(name)
    return pattern === undefined ? null : [pattern.replace('%s', first ?? '')]
  }
}

/** The same in every run. */
function madeFrom(expression: string): Value {
  const form = expression.replaceAll(/\(\?-?i\)|\\b/g, '').replaceAll(/\(\?-?i:/g, '(?:')
  const seed = expression.length * 31 + expression.charCodeAt(expression.length >> 1)
  try {
    const made = fc.sample(fc.stringMatching(new RegExp(`^(?:${form})$`)), { numRuns: 9, seed })
    return [made.find((one) => /[1-9]/.test(one) && !/\s/.test(one)) ?? made[0] ?? '']
  } catch {
    return null
  }
}
