// What redaction finds in texts that others wrote and marked, and what it changes in texts that
// hold nothing secret.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { z } from 'zod'
import { redact, redactedMark } from '#firewall/redact'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { single, type Bench, type Figure } from '../harness.ts'
import fc from 'fast-check'

/**
 * Over the folders given, else over texts of the packages that are installed here. For `--corpus`
 * there are a clone of github.com/Plazmaz/leaky-repo; one of github.com/gitleaks/gitleaks, with the
 * tests of its rules; `data` of one of github.com/microsoft/presidio-research (texts with
 * `full_text` and `spans`); any other folder, as harmless texts. None of them is a part of this
 * project, and of a folder that is not there nothing is counted.
 */
export const bench: Bench = {
  title: 'Redaction: what it finds, and what it changes',
  run: ({ corpora }) => {
    const named = corpora.length > 0 ? corpora : [join(packageRoot(), 'node_modules')]
    return Promise.resolve(named.flatMap((folder) => countedIn(folder)))
  },
}

const marks = join('.leaky-meta', 'secrets.csv')

function countedIn(folder: string): readonly Figure[] {
  if (!existsSync(folder)) {
    process.stderr.write(`not there, so nothing is counted of it: ${folder}\n`)
    return []
  }
  const rules = ruleTextsIn(folder)
  if (rules !== null) return countedRules(rules)
  if (existsSync(join(folder, marks))) return countedLines(folder)
  const marked = filesBelow(folder).filter((path) => hasSpans(path))
  return marked.length > 0 ? countedSpans(marked) : countedHarmless(folder)
}

function shown(text: string): string {
  const { value } = redact(text, { maxDepth: 64 })
  return typeof value === 'string' ? value : redactedMark
}

/** A share, and of how many; at least so much of it where an aim is given. */
function share(name: string, counted: number, of: number, least?: number): Figure {
  const aims = least === undefined ? [] : [{ of: 'figure', least } as const]
  return single(`${name}: ${counted} of ${of}`, '%', (100 * counted) / of, aims)
}

/** Each file of that repository states how many of its lines are a risk. */
function countedLines(folder: string): readonly Figure[] {
  const lines = readFileSync(join(folder, marks), 'utf8').split('\n')
  let [found, risky] = [0, 0]
  for (const line of lines) {
    const [path = '', risk = ''] = line.split(',')
    if (line.trim() === '' || line.startsWith('#')) continue
    const text = readFileSync(join(folder, path), 'latin1')
    const left = new Set(shown(text).split('\n'))
    const changed = text.split('\n').filter((one) => one.trim() !== '' && !left.has(one)).length
    risky += Number(risk)
    found += Math.min(changed, Number(risk))
  }
  // A file counts as many changed lines as it has marked ones, and no more.
  return [share('leaky-repo: risky lines', found, risky, 90)]
}

/** A text that one rule must not find may hold what another has to. */
function countedRules(texts: readonly RuleText[]): readonly Figure[] {
  const counted = (isSecret: boolean): Figure => {
    const of = texts.filter((one) => one.isSecret === isSecret)
    const changed = of.filter(({ text }) => shown(text) !== text).length
    return isSecret
      ? share('gitleaks: texts of its rules, found', changed, of.length, 95)
      : share('gitleaks: texts that a rule must not find, left', of.length - changed, of.length)
  }
  return [counted(true), counted(false)]
}

const Marked = z.array(
  z.looseObject({
    full_text: z.string(),
    spans: z.array(z.looseObject({ entity_type: z.string(), entity_value: z.string() })),
  }),
)
/** What redaction is to find; names, places and dates have no form. */
const looked: ReadonlySet<string> = new Set([
  'CREDIT_CARD',
  'EMAIL_ADDRESS',
  'IBAN_CODE',
  'PHONE_NUMBER',
  'US_SSN',
])

function hasSpans(path: string): boolean {
  if (extname(path) !== '.json') return false
  const begins = readFileSync(path, 'utf8').slice(0, 4_096)
  return begins.includes('"full_text"') && begins.includes('"spans"')
}

function countedSpans(paths: readonly string[]): readonly Figure[] {
  const kinds = new Map<string, { found: number; of: number }>()
  let [changed, without] = [0, 0]
  for (const path of paths) {
    for (const { full_text: text, spans } of Marked.parse(JSON.parse(readFileSync(path, 'utf8')))) {
      const left = shown(text)
      const sought = spans.filter((span) => looked.has(span.entity_type))
      for (const { entity_type: kind, entity_value: value } of sought) {
        const { found, of } = kinds.get(kind) ?? { found: 0, of: 0 }
        kinds.set(kind, { found: found + (left.includes(value) ? 0 : 1), of: of + 1 })
      }
      if (sought.length > 0) continue
      without += 1
      if (left !== text) changed += 1
    }
  }
  return [
    ...[...kinds].map(([kind, { found, of }]) =>
      share(`Presidio: ${kind}`, found, of, kind === 'PHONE_NUMBER' ? 95 : undefined),
    ),
    share('Presidio: texts without any, changed', changed, without),
  ]
}

const harmlessTexts = 2_000
const sizes = { min: 200, max: 200_000 }
const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY/

/** The same ones in every run; those with an address or a private key are not harmless. */
function countedHarmless(folder: string): readonly Figure[] {
  let texts = 0
  const changed: string[] = []
  for (const path of inOrderOfHash(folder)) {
    if (texts >= harmlessTexts) break
    const text = readFileSync(path, 'utf8')
    if (text.includes('\0') || address.test(text) || privateKey.test(text)) continue
    texts += 1
    if (shown(text) !== text) changed.push(relative(folder, path))
  }
  // Not each of those that are changed is harmless: some show a password or a telephone.
  for (const path of changed) process.stderr.write(`changed: ${path}\n`)
  return [share(`${basename(folder)}: texts changed`, changed.length, texts)]
}

function inOrderOfHash(folder: string): readonly string[] {
  const hashOf = (path: string): string =>
    createHash('sha256').update(relative(folder, path)).digest('hex')
  return filesBelow(folder)
    .filter((path) => statSync(path).size >= sizes.min && statSync(path).size <= sizes.max)
    .map((path) => [hashOf(path), path] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, path]) => path)
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[/\\]\.[^/\\]*[/\\]/.test(path))
    .toSorted()
}

// The texts with which a finder of secrets tries its own rules, read out of its sources in Go: what
// each rule has to find, and what it must not. Only what such tests are made of is understood:
// texts, lists of them, sums, and calls that make a secret by chance from an expression.

interface RuleText {
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
