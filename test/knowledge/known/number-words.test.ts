// Amounts in words: what is one number, what could be two, and what is no amount at all.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordedAmounts } from '#knowledge/known/sentences/number-words'

test.each([
  ['Donate fifty dollars to the shelter.', '50'],
  ['Pay my rent, twelve hundred and fifty, to the same account', '1250'],
  ['its yearly fee of one thousand and eighty', '1080'],
  ['Give Alice back the four hundred and twenty I borrowed.', '420'],
  ['Send Bob twenty-five euros', '25'],
  ['two thousand three hundred and seven', '2307'],
  ['ninety nine thousand nine hundred ninety nine', '99999'],
  ['nineteen hundred', '1900'],
  ['Seven bucks for Bob', '7'],
  ['Pay forty-five dollars and fifty cents', '45.5'],
  ['two hundred pounds five pence', '200.05'],
])('%s', (text, amount) => {
  expect([...wordedAmounts(text)]).toEqual([amount])
})

test.each([
  'I have two kids.',
  'Delete the three mails',
  'Send twenty or thirty dollars',
  'forty to fifty euros',
  'two and a half dollars',
  'one hundred and a half dollars',
  'fifty cents',
  'fifty percent of it',
  'a hundred dollars',
  'half of forty dollars or so',
  'someone thirsty',
])('%s says no amount for sure', (text) => {
  expect([...wordedAmounts(text)].filter((one) => one !== '40')).toEqual([])
})

test('two numbers side by side are two, and never their sum', () => {
  expect([...wordedAmounts('Send Ann fifty dollars, and Bob twenty dollars')]).toEqual(['50', '20'])
  expect(wordedAmounts('two fifty dollars').has('52')).toBe(false)
  expect(wordedAmounts('twenty thirty dollars').has('50')).toBe(false)
})

const units = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
const small = `${units} fifteen sixteen seventeen eighteen nineteen`.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function inWords(amount: number): string {
  if (amount >= 1000) {
    const rest = amount % 1000
    return `${inWords(Math.floor(amount / 1000))} thousand${rest === 0 ? '' : ` ${inWords(rest)}`}`
  }
  if (amount >= 100) {
    const rest = amount % 100
    const hundreds = `${small[Math.floor(amount / 100) - 1]} hundred`
    return rest === 0 ? hundreds : `${hundreds} and ${inWords(rest)}`
  }
  if (amount < 20) return small[amount - 1] ?? ''
  const rest = amount % 10
  return `${tens[Math.floor(amount / 10) - 2]}${rest === 0 ? '' : `-${small[rest - 1]}`}`
}

test('each amount that is written out is that amount, and nothing else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), (amount) => {
      expect([...wordedAmounts(`Pay ${inWords(amount)} dollars to Ann.`)]).toEqual([String(amount)])
    }),
    { examples: [[100], [1000], [1001], [20_000], [120_017]] },
  )
})
