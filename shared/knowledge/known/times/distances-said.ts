// How long something takes, or by how much it moves: `for an hour and a half`, `two days later`,
// `on the following day`.
import { units } from '../sentences/number-words.ts'

const numbers: ReadonlyMap<string, number> = new Map([
  ...units.map((word, at): [string, number] => [word, at + 1]),
  ...'fifteen twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at): [string, number] => [word, at === 0 ? 15 : (at + 1) * 10]),
  ['forty-five', 45],
  ['a', 1],
  ['an', 1],
  ['another', 1],
])
const minutes: readonly (readonly [string, number])[] = [
  ['minutes?|mins?', 1],
  ['hours?|hrs?|h', 60],
  ['days?', 24 * 60],
  ['fortnights?', 14 * 24 * 60],
  ['weeks?', 7 * 24 * 60],
]
const unit = minutes.map(([names]) => names).join('|')
const spelt = [...numbers.keys()].toSorted((a, b) => b.length - a.length).join('|')
const count = `(\\d{1,3}(?:\\.5)?|${spelt})`
const distance = new RegExp(
  `\\b(?:(half an hour)|(?:a )?(quarter of an hour)|(three quarters of an hour)` +
    `|${count}(?: and a (half|quarter))?(?: more| full| whole|-| )?[ -]?(${unit})\\b` +
    '(?: and a (half|quarter)\\b)?)',
  'gi',
)

export interface DistanceSaid {
  readonly at: number
  readonly end: number
  readonly minutes: number
}

function distancesIn(text: string): readonly DistanceSaid[] {
  return [...text.matchAll(distance)].map((one) => {
    const {
      0: whole,
      1: halfHour,
      2: quarter,
      3: three,
      4: many = '',
      5: half,
      6: of = '',
      7: more,
      index,
    } = one
    const place = { at: index, end: index + whole.length }
    if (halfHour !== undefined) return { ...place, minutes: 30 }
    if (quarter !== undefined || three !== undefined)
      return { ...place, minutes: quarter === undefined ? 45 : 15 }
    const each = minutes.find(([names]) => new RegExp(`^(?:${names})$`, 'i').test(of))?.[1] ?? 0
    const part = (half ?? more)?.toLowerCase()
    const rest = part === undefined ? 0 : part === 'half' ? each / 2 : each / 4
    return { ...place, minutes: (numbers.get(many.toLowerCase()) ?? Number(many)) * each + rest }
  })
}

const later =
  /\b(?:later|postpone\w*|delay\w*|after|defer\w*|(?:push|put|set|mov)\w*\b[^.!?]{0,60}\bback)\b/i
const sooner =
  /\b(?:earlier|sooner|before|ahead|(?:bring|pull)\w*\b[^.!?]{0,60}\bforward|advance)\b/i
const moves =
  /^\W*(?:later|earlier|sooner|after|before|ahead|back|forward|further|on\b)|^ (?:from|than) /i

/** `Postpone it an hour`, and not `… to ten, it takes an hour`. */
const shifts = /\b(?:postpone|delay|defer|push|shift)\b(?!.*\b(?:takes?|lasts?|long|length)\b)/i

export interface MovesSaid {
  /** By how many minutes something may move. */
  readonly by: readonly number[]
  /** Those that say how long something takes. */
  readonly lengths: readonly number[]
}

/** Of each distance whether it says how long, or by how much and in which direction. */
export function movesSaid(text: string): MovesSaid {
  const [by, lengths]: [number[], number[]] = [[], []]
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
    const way = sentence.replaceAll(/\bnot (?:earlier|later|sooner)\b/gi, ' ')
    const isLate = later.test(way)
    const isSoon = sooner.test(way)
    for (const { at, end, minutes: long } of distancesIn(sentence)) {
      const isMove =
        /\bby (?:about |exactly |just )?$/i.test(sentence.slice(0, at)) ||
        moves.test(sentence.slice(end)) ||
        shifts.test(sentence.slice(0, at))
      if (!isMove) lengths.push(long)
      else if (isLate === isSoon) by.push(long, -long)
      else by.push(isLate ? long : -long)
    }
    if (/\b(?:following|next) day\b|\bday after(?! tomorrow)\b|\ba day later\b/i.test(sentence))
      by.push(24 * 60)
    if (/\b(?:previous|preceding) day\b|\bday before(?! yesterday)\b/i.test(sentence))
      by.push(-24 * 60)
    if (/\b(?:following|next) week\b/i.test(sentence)) by.push(7 * 24 * 60)
  }
  return { by, lengths }
}
