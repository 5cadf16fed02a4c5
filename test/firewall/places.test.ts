// Words that say of a value that it is secret, in each place where a name and its value can stand:
// the value goes. Lists of numbers and bytes in base64, of every kind that tools return: they stay.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactedMark, redactText } from '#firewall/redact'
import type { Json } from '#record/canonical'

const small = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

function of(signs: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...signs.split('')), minLength, maxLength })
}

function made(...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  const all = parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))
  return fc.tuple(...all).map((found) => found.join(''))
}

/** As people choose them. What is read as an encoding or a type is left out. */
const secret = made(of(small, 4, 8), of(digits, 2, 4)).filter(
  (word) => !/^(?:base|utf|sha|rfc|md|env|your|some|char|float|bytes|uint|bcrypt|x)/.test(word),
)
const name = fc
  .tuple(
    fc.constantFrom('', 'db_', 'app-', 'smtp_', 'github-'),
    fc.constantFrom('password', 'passwd', 'passphrase', 'secret', 'token', 'api_key', 'api-key'),
    fc.constantFrom('', 'client_secret', 'access_token', 'auth-token', 'secret_key'),
    fc.constantFrom('lower', 'upper'),
  )
  .map(([prefix, word, instead, letters]) => {
    const whole = `${prefix}${instead === '' ? word : instead}`
    return letters === 'upper' ? whole.toUpperCase() : whole
  })

type Written = (name: string, value: string) => string

const texts = new Map<string, Written>([
  ['an option with a sign', (of, word) => `tool --${of.toLowerCase()}=${word}`],
  ['an option alone', (of, word) => `--${of.toLowerCase()}=${word} --verbose`],
  ['an option with a blank', (of, word) => `tool run --${of.toLowerCase()} ${word} -v`],
  ['an option of one dash', (of, word) => `tool -${of.toLowerCase()} ${word}`],
  ['an option in quotes', (of, word) => `tool --${of.toLowerCase()}="${word}" x`],
  ['a variable', (of, word) => `${of.replaceAll('-', '_').toUpperCase()}=${word}`],
  ['a variable of a shell', (of, word) => `export ${of.replaceAll('-', '_')}=${word}\nls`],
  ['a setting', (of, word) => `a: 1\n${of}: ${word}\nb: 2`],
  ['a setting in quotes', (of, word) => `${of}: "${word}"`],
  ['INI', (of, word) => `[x]\n${of} = ${word}\n`],
  ['an element', (of, word) => `<a><${of}>${word}</${of}></a>`],
  ['an element over lines', (of, word) => `<${of} type="x">\n  ${word}\n</${of}>`],
  ['a value in an element', (of, word) => `<${of}>\n  <value>${word}</value>\n</${of}>`],
  ['an attribute', (of, word) => `<add key="${of}" at="1" value="${word}"/>`],
  ['an attribute before its name', (of, word) => `<add value="${word}" name='${of}' />`],
  ['an element by its attribute', (of, word) => `<x name="${of}"><value>${word}</value></x>`],
  ['elements beside each other', (of, word) => `<P><Name>${of}</Name><Value>${word}</Value></P>`],
  [
    'elements with others between',
    (of, word) => `<p>\n<key>${of}</key>\n<type>s</type>\n<value>${word}</value>\n</p>`,
  ],
  ['elements in turn', (of, word) => `<p><value>${word}</value><name>${of}</name></p>`],
  [
    'a value of a call',
    (of, word) => `<member><name>${of}</name><value><string>${word}</string></value></member>`,
  ],
  ['a list of properties', (of, word) => `<dict><key>${of}</key>\n<string>${word}</string></dict>`],
  [
    'a map',
    (of, word) => `<map><entry><string>${of}</string><string>${word}</string></entry></map>`,
  ],
  ['a list of settings', (of, word) => `env:\n  - name: ${of}\n    value: ${word}\n  - name: x`],
  [
    'a list of settings with more',
    (of, word) => `- name: ${of}\n  sensitive: true\n  value: "${word}"\n`,
  ],
  ['a setting with a value', (of, word) => `${of}:\n  value: ${word}\n`],
  ['a block of settings', (of, word) => `variable "${of}" {\n  default = "${word}"\n}`],
])

const values = new Map<string, (name: string, value: string) => Json>([
  ['name and value', (of, word) => ({ name: of, value: word })],
  ['key and value', (of, word) => [{ key: of, value: word }]],
  ['label and text', (of, word) => ({ label: of, text: word })],
  ['id and content', (of, word) => ({ id: of, other: 1, content: word })],
  ['a member with a value', (of, word) => ({ env: { [of]: { value: word } } })],
  ['a member with values', (of, word) => ({ [of]: { values: [word] } })],
  ['a member with a list', (of, word) => ({ [`x_${of}`]: [word] })],
  ['the type of a field', (_, word) => ({ type: 'password', value: word })],
  ['the parts of a command', (of, word) => ['tool', `--${of.toLowerCase()}`, word]],
  ['a part of a command', (of, word) => ['tool', `--${of.toLowerCase()}=${word}`, '-v']],
  ['JSON in a text', (of, word) => JSON.stringify({ a: [{ Name: of, Value: word }] })],
])

