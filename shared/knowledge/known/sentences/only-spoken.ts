// What people only speak of: who asks whether Ann has answered, or reports that Bob has been
// written to, does not ask that anything be sent to either. English alone.
import type { ValueKind } from '#schemas/values'
import { clausesOf, imperatives, openings } from '../../grounding/moods.ts'

const done =
  '(?:t[o]ld|wrote|written|informed|sent|mailed|e-?mailed|notified|asked|invited|thanked|answered' +
  '|paid|phoned|called)'
const doing = '(?:write|t[e]ll|inform|mail|e-?mail|notify|call|phone|send|ask|invite|answer)'
const opened = (one: string): RegExp => new RegExp(`^\\W*(?:(?:${openings})\\W+)*${one}`, 'iu')
const question = opened(
  `(?:has|have|had|did|does|is|are|was|were|who|what|when|why|where|which|how)\\b.*\\?\\s*$`,
)
const spoken: readonly RegExp[] = [
  `(?:(?:last|this|yesterday|earlier|the other)\\b[^,.]{0,20}[ ,]+)?(?:I|we)(?:['’]ve| have)?` +
    `(?: already| just| also)? ${done}\\b`,
  `(?!(?:I|we|you|please)\\b)(?:my )?[\\p{L}.]+` +
    `(?: \\p{Lu}\\p{L}+)? (?:will|is going to|has already` +
    `|already|has) (?:${doing}|${done})\\b`,
  `before (?:I|we)\\b`,
  `draft\\b`,
].map(opened)

const person = /\b(?:h(?:im|er)|them|they|both|reply|answer|respond|write back|send)\b/i
const thing = /\b(?:it|them|that|this|these|those|same|again|one)\b/i
const order = new RegExp(
  `^\\W*(?:(?:${openings})\\W+)*(?:${imperatives})\\b|\\b(?:you|please)\\b`,
  'i',
)

/** Whether each part that has the value only speaks of it, and no order goes on with it. */
export function isOnlySpokenOf(
  kind: ValueKind,
  parts: readonly string[],
  has: (part: string) => boolean,
): boolean {
  const own = parts.filter(has)
  if (own.length === 0 || !own.every((part) => has(beyond(part)) === false)) return false
  const goesOn = kind === 'email' || kind === 'account' ? person : thing
  return !parts.some((part) => {
    // An order with an address of its own is for that one.
    return !own.includes(part) && order.test(part) && goesOn.test(part) && !/@/.test(part)
  })
}

/** What a part has beyond what it only speaks of. */
function beyond(part: string): string {
  if (!isQuestion(part) && !spoken.some((one) => one.test(part))) return part
  const [, rest = ''] = /^\W*before (?:I|we)\b[^,]*,(.*)$/is.exec(part) ?? []
  return rest
}

/** It asks for nothing but an answer: `why don't you …?` asks for more. */
function isQuestion(part: string): boolean {
  return (
    question.test(part) &&
    !clausesOf(part)
      .flat()
      .some(({ mood }) => mood === 'asked')
  )
}
