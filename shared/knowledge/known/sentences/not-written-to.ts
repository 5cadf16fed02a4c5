// To whom people do not want anything written: `do not answer Ann`, `no reply to them`, `don't send
// anything`. English alone.
import { kindOfValue, valuesInText } from '../kinds.ts'
import { sentencesOf } from '../naming.ts'

const bar = new RegExp(
  "\\b(?:do(?:n['’]t| not)|dont|never|no|not|nor|without)(?: to| yet| please| dare)*" +
    ' (?:send|sending|mail|mailing|e-?mail|write|writing|reply|replying|answer|answering' +
    '|respond|responding|contact|contacting)\\b(?<rest>.*)',
  'isu',
)
/** Who sends it themselves has no one else send it. */
const byThem = new RegExp(
  "(?<!\\bthat )\\bI(?:['’]ll| will|['’]m going to| am going to|['’]d (?:like|prefer) to" +
    '| want to)' +
    '(?: then| later)? (?:send|mail|e-?mail) (?:it|them)\\b' +
    '(?! (?:the|an?|my|our|your)\\b)',
  'i',
)
/** What may stand after whom it is: all else says what they are not to be sent. */
const end =
  '(?=\\s*(?:[.,;:!?)]|$|(?:yet|now|back|for now|and|until|till|before|at all)\\b' +
  '|anything\\b(?! else)|(?:any|an?) (?:mail|reply|answer)\\b))'
const anyone = new RegExp(`^ (?:anything|any mails?|it)(?! else)${end}|^\\s*(?:yet)?[.!]?$`, 'i')
const toWhom = '^(?: back)?(?: to)? '
const them = new RegExp(`${toWhom}(?:h(?:im|er)|them)\\b${end}`, 'i')
const named = new RegExp(
  `${toWhom}(?:(?:M(?:r|rs|s)|Dr)\\.? )?(?<name>\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)*)${end}`,
  'u',
)

/** Whether people say that nothing is to be written to the address, and name it nowhere after. */
export function isNotWrittenTo(form: string, texts: readonly string[]): boolean {
  let isBarred = false
  let last: string | null = null
  for (const sentence of texts.flatMap(sentencesOf)) {
    const found = bar.exec(sentence)
    const before = found === null ? sentence : sentence.slice(0, found.index)
    const shown = valuesInText('email', before).map((one) => kindOfValue('email').form(one))
    last = shown.at(-1) ?? last
    if (shown.includes(form)) isBarred = false
    const rest = found?.groups?.['rest'] ?? null
    const isHanging = /\b(?:if|unless|otherwise|when)\b/i.test(before)
    if (rest !== null && !isHanging && isOf(rest, form, last)) isBarred = true
    if (last === form && byThem.test(sentence)) isBarred = true
  }
  return isBarred
}

function isOf(rest: string, form: string, last: string | null): boolean {
  if (anyone.test(rest)) return true
  if (them.test(rest)) return last === form
  const name = named.exec(rest)?.groups?.['name']?.toLowerCase() ?? ''
  const [local = ''] = form.split('@')
  return name
    .split(/[ -]/)
    .some((word) => word.length > 2 && local.split(/[^\p{L}]/u).includes(word))
}
