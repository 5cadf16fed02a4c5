// Amounts that people write in words, as `fifty dollars` or `twelve hundred and fifty`: what is
// read so is only a person's own text, and a word alone counts only with a currency beside it.

/** From one to twelve, by the number less one. */
export const units = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Of a number in digits, or one of these. */
export function smallNumber(word: string): number {
  const at = units.indexOf(word.toLowerCase())
  return at === -1 ? Number(word) : at + 1
}

const names = (words: string, first: number, step: number): [string, number][] =>
  words.split(' ').map((word, index) => [word, first + index * step])

const small: ReadonlyMap<string, number> = new Map([
  ...names(units.join(' '), 1, 1),
  ...names('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13, 1),
])
const tens: ReadonlyMap<string, number> = new Map(
  names('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
)
const currency = /^(?:dollars?|bucks|euros?|pounds?|francs?|usd|eur|gbp|chf)$/

/** Each amount that stands in the text in words, in its one spelling. */
export function wordedAmounts(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const parts = text.match(/[A-Za-z]+|[0-9.,]*[0-9]|[^A-Za-z0-9\s-]/g) ?? []
  // Only ASCII letters are in words: no table of an engine has a say.
  const words = parts.map((word) => word.toLowerCase())
  let at = 0
  while (at < words.length) {
    const run = runAt(words, at)
    if (run === null) {
      at += 1
      continue
    }
    const cents = centsAt(words, run.end)
    if (cents !== null) {
      found.add(String(run.value + cents.value / 100))
      at = cents.end
      continue
    }
    const isMoney = currency.test(words[run.end] ?? '') || run.count > 1
    // `two and a half`, `forty or fifty` and `third of fifty` are something else.
    const around = [words[at - 1] ?? '', words[run.end] ?? '']
    const isDoubtful = /^(?:or|to)$/.test(around[1] ?? '') && isNumber(words[run.end + 1] ?? '')
    const isPart = /^(?:or|to)$/.test(around[0] ?? '') && isNumber(words[at - 2] ?? '')
    const isMore = around.some((one) =>
      /^(?:half|quarter|point|percent|cents?|%|[0-9].*)$/.test(one),
    )
    if (isMoney && !isDoubtful && !isPart && !isMore && !isHalved(words, run.end)) {
      found.add(String(run.value))
    }
    at = run.end
  }
  return found
}

/** `… dollars and fifty cents`: what follows the number of dollars. */
function centsAt(words: readonly string[], end: number): Pick<Run, 'value' | 'end'> | null {
  if (!currency.test(words[end] ?? '')) return null
  const run = runAt(words, words[end + 1] === 'and' ? end + 2 : end + 1)
  if (run === null || run.value > 99 || !/^(?:cents?|pence)$/.test(words[run.end] ?? ''))
    return null
  return { value: run.value, end: run.end + 1 }
}

function isNumber(word: string): boolean {
  return small.has(word) || tens.has(word) || /^(?:hundred|thousand|million)$/.test(word)
}

function isHalved(words: readonly string[], end: number): boolean {
  return words[end] === 'and' && /^(?:a|half|some)$/.test(words[end + 1] ?? '')
}

interface Run {
  readonly value: number
  /** How many number words it has. */
  readonly count: number
  readonly end: number
}

/** The longest number that begins there: units, tens, hundreds, thousands, each in its place. */
function runAt(words: readonly string[], start: number): Run | null {
  let [total, group, count, end] = [0, 0, 0, start]
  // Below this the next word must be, to belong to the same group: `fifty two`, not `two fifty`.
  let below = Number.POSITIVE_INFINITY
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const unit = small.get(word) ?? tens.get(word)
    if (word === 'and' && count > 0 && below >= 100 && isNumber(words[at + 1] ?? '')) continue
    if (unit !== undefined && unit < below) {
      group += unit
      below = tens.has(word) ? 10 : 1
    } else if (word === 'hundred' && group > 0 && group < 100) {
      group *= 100
      below = 100
    } else if (word === 'thousand' && group > 0 && total === 0) {
      total = group * 1000
      group = 0
      below = Number.POSITIVE_INFINITY
    } else break
    count += 1
    end = at + 1
  }
  return count === 0 ? null : { value: total + group, count, end }
}
