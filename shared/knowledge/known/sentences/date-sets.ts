// All things of a day, or of a part of it, that people mean: `everything tomorrow after noon`. A
// day that is given by its distance needs a result that shows which day it is. In doubt no set is
// meant.

interface Span {
  readonly day: string
  /** Minutes of that day, from the first to before the last. */
  readonly from: number
  readonly to: number
}

const all = new RegExp(
  '\\b(?:(?:all|every|everything|each|any)\\b|(?:clear|free|empty)\\b[^.]{0,24}' +
    '\\b(?:calendar|schedule|diary|day|afternoon|morning)\\b)',
  'i',
)
const things =
  'appointments?|events?|meetings?|entries|entry|calendar|schedule|diary|day|everything' +
  '|afternoon|morning'
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const dayMs = 86_400_000

interface Meant {
  readonly thing: string
  /** Which day it is; null where nothing shows it. */
  readonly today: string | null
  /** What people wrote: of each sentence what stands before a word against it, and what after. */
  readonly sentences: readonly { readonly meant: string; readonly denied: string }[]
}

/** Whether people's words mean each thing that begins then, as `2024-05-20T13:00:00`. */
export function meansAllAt(time: string, { thing, today, sentences }: Meant): boolean {
  const [, day, hours = '', minutes = ''] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})/.exec(time) ?? []
  if (day === undefined) return false
  const at = Number(hours) * 60 + Number(minutes)
  return sentences.some(({ meant, denied }) => {
    if (denied !== '' || /\b(?:but|other than|apart from|besides|keep)\b/i.test(meant)) return false
    // What is done besides has times of its own.
    const [clause = ''] = meant.split(
      /,\s+(?:and|then|so)\s|\band (?:t[e]ll|inform|write|mail|let)\b/i,
    )
    if (!all.test(clause) || !new RegExp(`\\b(?:${things}|${thing}s?)\\b`, 'i').test(clause)) {
      return false
    }
    const span = spanIn(clause, today)
    return span !== null && span.day === day && at >= span.from && at < span.to
  })
}

function spanIn(clause: string, today: string | null): Span | null {
  const days = new Set(daysIn(clause, today))
  const [day] = days
  if (day === undefined || days.size !== 1) return null
  // What is left of times must be understood as a whole.
  const [part, rest] = partOf(clause.replace(/\bthe day after tomorrow\b/i, ' '))
  return unread.test(rest) ? null : { day, ...part }
}

const unread =
  /\b(?:after|before|until|till|from|since|between|evening|night|noon|\d{1,2}:\d\d|[ap]m)\b/i
const noon = 12 * 60
const whole = { from: 0, to: 24 * 60 }

/** The part of the day, and the words without it. */
function partOf(clause: string): readonly [{ from: number; to: number }, string] {
  const parts: readonly [RegExp, (hour: number) => { from: number; to: number }][] = [
    [/\bafter (?:noon|lunchtime)\b/i, () => ({ from: noon + 1, to: whole.to })],
    [/\bfrom noon(?: on(?:wards?)?)?\b/i, () => ({ from: noon, to: whole.to })],
    [/\b(?:in the |'s |’s )?afternoon\b/i, () => ({ from: noon, to: 18 * 60 })],
    [/\b(?:in the |'s |’s )?morning\b/i, () => ({ from: 0, to: noon })],
    [/\bbefore noon\b/i, () => ({ from: 0, to: noon })],
    [/\bafter (\d{1,2}(?::\d\d)?) ?([ap]m)?\b/i, (at) => ({ from: at + 1, to: whole.to })],
    [
      /\bfrom (\d{1,2}(?::\d\d)?) ?([ap]m)?(?: on(?:wards?)?)?\b/i,
      (at) => ({ from: at, to: whole.to }),
    ],
    [/\bbefore (\d{1,2}(?::\d\d)?) ?([ap]m)?\b/i, (at) => ({ from: 0, to: at })],
  ]
  for (const [pattern, spanOf] of parts) {
    const found = pattern.exec(clause)
    if (found === null) continue
    const [, clock = '0', half = ''] = found
    const at = minutesOf(clock, half)
    // `after 3` may be in the night.
    const isOpen = found[1] !== undefined && half === '' && !clock.includes(':')
    if (isOpen || at === null) continue
    return [spanOf(at), clause.replace(pattern, ' ')]
  }
  return [whole, clause]
}

function minutesOf(clock: string, half: string): number | null {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  if (hour > 24 || minute > 59 || (half !== '' && (hour < 1 || hour > 12))) return null
  const late = half.toLowerCase() === 'pm' && hour !== 12 ? 12 : 0
  const early = half.toLowerCase() === 'am' && hour === 12 ? -12 : 0
  return (hour + late + early) * 60 + minute
}

function* daysIn(clause: string, today: string | null): Generator<string> {
  for (const [day] of clause.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)) yield day
  const base = today === null ? Number.NaN : Date.parse(`${today}T00:00:00Z`)
  const dated = new RegExp(`\\b(${months.join('|')})[a-z]* (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'gi')
  const before = new RegExp(
    `\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${months.join('|')})[a-z]*\\b`,
    'gi',
  )
  for (const [, month = '', day = ''] of clause.matchAll(dated)) yield dateOf(base, month, day)
  for (const [, day = '', month = ''] of clause.matchAll(before)) yield dateOf(base, month, day)
  for (const [word] of clause.matchAll(/\b(?:the day after tomorrow|today|tomorrow)\b/gi)) {
    const days = { today: 0, tomorrow: 1 }[word.toLowerCase()] ?? 2
    yield plus(base, days)
  }
  for (const [, next = '', name = ''] of clause.matchAll(
    new RegExp(`\\b(next |last |every |this )?(${weekdays.join('|')})s?\\b`, 'gi'),
  )) {
    // `next Monday` is one of two days.
    if (next !== '' && next.toLowerCase() !== 'this ') yield 'doubtful'
    const ahead = (weekdays.indexOf(name.toLowerCase()) - new Date(base).getUTCDay() + 7) % 7
    yield ahead === 0 ? 'doubtful' : plus(base, ahead)
  }
  if (/\b(?:week|month|weekend|yesterday)\b/i.test(clause)) yield 'doubtful'
}

function plus(base: number, days: number): string {
  return Number.isNaN(base) ? 'doubtful' : new Date(base + days * dayMs).toISOString().slice(0, 10)
}

/** The one of this year; without a day of today no one knows which year it is. */
function dateOf(base: number, month: string, day: string): string {
  if (Number.isNaN(base)) return 'doubtful'
  const index = months.indexOf(month.toLowerCase().slice(0, 3))
  const year = new Date(base).getUTCFullYear()
  return new Date(Date.UTC(year, index, Number(day))).toISOString().slice(0, 10)
}
