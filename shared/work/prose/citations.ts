// Whether a text cites anything, in one of the forms that people write.

const etAl = /[\p{L}\p{N}_] et al\./u
const numbers = /\[\^?\p{Nd}{1,9}(?:\s?[,;\u2013-]\s?\p{Nd}{1,9}){0,32}\]/u
const footnote = /\[\^[^\s[\]^]{1,64}\]/u
const doi = /(?<![\p{L}\p{N}_.])10\.[0-9]{4,9}\/[^\s]/u
const parenthesis = /\(([^()\n]{4,200})\)/gu
/** `Smith, 2024`, in parentheses: who, and the year at the end. */
const whoAndYear = /^(?<who>.*?)[,\s]\s{0,4}\p{Nd}{4}[a-z]?$/u
const yearAlone = /^\p{Nd}{4}[a-z]?$/u
/** The name before a year that stands alone in parentheses. */
const nameBefore = /\p{Lu}[\p{L}\p{M}'\u2019-]{0,63} $/u
const lookBack = 66

const months = new Set(
  [
    'january february march april may june july august september october november december',
    'jan feb mar apr jun jul aug sep sept oct nov dec',
  ].flatMap((names) => names.split(' ')),
)

/** `prose` is the text of one block without its code. */
export function hasCitation(prose: string): boolean {
  if ([etAl, numbers, footnote, doi].some((form) => form.test(prose))) return true
  for (const { 1: inside = '', index } of prose.matchAll(parenthesis)) {
    if (yearAlone.test(inside)) {
      const name = nameBefore.exec(prose.slice(Math.max(0, index - lookBack), index))?.[0]
      if (name !== undefined && !isMonth(name)) return true
    } else if (isSource(inside)) return true
  }
  return false
}

function isSource(inside: string): boolean {
  const who = whoAndYear.exec(inside)?.groups?.['who']?.trim() ?? ''
  if (/^[\p{L}\p{N}_.'\u2019-]+,?$/u.test(who)) return !isMonth(who)
  return /\p{L}/u.test(who) && /[&;,]| and | et al/u.test(who)
}

function isMonth(name: string): boolean {
  return months.has(name.replaceAll(/[\s,.]/g, '').toLowerCase())
}
