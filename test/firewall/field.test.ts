// Faults that were reported of tools like this one, and their neighbours: made by chance in each
// form, what is secret goes and what is not stays.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactedMark, redactText } from '#firewall/redact'
import { jsonOf } from '#record/canonical'
import { parseJson } from '#record/json'
import { z } from 'zod'

const Case = z.strictObject({
  kind: z.string(),
  source: z.string(),
  value: z.unknown(),
  shown: z.unknown(),
})
const file = new URL('../data/field/redact.ndjson', import.meta.url)
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => Case.parse(parseJson(line)))

test.each(cases)('$kind: $value', ({ value, shown }) => {
  expect(redact(jsonOf(value), { maxDepth: 64 }).value).toEqual(shown)
})

const small = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

function of(signs: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...signs.split('')), minLength, maxLength })
}

/** As people choose them: a word, digits, and perhaps a sign. */
const password = fc
  .tuple(of(small, 4, 8), of(digits, 2, 4), fc.constantFrom('', '!', '?', '%'))
  .map((parts) => parts.join(''))
  .filter((word) => !/^(?:base|utf|sha|rfc|i18n|md|x\d|env|your|xx)/.test(word))
const passName = fc
  .tuple(
    fc.constantFrom('', 'db_', 'DB_', 'mail-', 'app.', 'ssh'),
    fc.constantFrom('password', 'Password', 'PASSWORD', 'passwd', 'passphrase'),
  )
  .map((parts) => parts.join(''))
const program = fc.constantFrom('tool', 'psql --host x', 'docker login -u ann', './run.sh')

describe('a secret beside its name', () => {
  test('goes out of pairs, in data and in texts', () => {
    const keys = fc.constantFrom(
      ['name', 'value'],
      ['Name', 'Value'],
      ['key', 'value'],
      ['Key', 'Value'],
      ['ParameterKey', 'ParameterValue'],
      ['header', 'value'],
    )
    fc.assert(
      fc.property(
        keys,
        passName,
        password,
        fc.boolean(),
        ([of = '', to = ''], name, word, isText) => {
          const pair = { [of]: name, other: 1, [to]: word }
          const value = isText ? JSON.stringify({ env: [pair] }, null, 2) : { env: [pair] }
          const shown = JSON.stringify(redact(value).value)
          expect(shown).not.toContain(word)
          expect(shown).toContain(name)
        },
      ),
    )
  })

  test('goes out of command lines', () => {
    const option = fc.constantFrom(
      '--password',
      '--db-password',
      '--token',
      '--api-key',
      '--secret',
    )
    fc.assert(
      fc.property(program, option, password, (command, flag, word) => {
        expect(redactText(`${command} ${flag} ${word} -v`)).toBe(
          `${command} ${flag} ${redactedMark} -v`,
        )
        expect(redact([...command.split(' '), flag, word]).value).toContain(redactedMark)
      }),
    )
  })

  test('goes out of the options of one letter, where a program has such', () => {
    const form = fc.constantFrom(
      (word: string) => `mysql -u root -p${word} shop`,
      (word: string) => `mysqldump --single-transaction -p${word} shop`,
      (word: string) => `sshpass -p ${word} ssh host`,
      (word: string) => `curl -s -u admin:${word} https://x.test`,
      (word: string) => `redis-cli -h cache -a ${word} ping`,
    )
    fc.assert(
      fc.property(form, of(small + digits, 6, 10), (line, word) => {
        expect(redactText(line(word))).toBe(line(redactedMark))
      }),
    )
    expect(redactText('mysql -u root -p shop')).toBe('mysql -u root -p shop')
  })

  test('goes out of elements and attributes', () => {
    const form = fc.constantFrom(
      (name: string, word: string) => `<${name}>${word}</${name}>`,
      (name: string, word: string) => `<x:${name} a="b">\n  ${word}\n</x:${name}>`,
      (name: string, word: string) => `<add key="${name}" value="${word}"/>`,
      (name: string, word: string) => `<property name="${name}">${word}</property>`,
      (name: string, word: string) => `<key>${name}</key>\n<string>${word}</string>`,
      (name: string, word: string) => `<db host="x" ${name}="${word}"/>`,
    )
    fc.assert(
      fc.property(form, passName, password, (text, name, word) => {
        expect(redactText(text(name, word))).toBe(text(name, redactedMark))
      }),
    )
  })

  test('goes out of sentences in several languages', () => {
    const form = fc.constantFrom(
      (word: string) => `Das Passwort ist ${word}.`,
      (word: string) => `Kennwort: ${word}`,
      (word: string) => `La contraseña es ${word}.`,
      (word: string) => `密码是${word}`,
      (word: string) => `密码：${word}`,
      (word: string) => `пароль: ${word}`,
      (word: string) => `senha: ${word}`,
      (word: string) => `le mot de passe est ${word}`,
      (word: string) => `the password is ${word}`,
    )
    const plain = fc.tuple(of(small, 4, 8), of(digits, 2, 4)).map((parts) => parts.join(''))
    fc.assert(
      fc.property(form, plain, (text, word) => {
        fc.pre(!/^(?:base|utf|sha|rfc|md|x\d|env|your)/.test(word))
        expect(redactText(text(word))).not.toContain(word)
      }),
    )
  })

  test('is not what a schema says that it may be', () => {
    const schema = {
      properties: { password: { type: 'string', minLength: 8 }, token: { $ref: '#' } },
    }
    expect(redact(schema, { maxDepth: 9 })).toEqual({ value: schema, warnings: [] })
    expect(redact({ password: { type: 'string', default: 'hunter2' } }).value).toEqual({
      password: { type: 'string', default: redactedMark },
    })
    expect(redact({ password: { type: 'plain', value: 'x' } }).value).toEqual({
      password: redactedMark,
    })
  })
})