describe('a secret goes', () => {
  test.each([...texts.keys()])('out of %s', (place) => {
    const write = texts.get(place) ?? String
    fc.assert(
      fc.property(name, secret, (of, word) => {
        expect(redactText(write(of, word))).toBe(write(of, redactedMark))
      }),
    )
  })

  test.each([...values.keys()])('out of data: %s', (place) => {
    const write = values.get(place) ?? String
    fc.assert(
      fc.property(name, secret, (of, word) => {
        const shown = JSON.stringify(redact(write(of, word), { maxDepth: 9 }).value)
        expect(shown).not.toContain(word)
        expect(shown).toContain(redactedMark)
      }),
    )
  })

  test.each<[string, Written]>([
    ['a field of a form', (_, word) => `<input type="password" value="${word}">`],
    ['a login', (_, word) => `vault login s.${word}${word}`],
    ['a share', (_, word) => String.raw`net use Z: \\srv\share ${word} /user:ann`],
    ['a share behind its user', (_, word) => String.raw`net use \\srv\a /user:d\ann ${word}`],
    ['a terminal', (_, word) => `plink -ssh ann@host -pw ${word}`],
    ['a line of a system', (_, word) => `ann:${word}${word}:19000:0:99999:7:::`],
  ])('out of %s', (_, write) => {
    fc.assert(
      fc.property(secret, (word) => {
        expect(redactText(write('', word))).not.toContain(word)
      }),
    )
  })

  test('as a hash of a password, however little it varies', () => {
    const signs = fc.constantFrom('a', 'ab', '0', './', `${small}${digits}`)
    const hash = signs.chain((some) => {
      return made(
        fc.constantFrom('$5$', '$6$', '$6$rounds=5000$'),
        of(some, 4, 16),
        '$',
        of(some, 86),
      )
    })
    fc.assert(
      fc.property(hash, (word) => {
        expect(redactText(`root:${word}:19000:0:99999:7:::`)).not.toContain(word)
        expect(redactText(`it is ${word}`)).toBe(`it is ${redactedMark}`)
      }),
    )
  })

  test('as the token of a bot in an address', () => {
    const token = made(of('123456789', 9), ':AA', of(`${small}${digits}_-`, 33))
    fc.assert(
      fc.property(token, (word) => {
        expect(redactText(`https://api.telegram.org/bot${word}/getMe`)).not.toContain(word)
      }),
    )
  })
})

describe('what stands in such a place and is no secret stays', () => {
  test.each([
    'tool --token=$TOKEN --secret id=aws,src=aws.json --no-password x',
    'tool --private-key=deploy.pem --starting-token abc1 --max-tokens=100',
    '<password></password><p>The password is required.</p>',
    '<Parameter><Name>region</Name><Value>eu1</Value></Parameter>',
    '<dict><key>password</key><true/><key>user</key><string>ann1</string></dict>',
    '<input type="password" value=""><input type="text" value="ann1">',
    '<label for="password">Password</label><title>Reset password</title><text>Go on 2</text>',
    '- name: password\n- name: user\n  value: ann1',
    'vault login -method=oidc role=dev',
    'a net user can log in',
    'token: uint8\nsecret: int64',
    's/(a)(b)/$6$5$2/',
  ])('%s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test.each<Json>([
    { name: 'region', value: 'eu1' },
    { label: 'Password', text: 'Forgot?' },
    { title: 'Reset your password', content: 'Go to page 2 and follow it.' },
    { type: 'token', value: 'ident1' },
    { DB_PASSWORD: { valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } } },
    { missing_credentials: ['DB_HOST', 'API_URL'] },
  ])('%j', (value) => {
    expect(redact(value, { maxDepth: 9 })).toEqual({ value, warnings: [] })
  })
})

