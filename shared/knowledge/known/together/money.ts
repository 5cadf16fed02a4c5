// Whether a number in people's own words can be an amount that is to be paid, or is something else:
// of an order or a room, how many there are, what it was last time, the most that it may be.
import { quotes, type SaidValue } from './said-values.ts'

const currencies =
  '[$€£¥]|\\b(?:USD|EUR|GBP|CHF|dollars?|bucks|euros?|pounds?|quid|francs?|cents?)\\b'
const currencyAfter = new RegExp(`^ ?(?:${currencies})`, 'i')
const currencyBefore = new RegExp(`(?:${currencies}) ?$`, 'i')

const months =
  'january|february|march|april|may|june|july|august|september|october|november|december'
/** Before a number it says of what it is one. */
const labelled = new RegExp(
  '(?:\\b(?:number|numbers|no\\.?|nr\\.?|num|order|ticket|invoice|bill|customer|reference|ref' +
    '|room|house|apartment|flat|floor|gate|flight|line|platform|page|chapter|section|step|part' +
    '|version|build|year|since|until|till|phone|telephone|tel|mobile|code|pin|zip|postcode|id' +
    `|age|aged|at)|#)[:.]? ?$|\\b(?:${months})\\.? ?$`,
  'i',
)
/** Before a number it says that this one is not what is to be paid. */
const unmeant = new RegExp(
  '\\b(?:at most|up to|maximum(?: of)?|max\\.?|no more than|not more than|less than|more than' +
    '|under|below|above|(?<!send |hand )over|at least|minimum(?: of)?|limit (?:of|is)' +
    '|instead of|rather than' +
    '|(?:half|thirds?|quarters?|fifths?|percent|%|share|part) of(?: the)?' +
    '|last (?:time|month|year|week)(?:,| it| was| were| we| i| paid| cost| the [a-z]+)*' +
    '|(?:used to|previously|formerly|earlier|before|originally)(?:,| it| was| were| be| cost)*' +
    "|(?:i|we)(?:['’]ve| only| still| now)*(?: have| had| own| earn| got)" +
    '(?: only| still| about)?' +
    '|balance(?: is| of| was)?|account (?:holds|has|shows))[:,]? ?$',
  'i',
)
/** After a number these say no more of it; any other word says what it counts. */
const goingOn =
  'to|for|from|on|by|via|as|back|and|each|in|at|now|please|today|tomorrow|out|off|of|with|per|it' +
  '|is|are|if|or|which|that|this|into|onto|using|then|so|but|altogether|monthly|again|went|goes?' +
  '|immediately|respectively|has|have|had|should|must|shall|will|was|because|when|since|while' +
  '|last|next|yesterday|ago|before|after|earlier|plus|instead|rather|not|except|through' +
  '|towards?|s?h[e]|they|i|we|needs?|due|owed|more|less'
const free = new RegExp(
  `^(?:[\\s)\\]]*$|[\\s)\\]'"’”]*[^\\p{L}\\p{N}\\s%]|\\s*\\n` +
    `|\\s+(?:(?:${goingOn})(?![\\p{L}])|\\P{L}|[A-Z]{2}[0-9]))`,
  'iu',
)
/** A part of what was spoken of: `half of it`, `her third`; `half of 90` says of what. */
const partOfIt = new RegExp(
  '\\b(?:half|(?:a|one|two|h(?:er|is)|my|our|their) (?:third|quarter|fifth)s?|percent|%)' +
    '(?: of (?:it|that|this|them|the [a-z]+))?\\b(?! of (?:the )?[$€£]?[0-9])(?! past)',
  'i',
)

/** Whether the number can be money that is asked for, by what stands around it. */
export function isMoney(
  sentences: readonly string[],
  at: number,
  { start, end }: SaidValue,
): boolean {
  const text = sentences[at] ?? ''
  const before = text.slice(0, start).replace(/[$€£¥]$/, '')
  const after = text.slice(end)
  if (unmeant.test(before) || isQuoted(text, start)) return false
  // A part of what was spoken of before is meant, and not all of it.
  const [here, later] = [partOfIt.exec(text), partOfIt.exec(sentences[at + 1] ?? '')]
  if (later !== null || (here !== null && here.index > start)) return false
  if (currencyAfter.test(after) || currencyBefore.test(text.slice(0, start))) return true
  return !labelled.test(before) && free.test(after)
}

/** It is a part of what is quoted, such as the subject that it is to have. */
function isQuoted(text: string, at: number): boolean {
  return [...text.matchAll(quotes)].some(({ 0: whole, 2: inner = '', index }) => {
    return index < at && at < index + whole.length && /\p{L}/u.test(inner)
  })
}
