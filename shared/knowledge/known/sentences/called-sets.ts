// All things that are called by a name: `all appointments with Dr. Hale after today`. What stands
// beside the name has to be understood, else no set is meant.
import { foldedWords } from './date-sets.ts'

const someWords = '(?: (?:of|the|my|our|those|these|future|upcoming|coming))*'
const title = '(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof)\\b\\.?'
const name =
  `["'“‘](?<quoted>[^"'”’]+)["'”’]|(?<written>(?:${title} )?(?!${title})\\p{Lu}[\\p{L}'’-]+` +
  `(?: \\p{Lu}[\\p{L}'’-]+)*)`
const ahead = 'after today|from (?:now|today|tomorrow) on(?:wards)?|in (?:the )?future'
const place = '(?:in|from|on) (?:my|the|our) (?:calendar|schedule|diary|inbox|mailbox)'
const after = `(?:,? (?:${place}))*(?:,? (?<ahead>${ahead}))?(?:,? (?:${place}))*`
const ends = '(?=\\s*$|\\s*[,;:.!?)]|\\s+(?:and|please|then)\\b)'

interface Called {
  readonly called: readonly string[]
  /** The addresses of those who take part. */
  readonly with: readonly string[]
  readonly time: string | null
}

/** Whether a text, less what speaks against something, means all things that are called so. */
export function meansAllCalled(
  one: Called,
  {
    text,
    thing,
    today,
  }: { readonly text: string; readonly thing: string; readonly today: string | null },
): boolean {
  const things = `(?:${thing}|appointment|event|meeting|entry|entrie|session|lesson|mail|message)s?`
  const set = new RegExp(
    `(?<![\\w-])(?:[Aa]ll|[Ee]very|[Ee]ach|[Aa]ny|[Bb]oth)${someWords} ${things} ` +
      `(?:with|called|named|titled) (?:${name})${after}${ends}`,
    'gu',
  )
  return [...text.matchAll(set)].some(({ groups = {} }) => {
    if (groups['ahead'] !== undefined && !isAhead(one.time, today)) return false
    const words = foldedWords(groups['quoted'] ?? groups['written'] ?? '')
    return [...one.called, ...one.with].some((each) => {
      const shown = foldedWords(each)
      return words.length > 0 && words.every((word) => shown.includes(word))
    })
  })
}

function isAhead(time: string | null, today: string | null): boolean {
  return time !== null && today !== null && time.slice(0, 10) > today
}