describe('numbers that are no telephones stay', () => {
  function listed(item: fc.Arbitrary<string>, gap: string, minLength = 2, maxLength = 8) {
    return fc.array(item, { minLength, maxLength }).map((items) => items.join(gap))
  }
  const gap = fc.constantFrom(' ', ', ', ',', ' - ', '\n', '; ')
  function lists(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
    return gap.chain((sign) => listed(item, sign))
  }
  const to = (max: number): fc.Arbitrary<string> => fc.nat(max).map(String)
  const counted = (width: number, from: number, count: number, by: string): string => {
    return Array.from({ length: count }, (_, index) => {
      return String(from + index).padStart(width, '0')
    }).join(by)
  }

  test.each<[string, fc.Arbitrary<string>]>([
    ['modes of files', lists(made('0', of('01234567', 3)))],
    [
      'modes with owners',
      made(fc.constantFrom('0644 ', '0755 ', '0600 '), to(999), ' ', to(999_999)),
    ],
    ['numbers of three digits', gap.chain((by) => listed(of(digits, 3), by, 2, 4))],
    ['numbers of four digits', listed(made('0', of(digits, 3)), ' ', 2, 5)],
    ['with hyphens', listed(made(fc.constantFrom('0', '1'), of(digits, 2)), '-', 2, 4)],
    ['versions', lists(made(to(40), '.', to(40), '.', to(40)))],
    ['coordinates', lists(made('-', to(179), '.', of(digits, 4, 6)))],
    ['addresses of machines', lists(made('10.', to(255), '.', to(255), '.', to(255)))],
    ['dates', lists(made('20', of(digits, 2), '-0', of('123456789', 1), '-1', of(digits, 1)))],
    ['counts', lists(to(999_999))],
    ['part numbers', lists(made('1', of(digits, 2), '-', of(digits, 3), '-', of(digits, 4)))],
    [
      'part numbers by a word',
      made('part no. 2', of('345678', 2), '-', of('2345', 3), '-', of(digits, 4)),
    ],
    ['round numbers', made(of('234', 1), '00-', of('567', 1), '00-', of('123', 1), '000')],
    ['a sum', made('x = +', fc.integer({ min: 100_000_000, max: 199_999_999 }).map(String))],
    ['offsets', made('+', listed(made(of('123', 1), '00'), ' ', 2, 4))],
    ['hunks', made('@@ -', to(999), ',', to(99), ' +', to(999), ',', to(99), ' @@')],
    [
      'a time with a sign',
      made('+20', of('012', 1), of(digits, 1), ' 0', of('1234', 1), ' 0', of('12', 1)),
    ],
    [
      'indices',
      fc
        .tuple(fc.integer({ min: 2, max: 5 }), fc.nat(89), fc.integer({ min: 2, max: 12 }), gap)
        .map(([width, from, count, by]) => counted(width, from, Math.min(count, 99 - from), by)),
    ],
  ])('%s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, fc.constantFrom('', 'x ', 'at: '), (text, before) => {
        expect(redactText(`${before}${text}`)).toBe(`${before}${text}`)
      }),
    )
  })

  test('and telephones go as offices write them', () => {
    for (const text of [
      '+1 212 456 7890',
      '+44 020 7946 0958',
      '+44 (0)20 7946 0958',
      '+447911123456',
      '+420 601 234 567',
      '0044 20 7946 0958',
      '001-212-456-7890',
      '06 12 34 56 78',
      '0412 345 678',
      '010-1234-5678',
      '030/90182000',
      '212-456-7890 x12',
      '1-800-356-9377',
    ])
      expect(redactText(text)).toBe(redactedMark)
  })
})

describe('base64', () => {
  const container = fc.constantFrom(
    (text: string): Json => text,
    (text: string): Json => ({ data: text, mimeType: 'image/png' }),
    (text: string): Json => ({ image: text }),
    (text: string): Json => `const icon = '${text}'`,
    (text: string): Json => `icon: ${text}\nnext: 1`,
    (text: string): Json => [{ body: `<img>${text}</img>` }],
    (text: string): Json => JSON.stringify({ thumbnail: text }),
  )
  const encoding = fc.constantFrom<'base64' | 'base64url'>('base64', 'base64url')

  test('of bytes stays', () => {
    const bytes = fc.uint8Array({ minLength: 100, maxLength: 2_000 })
    fc.assert(
      fc.property(bytes, encoding, container, (some, how, within) => {
        fc.pre(Buffer.from(some).toString('utf8').includes('\ufffd'))
        const value = within(Buffer.from(some).toString(how))
        expect(redact(value, { maxDepth: 9 })).toEqual({ value, warnings: [] })
      }),
    )
  })

  test('of a text with a secret goes, and so do bytes that a name calls secret', () => {
    const text = fc.tuple(fc.lorem({ maxCount: 40 }), secret, fc.lorem({ maxCount: 40 }))
    fc.assert(
      fc.property(text, encoding, container, ([before, word, behind], how, within) => {
        const encoded = Buffer.from(`${before}\npassword=${word}\n${behind}`).toString(how)
        expect(JSON.stringify(redact(within(encoded), { maxDepth: 9 }).value)).not.toContain(
          encoded,
        )
      }),
    )
    const encoded = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 151 + 211) % 256))
    const shown = redactText(`secret_key = ${encoded.toString('base64')}`)
    expect(shown).toBe(`secret_key = ${redactedMark}`)
  })
})
