// Whether a number of JSON is the one that is recorded: its decimal value, against that of the text
// which a double is written as. 0.1 is, and 9007199254740993 is not, since that becomes …992.
import { withoutEnd } from './text-end.ts'
import { pointerToken } from '../pointer-token.ts'

/** So many characters without an exponent are always exact. */
const exactCharacters = 15

export function isExactNumber(written: string): boolean {
  if (written.length <= exactCharacters && !/[eE]/.test(written)) return true
  // Anything else is for the parser to refuse.
  if (!parts.test(written)) return true
  const value = Number(written)
  // What no double is near to is refused for that.
  if (!Number.isFinite(value)) return true
  return decimalOf(written) === decimalOf(String(value))
}

const parts = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** One spelling of each decimal value: its digits without zeros at the ends, and the exponent. */
function decimalOf(written: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts.exec(written) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const ends = withoutEnd(digits, /0/)
  if (ends === '') return '0'
  const scale = Number(exponent) - fraction.length + (digits.length - ends.length)
  return `${sign}${ends}e${scale}`
}

interface Level {
  readonly isList: boolean
  index: number
  key: string
}

/** A JSON pointer to what begins there in the text, which is JSON; `parse` reads one key. */
export function pointerAt(text: string, offset: number, parse: (text: string) => unknown): string {
  const levels: Level[] = []
  for (let at = 0; at < offset; at += 1) {
    const one = text.charAt(at)
    const top = levels.at(-1)
    if (one === '{' || one === '[') levels.push({ isList: one === '[', index: 0, key: '' })
    else if (one === '}' || one === ']') levels.pop()
    else if (one === ',' && top !== undefined) top.index += 1
    else if (one === '"') {
      const end = stringEnd(text, at)
      const isKey = /^\s*:/.test(text.slice(end, end + 64))
      if (isKey && top !== undefined) top.key = String(parse(text.slice(at, end)))
      at = end - 1
    }
  }
  return levels.map(({ isList, index, key }) => `/${isList ? index : pointerToken(key)}`).join('')
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return at + 1
}
