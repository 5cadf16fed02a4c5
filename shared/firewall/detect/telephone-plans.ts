// How telephone numbers are given out: the codes of countries with how many digits follow each, the
// areas of North America, and the groups in which national numbers are written. Rows of other
// numbers have the same prefixes, and fit none of these.

/** Codes of countries with the fewest and the most digits that follow. */
const codes: readonly (readonly [codes: string, min: number, max: number])[] = [
  ['1 7 30 52 90 91 98', 10, 10],
  ['27 31 33 34 40 41 48 61 66 84 212 213 234 254 380 972', 9, 10],
  ['45 47 65 216 852 853', 8, 8],
  ['20 32 36 51 54 55 56 57 58 60 62 63 64 81 82 86 92 93 94 95', 8, 11],
  ['44', 9, 10],
  ['39 43 46 49', 6, 13],
  [
    [
      '211 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 235 236 237 238 239 240',
      '241 242 243 244 245 246 248 249 250 251 252 253 255 256 257 258 260 261 262 263 264 265',
      '266 267 268 269 290 291 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372',
      '373 374 375 376 377 378 381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505',
      '506 507 508 509 53 590 591 592 593 594 595 596 597 598 599 670 672 673 674 675 676 677',
      '678 679 680 681 682 683 685 686 687 688 689 690 691 692 800 808 850 855 856 870 878 880',
      '881 882 883 886 888 960 961 962 963 964 965 966 967 968 970 971 973 974 975 976 977 979',
      '992 993 994 995 996 998',
    ].join(' '),
    6,
    12,
  ],
]

interface Bounds {
  readonly min: number
  readonly max: number
}

const plans: ReadonlyMap<string, Bounds> = new Map(
  codes.flatMap(([written, min, max]) => {
    return written.split(' ').map((code): [string, Bounds] => [code, { min, max }])
  }),
)

/** Where a number within the country begins with a zero from abroad as well. */
const keepsZero: ReadonlySet<string> = new Set(['39', '225', '229', '241', '242', '378'])

/** Whether it is one from abroad: its groups without the sign or the zeros before the country. */
export function isInternational(written: string): boolean {
  const [first = '', ...rest] = groupsOf(written.replaceAll(/\(0\)/g, ' '))
  const digits = [first, ...rest].join('')
  const code = [1, 2, 3].map((size) => digits.slice(0, size)).find((one) => plans.has(one))
  const plan = plans.get(code ?? '')
  if (code === undefined || plan === undefined || first.length < code.length) return false
  const within = digits.slice(code.length)
  // From abroad the zero is not dialled, and some people write it.
  const isWritten = within.startsWith('0') && !keepsZero.has(code)
  if (isWritten && (first !== code || hasOneWidth(rest))) return false
  const length = within.length - (isWritten ? 1 : 0)
  if (code === '1' && !/^[2-9]/.test(within)) return false
  return plan.min <= length && length <= plan.max
}

/** Widths of the groups of a number that begins with the zero before an area. */
const shapes: ReadonlySet<string> = new Set(
  [
    '2-2-2-2-2 2-3-2-2 2-3-3-2 2-3-4 2-4-3 2-4-4 2-8 2-7 3-2-2-2 3-2-2-2-2 3-3-2-2 3-3-3-2',
    '3-3-4 3-4-3 3-4-4 3-6 3-7 3-8 4-2-2-2 4-2-2-2-2 4-3-2-2 4-3-3 4-3-4 4-4-2 4-4-3 4-6 4-7',
    '4-8 5-2-2-2 5-2-4 5-3-2 5-3-3 5-4-2 5-6 5-7 5-8 6-5',
  ].flatMap((line) => line.split(' ')),
)
/** Of files: what follows is an owner, or a size. */
const modes: ReadonlySet<string> = new Set('0600 0640 0644 0750 0755 0775 0777'.split(' '))
const stepMax = 9

/** Whether digits with the zero before an area stand in groups as such numbers do. */
export function isNational(written: string): boolean {
  const groups = groupsOf(written)
  const [first = ''] = groups
  if (modes.has(first) || isCounted(groups) || !/[2-9]/.test(written)) return false
  return shapes.has(groups.map(({ length }) => length).join('-'))
}

/** A list of numbers of which each is a little more than the one before. */
function isCounted(groups: readonly string[]): boolean {
  return (
    hasOneWidth(groups) &&
    groups.every((group, index) => {
      const step = Number(group) - Number(groups[index - 1] ?? group)
      return step >= 0 && step <= stepMax
    })
  )
}

function hasOneWidth(groups: readonly string[]): boolean {
  return groups.every(({ length }) => length === groups[0]?.length)
}

/** Written in films and pages of help, and given to no one. */
const fictional = '555'
/** These belong to no place. */
const ofNoPlace = /^5(?:00|2[1-9]|33|44|66|77|88)$/
const tollFree = /^8(?:00|33|44|55|66|77|88)$/
/** Of an area or an exchange. */
const threeDigits = /^[2-9](?!11)[0-9]{2}$/

/** Whether an area, an exchange and a line of North America can be one of its numbers. */
export function isNorthAmerican(written: string): boolean {
  const digits = groupsOf(written)
    .join('')
    .replace(/^1(?=[0-9]{10})/, '')
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)]
  if (area === fictional) return true
  if (!threeDigits.test(area) || area.charAt(1) === '9' || ofNoPlace.test(area)) return false
  const isRound = [area, exchange, line].every((one) => one.endsWith('00'))
  if (tollFree.test(area) && !isRound) return true
  return threeDigits.test(exchange) && (!isRound || area === '800')
}

function groupsOf(written: string): readonly string[] {
  return written.match(/[0-9]+/g) ?? []
}
