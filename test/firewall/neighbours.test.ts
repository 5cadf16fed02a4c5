// Each form of what is sensitive, and each look-alike, in every surrounding that it may stand in:
// the first go and nothing else does, the others stay. What is given to a name goes in each form of
// giving. The forms are made by chance where they have one.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactedMark, redactText } from '#firewall/redact'
import { surroundings } from './cases/surroundings.ts'

const small = 'abcdefghijklmnopqrstuvwxyz'
const capitals = small.toUpperCase()
const digits = '0123456789'
const hexadecimal = `${digits}abcdef`
const runs = { numRuns: 60 }

function of(signs: string, length: number, longest = length): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom(...signs.split('')),
    minLength: length,
    maxLength: longest,
  })
}

function form(expression: RegExp): fc.Arbitrary<string> {
  return fc.stringMatching(new RegExp(`^(?:${expression.source})$`))
}

/** With the digit that makes the others pass Luhn. */
function checked(written: string): string {
  const sum = written
    .split('')
    .toReversed()
    .reduce((before, digit, at) => {
      const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit)
      return before + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return `${written}${(10 - (sum % 10)) % 10}`
}

const card = fc
  .tuple(of(digits, 14), fc.constantFrom('', ' ', '-', '.', '/'))
  .filter(([inside]) => !/^(.)\1*$/.test(inside))
  .map(([inside, gap]) => checked(`4${inside}`).replaceAll(/(....)(?=.)/g, `$1${gap}`))

const sensitive: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'an e-mail address': form(
    /[a-z]{2,8}(?:[._+-][a-z0-9]{1,6})?@[a-z]{3,9}\.(?:com|co\.uk|org|io|de)/,
  ),
  'a telephone number from abroad': fc.constantFrom(
    '+1-555-123-4567',
    '+1 (555) 123-4567',
    '+44 20 7946 0958',
    '+15551234567',
    '+91 98765 43210',
    '+33 1 42 68 53 00',
    '+353 1 234 5678',
  ),
  'a telephone number of North America': fc.constantFrom(
    '(555) 123-4567',
    '212-555-0123',
    '212.555.0123',
    '1-800-555-0199',
  ),
  'a card': card,
  'a social security number': form(/[1-57][0-9]{2}-[1-9][0-9]-[1-9][0-9]{3}/),
  'an account': fc.constantFrom('GB82WEST12345698765432', 'DE89 3704 0044 0532 0130 00'),
  'a bearer': form(/[Bb]earer [a-z]{3}[0-9]{3}[a-z]{3}[0-9]{2}/),
  'a token of an issuer': fc.oneof(
    form(/ghp_[A-Za-z0-9]{36}/),
    form(/AKIA[A-Z0-9]{16}/),
    form(/glpat-[A-Za-z0-9]{20}/),
    form(/AIza[A-Za-z0-9]{35}/),
    form(/sk-ant-api03-[A-Za-z0-9]{20}/),
  ),
}

describe.each(Object.entries(sensitive))('%s goes, and nothing else', (_, made) => {
  test.each(surroundings)('%s', (_where, around) => {
    fc.assert(
      fc.property(made, (secret) => {
        expect(redactText(around(secret))).toBe(around(redactedMark))
      }),
      runs,
    )
  })

  test('twice in a line, and in every place of data', () => {
    fc.assert(
      fc.property(made, (secret) => {
        expect(redactText(`${secret} and ${secret}`)).not.toContain(secret)
        const inside = JSON.stringify({ notes: [{ text: secret }], [secret]: 1 })
        const value = { rows: [{ deep: { text: secret } }, inside], [`of ${secret}`]: [secret] }
        const { value: shown, warnings } = redact(value, { maxDepth: 9 })
        expect(JSON.stringify(shown)).not.toContain(secret)
        expect(warnings.length).toBeGreaterThanOrEqual(4)
      }),
      runs,
    )
  })
})

const harmless: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'a digest': fc.oneof(of(hexadecimal, 32), of(hexadecimal, 40), of(hexadecimal, 64)),
  'an identifier by chance': fc.oneof(
    fc.uuid(),
    fc.ulid(),
    form(/[0-3][A-Za-z0-9]{26}/),
    form(/(?:cus|pi|evt|req)_[A-Za-z0-9]{14}/),
  ),
  'a moment': fc
    .date({ min: new Date('2000-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .chain((at) =>
      fc.constantFrom(
        at.toISOString(),
        at.toISOString().slice(0, 10),
        at.toISOString().slice(0, 19).replace('T', ' '),
        String(Math.max(at.getTime(), 1_000_000_000_000)),
        at.toUTCString(),
      ),
    ),
  'a version': fc.oneof(
    form(/v?[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,3}(?:-(?:rc|beta)\.[0-9])?/),
    form(/[a-z]{3,9}@[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}/),
  ),
  'an address of machines': fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('192.0.2.0/24', '192.0.2.1-192.0.2.254', '10.0.0.1:8080'),
  ),
  'a number of a thing': fc.oneof(
    form(/(?:order|part|SKU|ticket|invoice) [2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}/),
    form(/[1-9][0-9]{0,2}(?:,[0-9]{3}){1,3}(?:\.[0-9]{2})?/),
    form(/(?:INV|PO|JIRA)-[0-9]{4,6}/),
    fc.constantFrom('978-3-16-148410-0', '1Z999AA10123456784', '123 456 7890', '52.520008'),
  ),
  'a name for what will be there': fc.constantFrom(
    '${API_KEY}',
    '<password>',
    'Bearer <token>',
    'Bearer $TOKEN',
    'password: null',
    'password: required',
    'password: incorrect',
    'password=********',
    'token: undefined',
    'token=<redacted>',
    'password: [REDACTED]',
    'glpat-xxxxxxxxxxxxxxxxxxxx',
    'sk-proj-your-api-key-goes-here',
    'the password is required',
    'max_tokens: 4096',
    'token_type: bearer',
  ),
  'an address of the web': fc.constantFrom(
    'https://example.com/path?page=2',
    'ssh://git@github.com/o/r',
    'https://ann@git.example.com/o/r',
    'postgres://localhost:5432/db',
    'https://hub.test/o/r/commit/9fceb02d0ae598e95dc970b74767f19372d61af8',
    'git@github.com',
    'image@2x.png',
  ),
}

