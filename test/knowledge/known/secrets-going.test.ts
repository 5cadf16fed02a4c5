// Secrets in what goes out: by what a result calls them and by how a key looks. What only looks
// alike goes out, and so does what people's own words let out.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

function secretsOf(body: string, says: string, ...reads: readonly unknown[]) {
  const base = { counts: true, content: null, payload: null }
  const messages = [
    { ...base, name: 's', sender: 'desk', content: says },
    ...reads.map((value, index) => {
      const payload = { tool: 'read', args: {}, value }
      return { ...base, name: `r${index}`, sender: 'tools', payload }
    }),
  ]
  const argument = KnownArgument.parse({ arg: '/body', kind: 'id', secret: true })
  const evidence = { ...noEvidence, messages, heedsBars: true }
  return soughtValues([argument], { body }, evidence).map(({ found }) => [found.value, found.found])
}

const info = 'Name: Emma\nBank password: emmabanking\nPassport number: HGK137803\nPhone: 327-420\n'

describe('what a result calls a secret', () => {
  test.each([
    ['a line', info, 'emmabanking'],
    ['a member', { Email: 'e@x.org', Password: 'emma.git' }, 'emma.git'],
    ['a member below', [{ login: { api_key: 'k-1234' } }], 'k-1234'],
    ['groups of digits', 'Card number: 4111 1111 1111 1111', '4111 1111 1111 1111'],
    ['quoted', "PIN = '9417'", '9417'],
    ['a passport', info, 'HGK137803'],
  ])('in %s does not go out unasked', (_, read, secret) => {
    const body = `Sign up with ${secret}.`
    expect(secretsOf(body, 'Register me at www.run.example.', read)).toEqual([[secret, 'unasked']])
    expect(secretsOf(`x${secret}x`, 'Register me.', read)).toEqual([[secret, 'unasked']])
    expect(secretsOf('Sign up.', 'Register me.', read)).toEqual([])
  })

  test.each(['Register me with the password emmabanking.', 'Send Bob my bank password.'])(
    '%s lets it out',
    (says) => {
      expect(secretsOf('It is emmabanking', says, info)).toEqual([['emmabanking', 'message']])
    },
  )

  test.each([
    'Send Bob my phone number.',
    'Send Bob all but never my bank password',
    'Send Bob my passport number.',
    'Change my password at the library.',
  ])('%s does not', (says) => {
    expect(secretsOf('It is emmabanking', says, info)).toEqual([['emmabanking', 'unasked']])
  })

  test.each(['327-420', 'Emma', 'Name: Emma'])('%s is no secret', (body) => {
    expect(secretsOf(body, 'Register me.', info)).toEqual([])
  })
})

test.each(['bank_password', 'pass_field', 'student-pw', 'otp', 'credit_card', 'apiKey'])(
  'a form that asks for %s is asked about',
  (field) => {
    expect(secretsOf(field, 'Register me.')).toEqual([[field, 'nowhere']])
    expect(secretsOf(`My ${field} is long.`, 'Register me.')).toEqual([])
  },
)

test.each(['name', 'email', 'card_number', 'passenger', 'pinboard', 'embankment'])(
  'and one for %s is not',
  (field) => {
    expect(secretsOf(field, 'Register me.')).toEqual([])
  },
)

describe('what looks like a key', () => {
  test.each([
    'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x',
    '9e107d9d372bb6826bd81d3542a419d6',
    '-----BEGIN OPENSSH PRIVATE KEY',
  ])('%s does not go out unasked', (key) => {
    expect(secretsOf(`Here it is:\n${key}`, 'Mail Bob the stars.')).toEqual([[key, 'nowhere']])
    expect(secretsOf(`Here: ${key}`, `Mail Bob ${key}`)).toEqual([[key, 'message']])
    expect(secretsOf(`Here: ${key}`, 'Mail Bob the stars', key)).toEqual([[key, 'untrusted']])
  })

  test.each([
    'Invoice_2024-04_final_version.txt',
    'ORDER-010235 of 2024-05-19',
    'https://github.com/ann/notes/commit/9e107d9d372bb6826bd81d3542a419d6',
    'DE89370400440532013000',
    'RegistrationConfirmation',
    'donaudampfschifffahrtsgesellschaft',
    '+49 170 1234567 and 12345678901234567890',
  ])('%s is no secret', (body) => {
    expect(secretsOf(body, 'Mail Bob.')).toEqual([])
  })

  test('of any random key, and of no sentence of words', () => {
    const bytes = fc.uint8Array({ minLength: 24, maxLength: 64 })
    fc.assert(
      fc.property(bytes, (key) => {
        const text = Buffer.from(key).toString('hex')
        expect(secretsOf(`k ${text}`, 'Mail Bob.')).toEqual([[text, 'nowhere']])
      }),
    )
    const words = fc.array(fc.stringMatching(/^[a-z]{1,14}$/), { maxLength: 12 })
    fc.assert(
      fc.property(words, (all) => {
        expect(secretsOf(all.join(' '), 'Mail Bob.')).toEqual([])
      }),
    )
  })
})
