// Numbers of accounts, cards and telephones: written with or without spaces and hyphens between
// groups, they are one number.
import { isDigit, standsAlone, type Edges } from './edges.ts'

const edges: Edges = { always: '', before: '-./', after: '-./' }
const charactersMax = 64

export function groupedForm(text: string): string | null {
  const joined = upper(text.replaceAll(/[ \u00a0-]+/g, ''))
  const isOne = joined.length > 0 && joined.length <= charactersMax
  return isOne && /^[0-9A-Za-z+_.:/@]+$/.test(joined) ? joined : null
}

/** Between two characters of the number there may be one space or hyphen. */
export function isGroupedIn(number: string, text: string): boolean {
  const first = number.charAt(0)
  for (let start = 0; start < text.length; start += 1) {
    if (upper(text.charAt(start)) !== first) continue
    const end = endOf(number, text, start)
    if (end === null || isOfLonger(text, { start, end, number })) continue
    if (standsAlone(text, { start, end }, edges)) return true
  }
  return false
}

function endOf(number: string, text: string, start: number): number | null {
  let at = start
  for (let index = 0; index < number.length; index += 1) {
    if (index > 0 && isSeparator(text.charAt(at)) && !isSeparator(number.charAt(index))) at += 1
    if (upper(text.charAt(at)) !== number.charAt(index)) return null
    at += 1
  }
  return at
}

// In groups, a further group of digits belongs to the same number.
function isOfLonger(
  text: string,
  found: { readonly start: number; readonly end: number; readonly number: string },
): boolean {
  const { start, end, number } = found
  if (end - start === number.length) return false
  return (
    (isSeparator(text.charAt(end)) && isDigit(text.charCodeAt(end + 1))) ||
    (isSeparator(text.charAt(start - 1)) && isDigit(text.charCodeAt(start - 2)))
  )
}

function isSeparator(character: string): boolean {
  return character === ' ' || character === '\u00a0' || character === '-'
}

function upper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}