describe.each(Object.entries(harmless))('%s stays', (_, made) => {
  test.each(surroundings)('%s', (_where, around) => {
    fc.assert(
      fc.property(made, (text) => {
        expect(redactText(around(text))).toBe(around(text))
      }),
      runs,
    )
  })
})

const secret = fc
  .tuple(of(small, 4, 7), of(digits, 3), of(capitals, 2))
  .map((parts) => parts.join(''))
const names = [
  'password passwd DB_PASSWORD api_key apiKey API_KEY api-key secret access_token clientSecret',
  'client_secret authToken X-API-Key refresh_token AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID',
  'passphrase GITHUB_TOKEN credentials',
]
const name = fc.constantFrom(...names.flatMap((line) => line.split(' ')))

type Given = readonly [name: string, written: (name: string, value: string) => string]

const given: readonly Given[] = [
  ['of a shell', (name, value) => `export ${name}=${value}`],
  ['in quotes', (name, value) => `${name}="${value}"`],
  ['under each other', (name, value) => `${name}          = "${value}"`],
  ['of YAML', (name, value) => `- ${name}:      ${value}`],
  ['of JSON', (name, value) => `{"${name}":"${value}"}`],
  ['of JSON in a text', (name, value) => `{\\"${name}\\":\\"${value}\\"}`],
  ['of Python', (name, value) => `'${name}': '${value}'`],
  ['of Go', (name, value) => `${name} := "${value}"`],
  ['of Ruby', (name, value) => `${name} => ${value}`],
  ['of a program', (name, value) => `const ${name} = '${value}';`],
  ['of an option', (name, value) => `tool --${name}=${value} --dry-run`],
  ['of an option with a blank', (name, value) => `tool --${name} ${value}`],
  ['of a line of a log', (name, value) => `2026-01-02T10:00:00Z INFO ${name}=${value} user=7`],
  ['of XML', (name, value) => `<${name}>${value}</${name}>`],
  ['of markdown', (name, value) => `**${name}**: \`${value}\``],
  ['of markdown, in bold with its sign', (name, value) => `**${name}:** ${value}`],
  ['of an item', (name, value) => `- **${name}** — \`${value}\``],
  ['of a sentence', (name, value) => `The ${name} is ${value}.`],
]

describe('a secret that is given to a name goes', () => {
  test.each(given)('in the form %s', (_how, written) => {
    fc.assert(
      fc.property(name, secret, (called, value) => {
        expect(redactText(written(called, value))).toBe(written(called, redactedMark))
      }),
      runs,
    )
  })

  test('and the next value of an address stays', () => {
    fc.assert(
      fc.property(name, secret, (called, value) => {
        const written = (one: string) => `https://x.test/a?b=1&${called}=${one}&page=2`
        expect(redactText(written(value))).toBe(written(redactedMark))
      }),
      runs,
    )
  })

  test.each([
    ['CSV', (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(',')).join('\n')],
    ['TSV', (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('\t')).join('\n')],
    [
      'markdown',
      ([head = [], ...rows]: readonly (readonly string[])[]) => {
        const line = (row: readonly string[]) => `| ${row.join(' | ')} |`
        return [line(head), '| --- | --- | --- |', ...rows.map(line)].join('\n')
      },
    ],
    [
      'a database',
      ([head = [], ...rows]: readonly (readonly string[])[]) => {
        const line = (row: readonly string[]) => ` ${row.join(' | ')} `
        return [line(head), '----+-----+------', ...rows.map(line)].join('\n')
      },
    ],
  ])('below the name of its column, in %s', (_, table) => {
    fc.assert(
      fc.property(
        fc.constantFrom('password', 'user_password', 'Passwort'),
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        (called, values) => {
          const rows = (of: readonly string[]) => [
            ['id', called, 'city'],
            ...of.map((value, at) => [String(at), value, 'Paris']),
          ]
          const marked = values.map(() => redactedMark)
          expect(redactText(table(rows(values)))).toBe(table(rows(marked)))
        },
      ),
      runs,
    )
  })

  test('and columns of other names stay', () => {
    const text = 'id,token_count,password_policy\n1,1200,strong1\n2,13,weak22'
    expect(redactText(text)).toBe(text)
    const telephones = 'id,phone,city\n1,5551234567,Rome\n2,5551234568,Bonn'
    expect(redactText(telephones)).toBe(
      `id,phone,city\n1,${redactedMark},Rome\n2,${redactedMark},Bonn`,
    )
  })
})
