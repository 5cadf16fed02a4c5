// Secrets in XML and HTML: in an element that is called so, or that an attribute calls so; in an
// element inside of it or beside one that has the name; in an attribute beside one. Linear.
import { eachMatch } from '../matches.ts'
import type { Finding } from '../span.ts'
import { isNameOfPair, isTypeOfPair, isValueOfPair } from './pair-names.ts'
import { keyWord, passWord, secretNameOf, type SecretName } from './secret-names.ts'
import { isLabelOf, isQuotedSecret } from './values.ts'

const tag = new RegExp(
  [
    String.raw`<(?<close>\/)?(?<name>[A-Za-z][\w.:-]{0,64})`,
    String.raw`(?<attributes>\s[^<>]{0,2048}?)?(?<empty>\/)?>`,
    String.raw`(?:\s{0,64}<!\[CDATA\[(?<data>[^<>\]]{1,4096})\]\]>\s{0,64}|(?<text>[^<]{1,4096}))?`,
  ].join(''),
  'g',
)
const attribute =
  /(?<name>[A-Za-z_][\w.:-]{0,64})\s?=\s?(?:"(?<one>[^"]{0,4096})"|'(?<two>[^']{0,4096})')/dg

/** Where none is in a text, its elements need not be looked at. */
const signOfName = new RegExp(
  `${passWord}|${keyWord}|pass|authorization|auth-|cookie|encrypted`,
  'i',
)

/** A name that says that something is secret. */
interface Named {
  readonly name: string
  readonly kind: SecretName
}

interface Part {
  readonly start: number
  readonly end: number
}

interface Element {
  readonly name: string
  /** What its own name, or an attribute, says of its text. */
  readonly own: Named | null
  /** What the last name in it says of the value that follows; `none` where that is no secret. */
  given: Named | null | 'none'
  /** A value in it that stands before its name. */
  loose: Part | null
}

const depthMax = 64
/** What stands in a value, or beside a key, and says of what type it is. */
const typed: ReadonlySet<string> = new Set(['string', 'data', 'str', 'text'])
/** They have no end. */
const empty: ReadonlySet<string> = new Set('br hr img input link meta'.split(' '))
/** Elements have names and titles of other things, too: of attributes these name a value. */
const namesValue = /^(?:name|key|id|option|property|setting|field|variable|parameter|header)$/i

export function elementsIn(text: string): readonly Finding[] {
  if (!signOfName.test(text)) return []
  const open: Element[] = [elementOf('', null)]
  const found: Finding[] = []
  const take = ({ start, end }: Part, named: Named | null): void => {
    if (named === null) return
    const value = text.slice(start, end)
    if (!isQuotedSecret(value, named.kind) || isLabelOf(value, named.name)) return
    // A title, and a text about it.
    if (/\s/.test(named.name) && /\s/.test(value)) return
    found.push({ start, end, kind: 'secret' })
  }
  eachMatch(text, tag, ({ 0: match, index, groups = {} }) => {
    const name = localOf(groups['name'] ?? '')
    if (groups['close'] !== undefined) {
      closed(open, name)
      return
    }
    const parent = open.at(-1) ?? elementOf('', null)
    const from = index + 1 + (groups['name'] ?? '').length
    const byAttribute = attributesIn(groups['attributes'] ?? '', from, take)
    const part = partOf(match, index, groups)
    // Where another element begins behind it, it is prose.
    const isWhole = part !== null && text.startsWith('</', index + match.length)
    const isName = isWhole && isNameIn(parent, name)
    if (isName) {
      const named = namedBy(text.slice(part.start, part.end))
      if (parent.loose !== null) take(parent.loose, named)
      parent.given = parent.loose === null ? (named ?? 'none') : null
      parent.loose = null
    }
    const value = isName ? null : valueIn(parent, name, isWhole ? part : null)
    const own = namedBy(name) ?? byAttribute ?? value
    if (isWhole) take(part, own)
    if (groups['empty'] === undefined && !empty.has(name) && open.length < depthMax) {
      open.push(elementOf(name, own))
    }
  })
  return found
}

function elementOf(name: string, own: Named | null): Element {
  return { name, own, given: null, loose: null }
}

function localOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

function closed(open: Element[], name: string): void {
  const at = open.findLastIndex((one) => one.name === name)
  if (at > 0) open.length = at
}

function namedBy(name: string): Named | null {
  const kind = secretNameOf(name)
  return kind === null ? null : { name, kind }
}

/** The text behind a tag, without white space around it. */
function partOf(match: string, index: number, groups: Record<string, string>): Part | null {
  const { data, text = data ?? '' } = groups
  const inside = text.trim()
  if (inside === '') return null
  const before = text.length - text.trimStart().length
  const at = data === undefined ? match.length - text.length : match.lastIndexOf('[') + 1
  const start = index + at + before
  return { start, end: start + inside.length }
}

/** In a map of Java the first of two texts is the name. */
function isNameIn(parent: Element, name: string): boolean {
  if (isNameOfPair(name)) return true
  return parent.name === 'entry' && name === 'string' && parent.given === null
}

/** What a value has from its parent, or from the name before it. */
function valueIn(parent: Element, name: string, part: Part | null): Named | null {
  if (!isValueOfPair(name) && !typed.has(name.toLowerCase())) return null
  const { given } = parent
  if (given === null && parent.own === null) parent.loose = part
  if (given !== null) parent.given = 'none'
  return given === null || given === 'none' ? parent.own : given
}

/** What an attribute says of the element's text; values in others are taken. */
function attributesIn(
  written: string,
  from: number,
  take: (part: Part, named: Named | null) => void,
): Named | null {
  if (!written.includes('=')) return null
  const names: Named[] = []
  const fields: Named[] = []
  const values: Part[] = []
  eachMatch(written, attribute, ({ groups = {}, indices }) => {
    const name = localOf(groups['name'] ?? '')
    const value = groups['one'] ?? groups['two'] ?? ''
    const [start, end] = indices?.groups?.['one'] ?? indices?.groups?.['two'] ?? [0, 0]
    const named = namesValue.test(name) ? namedBy(value) : null
    if (named !== null) names.push(named)
    if (isTypeOfPair(name, value)) fields.push({ name: value, kind: 'pass' })
    if (isValueOfPair(name) && start < end) values.push({ start: from + start, end: from + end })
  })
  for (const part of values) take(part, names[0] ?? fields[0] ?? null)
  return names[0] ?? null
}
