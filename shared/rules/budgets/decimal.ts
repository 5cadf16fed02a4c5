// Amounts that are added up: exact decimals, kept as whole numbers of the smallest part, so that
// nothing is ever rounded. What cannot be kept exactly is no amount.
import { withoutEnd } from '#record/reading/text-end'

/** So many digits before the point, and after it. */
const wholeDigitsMax = 30
const fractionDigits = 18

/** The one, in the smallest parts. */
export const wholeUnit = 10n ** BigInt(fractionDigits)

export type AmountFault = 'amount_negative' | 'amount_not_decimal' | 'amount_beyond'

const plain = /^([0-9]+)(?:\.([0-9]+))?$/
const written = /^([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/

/** The amount of a text: digits and at most one point, and nothing else. */
export function amountOfText(text: string): bigint | AmountFault {
  // A number longer than that is not even looked at.
  if (text.length > 1_000) return 'amount_beyond'
  const [, whole, fraction = ''] = plain.exec(text) ?? []
  if (whole !== undefined) return scaled(whole, fraction)
  return text.startsWith('-') && plain.test(text.slice(1))
    ? 'amount_negative'
    : 'amount_not_decimal'
}

/** The amount of a number: the shortest decimal that is read as it, which is how JSON has it. */
export function amountOfNumber(value: number | bigint): bigint | AmountFault {
  if (value < 0) return 'amount_negative'
  const [, whole, fraction = '', exponent = '0'] = written.exec(String(value)) ?? []
  if (whole === undefined) return 'amount_not_decimal'
  const shift = Number(exponent)
  if (shift === 0) return scaled(whole, fraction)
  if (Math.abs(shift) > wholeDigitsMax + fractionDigits) return 'amount_beyond'
  const digits = whole + fraction
  const point = whole.length + shift
  if (point <= 0) return scaled('0', '0'.repeat(-point) + digits)
  return scaled(digits.slice(0, point).padEnd(point, '0'), digits.slice(point))
}

function scaled(whole: string, fraction: string): bigint | AmountFault {
  const begins = whole.replace(/^0+(?=[0-9])/, '')
  const ends = withoutEnd(fraction, /0/)
  if (begins.length > wholeDigitsMax || ends.length > fractionDigits) return 'amount_beyond'
  return BigInt(begins + ends.padEnd(fractionDigits, '0'))
}

/** The one spelling of the amount. */
export function amountText(amount: bigint): string {
  const digits = String(amount).padStart(fractionDigits + 1, '0')
  const ends = withoutEnd(digits.slice(-fractionDigits), /0/)
  const begins = digits.slice(0, -fractionDigits)
  return ends === '' ? begins : `${begins}.${ends}`
}

/** The amount of a text that a schema has let through. */
export function amountWritten(text: string): bigint {
  const amount = amountOfText(text)
  return typeof amount === 'string' ? 0n : amount
}