describe('cards', () => {
  const cards = ['4111111111111111', '5500000000000004', '6011111111111117', '3530111333300000']

  test('go whatever sign stands between their groups', () => {
    const sign = fc.constantFrom(...'.,/_:·|*~+;=•'.split(''), ' / ', ', ')
    fc.assert(
      fc.property(fc.constantFrom(...cards), sign, (card, between) => {
        const grouped = (card.match(/.{4}/g) ?? []).join(between)
        expect(redactText(grouped)).toBe(redactedMark)
      }),
    )
    expect(redactText('3782.822463.10005')).toBe(redactedMark)
  })

  test('are not found in columns and rows of numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_990 }),
        fc.constantFrom('\n', ' ', ','),
        (from, gap) => {
          const numbers = Array.from({ length: 60 }, (_, index) => String(from + index)).join(gap)
          expect(redactText(numbers)).toBe(numbers)
        },
      ),
    )
  })
})

describe('what only looks like it', () => {
  test('coordinates, decimals, versions and pictures stay', () => {
    const decimal = fc
      .tuple(fc.integer({ min: -180, max: 180 }), of(digits, 4, 9))
      .map(([whole, fraction]) => `${whole}.${fraction}`)
    const form = fc.constantFrom(
      (one: string, other: string) => `POINT(${one} ${other})`,
      (one: string, other: string) => `${one}, ${other}`,
      (one: string, other: string) => `${one},${other}`,
      (one: string, other: string) => `{"type":"Point","coordinates":[${one},${other}]}`,
      (one: string, other: string) => `lat=${one}&lon=${other}`,
    )
    fc.assert(
      fc.property(form, decimal, decimal, (text, one, other) => {
        expect(redactText(text(one, other))).toBe(text(one, other))
      }),
    )
    const version = fc
      .tuple(fc.nat(99), fc.nat(99), fc.nat(99), fc.constantFrom('', '-beta.1', '-rc.2', '+b.7'))
      .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`)
    const name = fc.constantFrom('lodash', '@babel/core', 'actions/checkout', 'pkg:npm/x', 'a.b')
    fc.assert(
      fc.property(name, fc.constantFrom('', 'v', '^'), version, (one, sign, number) => {
        const text = `+-- ${one}@${sign}${number} (dev)`
        expect(redactText(text)).toBe(text)
      }),
    )
    for (const text of [
      'icon@2x.png',
      'logo@1.5x.webp',
      'git@github.com:o/r.git',
      'getty@tty1.service',
    ])
      expect(redactText(text)).toBe(text)
  })

  test.each([
    ['a package that is called like a secret', '{"cookie":"^0.7.1","password":"^5.0.12"}'],
    ['the same in a lock file', '  "@inquirer/password": "^5.0.12",\n  "token": "4.1.0",'],
    ['an identifier of a page of help', 'aws --fleet-id fleet-12a34b55-67cd-8ef9-9208dEXAMPLE'],
    ['an identifier in groups', '"requestId": "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111"'],
    ['a digest by its name', '"CodeSha256": "5tT2qgzYUHaqwR716pZ2dpkn/0J1FrzJmlKidWoaCgk="'],
    ['a digest in XML', '<DigestValue>5tT2qgzYUHaqwR716pZ2dpkn/0J1FrzJmlKidWoaCgk=</DigestValue>'],
    ['an identifier by its name', '"attachmentSetId": "as2f5a6faAa4a1e600Bmunk5xQlBr7"'],
    ['the token of a page', '"nextToken": "zaCELgL0imfnc8mVLWwsAawjYr4Rx"'],
    ['a name of a resource', 'arn:aws:secretsmanager:us-west-2:123456789012:secret:My-a1b2c3'],
    ['names of tokens', '{"input_token": "NextToken", "output_token": "Marker"}'],
    ['a type of a resource', '"AWS::ApiGateway::ApiKey": "48205d4ffd7feba3"'],
    ['the name of a function', 'fun:_ZN2v88Function4CallENS_5LocalINS_7ContextEEENS1_INS_5Value'],
    ['a colour', 'Token: "#ddd0c0",'],
    ['a word in place of a password', "connect({ user: 'ann', password: 'password' })"],
    ['a login in place of one', 'nats://derek:pass@localhost:4222 or tls://%s:%s@%s/'],
    ['a login that each installation has', 'amqp://guest:guest@localhost/ postgres://a:$P@db/x'],
    ['numbers with a sign and a power', '+526250918E287 and -350301748E-310'],
    ['a part of a picture', 'c.081-.001-.01-.092-.012-.012V2.011c.001.055.027.005.008-.01z'],
    ['a row of numbers', '"52-Cecil","4",3536,1330,2943,7809,"Coderre"'],
    ['a factor', '14633730048000000*t**14 + 4828147466240000*t**12'],
    ['the type of a key', 'type PrivateKey = ed25519.PrivateKey'],
    ['what is called on an event', '  onresumptiontoken: onLastEventIdUpdate\n'],
    ['what a member calls on one', '  onNewToken: refresh\n'],
    ['a public key', 'UC6NLCN7AS34YOJVCYD4PJ3QB7QGLYG5B5IMBT25VW5K4TNUJODM7BOX'],
    [
      'an address of a host in a list',
      '|1|IHXZvQMvTcZTUU29+2vXFgx8Frs=|UGccIWfRVDwilMBnA3WJoRAC75Y=',
    ],
  ])('%s stays', (_, text) => {
    expect(redactText(text)).toBe(text)
  })

  test('identifiers and digests stay in data by their names', () => {
    const token = 'zaCELgL0imfnc8mVLWwsAawjYr4Rx'
    const kept = { id: token, nextToken: token, sha256: token }
    expect(redact(kept)).toEqual({ value: kept, warnings: [] })
    expect(redact({ sessionId: token, other: token }).value).toEqual({
      sessionId: redactedMark,
      other: redactedMark,
    })
  })

  test('bytes in base64 over lines stay', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 400, maxLength: 900 }), (bytes) => {
        const lines =
          Buffer.from(bytes)
            .toString('base64')
            .match(/.{1,76}/g) ?? []
        const text = lines.join('\n')
        fc.pre(Buffer.from(bytes).toString('utf8').includes('\ufffd'))
        expect(redactText(text)).toBe(text)
      }),
    )
  })

  test('programs stay that only name what is secret', () => {
    const text = [
      'const token = await getToken(request.headers)',
      "if (!password) throw new Error('password: ' + hint)",
      'interface Login { password: string; token?: string; secretKey: Uint8Array }',
      'connect({ user, password: options.password, token: process.env.API_TOKEN })',
      "const cookie = parseCookie(header); setCookie('a', b)",
      'Bearer of good news; the bearer token is read from the header',
    ].join('\n')
    expect(redactText(text)).toBe(text)
  })
})

test('JSON in a text keeps its form', () => {
  const text = '{\n  "id": 1915883588174806058,\n  "password": "x",\n  "n": 1.50\n}\n'
  expect(redactText(text)).toBe(text.replace('"x"', '"[REDACTED]"'))
})
