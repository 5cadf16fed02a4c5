// The encodings that are taken away before detectors look, one layer of each: percent, HTML
// entities and JSON escapes as views of the whole text; base64 and hexadecimal run by run. Linear.
import { bytesOfBase64, bytesOfHex, textOfUtf8 } from '#platform/bytes'
import { eachMatch } from './matches.ts'
import type { TextRange } from './span.ts'
import { viewWith, type TextView } from './text-view.ts'

const percent = /%(?:[0-7][0-9A-Fa-f]|[c-fC-F][0-9A-Fa-f](?:%[89abAB][0-9A-Fa-f]){1,3})/g

/** Without percent encoding. */
export function percentView(source: string): TextView | null {
  if (!source.includes('%')) return null
  return viewWith(source, percent, (one) => textOf(bytesOfHex(one.replaceAll('%', ''))))
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['ast', '*'],
  ['bsol', '\\'],
  ['colon', ':'],
  ['comma', ','],
  ['commat', '@'],
  ['dash', '-'],
  ['dollar', '$'],
  ['equals', '='],
  ['excl', '!'],
  ['gt', '>'],
  ['hyphen', '-'],
  ['lowbar', '_'],
  ['lpar', '('],
  ['lt', '<'],
  ['minus', '-'],
  ['nbsp', ' '],
  ['newline', '\n'],
  ['num', '#'],
  ['percnt', '%'],
  ['period', '.'],
  ['plus', '+'],
  ['quest', '?'],
  ['quot', '"'],
  ['rpar', ')'],
  ['semi', ';'],
  ['shy', ''],
  ['sol', '/'],
  ['tab', '\t'],
  ['zwj', ''],
  ['zwnj', ''],
])

const entities = /&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,7});/g

/** Without entities of HTML: all numbers, and the names of punctuation and white space. */
export function entityView(source: string): TextView | null {
  if (!source.includes('&')) return null
  return viewWith(source, entities, (entity) => {
    const name = entity.slice(1, -1)
    if (!name.startsWith('#')) return named.get(name.toLowerCase()) ?? null
    const isHex = name.charAt(1).toLowerCase() === 'x'
    const point = isHex ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    return point <= 0x10ffff ? String.fromCodePoint(point) : null
  })
}

const escapes = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["'\\/bfnrt])/g
const escaped: ReadonlyMap<string, string> = new Map([
  ['b', ''],
  ['f', '\n'],
  ['n', '\n'],
  ['r', '\n'],
  ['t', '\t'],
])

/** Without the escapes of JSON and of strings in programs. */
export function escapeView(source: string): TextView | null {
  if (!source.includes('\\')) return null
  return viewWith(source, escapes, (escape) => {
    const [, letter = ''] = escape
    if (letter === 'u' || letter === 'x') {
      return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
    }
    return escaped.get(letter) ?? letter
  })
}

/** A run of an encoding, and the text that it stands for. */
export interface DecodedRun extends TextRange {
  readonly text: string
}

const encodedMin = 10
const base64 = new RegExp(`[A-Za-z0-9+/_-]{${encodedMin},}={0,2}`, 'g')
const sign = '[A-Za-z0-9+/]'
const wrapped = new RegExp(
  `(?<!${sign})${sign}{60,76}(?:\\r?\\n${sign}{1,76}(?!${sign})){1,4000}={0,2}`,
  'g',
)
const hex = /(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{12,}(?![0-9A-Za-z])/g
const spacedHex = /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[ :]){5,4095}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/g

/** Every run of base64 or hexadecimal digits that stands for a text. */
export function decodedRuns(source: string): readonly DecodedRun[] {
  if (source.length < encodedMin) return []
  const found: DecodedRun[] = []
  for (const expression of [hex, spacedHex]) {
    eachMatch(source, expression, ({ 0: run, index }) => {
      const written = run.replaceAll(/^0x|[ :]/g, '')
      const text = written.length % 2 === 0 ? textOf(bytesOfHex(written)) : null
      if (text !== null) found.push({ start: index, end: index + run.length, text })
    })
  }
  eachMatch(source, wrapped, ({ 0: run, index }) => {
    const text = textOf(bytesOfBase64(run))
    if (text !== null) found.push({ start: index, end: index + run.length, text })
  })
  eachMatch(source, base64, ({ 0: run, index }) => {
    for (const one of base64In(run, index)) found.push(one)
  })
  return found
}

// Prose has neither capitals nor digits in a word, and what is encoded nearly always has.
const mixed = /[A-Z0-9]/

function base64In(run: string, index: number): readonly DecodedRun[] {
  if (!mixed.test(run)) return []
  const whole = textFrom(run)
  if (whole !== null) return [{ start: index, end: index + run.length, text: whole }]
  if (!/[/_-]/.test(run)) return []
  // A path or a name may stand before it.
  const found: DecodedRun[] = []
  eachMatch(run, /[A-Za-z0-9+]{10,}={0,2}/g, ({ 0: part, index: into }) => {
    const text = mixed.test(part) ? textFrom(part) : null
    const start = index + into
    if (text !== null) found.push({ start, end: start + part.length, text })
  })
  return found
}

/** Most words do not begin as an encoded text does, and need not be taken apart. */
function textFrom(run: string): string | null {
  const [first = 0] = bytesOfBase64(run.slice(0, 4))
  const isFirstOfText = first < 0x80 ? first >= 0x20 || first === 9 || first === 10 : first >= 0xc2
  return isFirstOfText ? textOf(bytesOfBase64(run)) : null
}

// eslint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

/** The text that the bytes are, or null where they are none. */
function textOf(bytes: Uint8Array): string | null {
  const text = textOfUtf8(bytes)
  // The last one stands for bytes that are no UTF-8.
  return unprintable.test(text) ? null : text
}
