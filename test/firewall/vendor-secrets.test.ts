// Secrets in the forms that their issuers and the files of programs have them, in each container in
// which a tool may return them: all go. What stands beside them and is no secret stays.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactText } from '#firewall/redact'

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const small = upper.toLowerCase()
const digit = '0123456789'
const letters = upper + small + digit
const hex = `${digit}abcdef`

/** Signs of each kind come in it, as in nearly all that is made by chance. */
function by(signs: string, length: number): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom(...signs.split('')),
    minLength: length,
    maxLength: length,
  })
}

function made(...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  const arbitraries = parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))
  return fc.tuple(...arbitraries).map((found) => found.join(''))
}

/** As people choose them: a word with digits, perhaps with signs. */
const password = made(by(small, 6), by(digit, 3), fc.constantFrom('', 'X', '!', '%q')).filter(
  (word) => !/^(?:base|utf|sha|rfc|md|env|your|x)/.test(word),
)
const base64url = (text: string): string => Buffer.from(text).toString('base64url')
const webToken = made(
  `${base64url('{"alg":"HS256"}')}.`,
  fc.nat().map((id) => base64url(`{"sub":"${id}"}`)),
  '.',
  by(letters, 43),
)

const issued = new Map<string, fc.Arbitrary<string>>([
  ['AWS', made('AKIA', by(upper + digit, 16))],
  ['GitHub', made(fc.constantFrom('ghp_', 'gho_', 'ghs_'), by(letters, 36))],
  ['GitHub, fine-grained', made('github_pat_', by(letters, 22), '_', by(letters, 59))],
  ['GitLab', made('glpat-', by(letters, 20))],
  ['Slack', made('xoxb-', by(digit, 12), '-', by(digit, 12), '-', by(letters, 24))],
  ['Stripe', made(fc.constantFrom('sk_live_', 'rk_live_', 'sk_test_'), by(letters, 24))],
  ['Google', made('AIza', by(letters, 35))],
  ['npm', made('npm_', by(letters, 36))],
  ['PyPI', made('pypi-AgEIcHlwaS5vcmc', by(letters, 60))],
  ['OpenAI', made('sk-proj-', by(letters, 48))],
  ['Anthropic', made('sk-ant-api03-', by(letters, 80))],
  ['SendGrid', made('SG.', by(letters, 22), '.', by(letters, 43))],
  ['SonarQube', made(fc.constantFrom('squ_', 'sqp_', 'sqa_'), by(hex, 40))],
  ['Octopus', made('API-', by(upper + digit, 26))],
  ['Cloudflare, origin', made('v1.0-', by(hex, 24), '-', by(hex, 146))],
  ['Mapbox', made('sk.', 'eyJ', by(letters, 60), '.', by(letters, 22))],
  ['Harness', made('pat.', by(letters, 22), '.', by(hex, 24), '.', by(letters, 20))],
  ['Brevo', made('xkeysib-', by(hex, 64), '-', by(letters, 16))],
  ['Intra42', made('s-s4t2ud-', by(hex, 64))],
  ['Lob', made('live_', by(hex, 35))],
  ['Cursor', made('crsr_', by(hex, 64))],
  ['Firecrawl', made('fc-', by(hex, 32))],
  ['Zuplo', made('zpka_', by(hex, 32), '_', by(hex, 8))],
  ['a web token', webToken],
])

/** Each way in which a file gives something to a name that says it is secret. */
const given = new Map<string, (word: string) => string>([
  ['a shell', (word) => `export DB_PASSWORD=${word}`],
  ['a shell, in quotes', (word) => `export API_TOKEN='${word}'`],
  ['a file of variables', (word) => `DB_HOST=x\nDB_PASSWORD=${word}\nDB_PORT=5432`],
  ['INI', (word) => `[db]\npassword = ${word}\n`],
  ['TOML', (word) => `[db]\npassword = "${word}"\n`],
  ['YAML', (word) => `db:\n  password: ${word}\n  port: 5432`],
  ['YAML, in quotes', (word) => `secret_key_base: '${word}'`],
  ['JSON', (word) => `{"db": {"password": "${word}"}}`],
  ['PHP', (word) => `define('DB_PASSWORD', '${word}');`],
  ['a program', (word) => `const password = "${word}"`],
  ['an element', (word) => `<config><password>${word}</password></config>`],
  ['an attribute', (word) => `<add key="DbPassword" value="${word}"/>`],
  ['an option', (word) => `tool --password ${word} --verbose`],
  ['a program of a database', (word) => `mysql -u root -p${word} shop`],
  ['.pgpass', (word) => `localhost:5432:shop:ann:${word}`],
  ['.netrc', (word) => `machine x.test login ann password ${word}`],
  ['a connection string', (word) => `postgres://ann:${word}@db.internal:5432/shop`],
  ['a header', (word) => `X-Api-Key: ${word}`],
  ['a header with a scheme', (word) => `Authorization: Bearer ${word}`],
])

const hashes = new Map<string, fc.Arbitrary<string>>([
  ['.htpasswd, apr1', made('$apr1$', by(letters, 8), '$', by(letters, 22))],
  ['.htpasswd, bcrypt', made('$2y$10$', by(letters, 53))],
])

const containers = new Map<string, (text: string) => string>([
  ['alone', (text) => text],
  ['in prose', (text) => `Here it is:\n\n${text}\n\nUse it with care.`],
  ['in a list of Markdown', (text) => `- one\n- \`${text}\`\n`],
  ['in a block of Markdown', (text) => `\`\`\`\n${text}\n\`\`\`\n`],
  ['with the line ends of Windows', (text) => `a\n${text}\nb\n`.replaceAll('\n', '\r\n')],
  ['added in a diff', (text) => `@@ -1 +1 @@\n${text.replaceAll(/^/gm, '+')}\n`],
  ['removed in a diff', (text) => `@@ -1 +1 @@\n${text.replaceAll(/^/gm, '-')}\n`],
  ['as a text in JSON', (text) => JSON.stringify({ output: text })],
  ['as JSON in a text in JSON', (text) => JSON.stringify({ a: JSON.stringify({ b: text }) })],
  ['in an address', (text) => `q=${encodeURIComponent(`\n${text}\n`)}&x=1`],
])

function contained(name: string): (text: string) => string {
  return containers.get(name) ?? ((text) => text)
}

const container = fc.constantFrom(...containers.keys())

describe('a secret goes in each container', () => {
  test.each([...issued.keys(), ...hashes.keys()])('as %s writes it', (name) => {
    const token = issued.get(name) ?? hashes.get(name) ?? fc.constant('')
    fc.assert(
      fc.property(token, container, (secret, where) => {
        expect(redactText(contained(where)(secret))).not.toContain(secret)
      }),
    )
  })

  test.each([...given.keys()])('given to a name by %s', (form) => {
    const write = given.get(form) ?? String
    fc.assert(
      fc.property(password, container, (word, where) => {
        // A line of such a file is known by its beginning, with nothing before it.
        fc.pre(form !== '.pgpass' || !/^in a list|^as JSON in a text in/.test(where))
        const text = contained(where)(write(word))
        expect(redactText(text)).not.toContain(encodedIn(text, word))
      }),
    )
  })

  test('as a private key', () => {
    const kind = fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ')
    const lines = fc.array(by(`${letters}+/`, 64), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(kind, lines, container, (of, body, where) => {
        const key = [`-----BEGIN ${of}PRIVATE KEY-----`, ...body, `-----END ${of}PRIVATE KEY-----`]
        const shown = redactText(contained(where)(key.join('\n')))
        for (const line of body) expect(shown).not.toContain(line)
      }),
    )
  })
})

/** As the container has written it. */
function encodedIn(text: string, word: string): string {
  return text.includes(word) ? word : encodeURIComponent(word)
}

describe('what stands beside secrets stays in each container', () => {
  const uuid = made(
    by(hex, 8),
    '-',
    by(hex, 4),
    '-4',
    by(hex, 3),
    '-a',
    by(hex, 3),
    '-',
    by(hex, 12),
  )
  const harmless = new Map<string, fc.Arbitrary<string>>([
    ['a UUID', uuid],
    ['a commit', made('commit ', by(hex, 40))],
    ['an integrity', made('sha512-', by(letters, 86), '==')],
    ['a version', made('lodash@', by('123456789', 1), '.', by('123456789', 2), '.0')],
    ['a time', fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 19))],
    [
      'a place',
      made(by('123456789', 2), '.', by(digit, 6), ',', by('123456789', 2), '.', by(digit, 6)),
    ],
    ['an address of a machine', made('10.', by('123456789', 2), '.', by('123456789', 2), '.7')],
    ['a type', fc.constantFrom('password: string', 'token?: string', 'secretKey: Uint8Array,')],
    [
      'a variable',
      fc.constantFrom('password=$DB_PASSWORD', 'token: ${TOKEN}', 'password: <password>'),
    ],
    ['an expression', fc.constantFrom('token = request.headers.token', 'password = getPassword()')],
    [
      'what a form is called',
      fc.constantFrom('input type="password"', 'The password is required.'),
    ],
    ['a number', made(by('123456789', 1), by(digit, 8))],
  ])

  test.each([...harmless.keys()])('%s', (name) => {
    fc.assert(
      fc.property(harmless.get(name) ?? fc.constant(''), container, (text, where) => {
        const whole = contained(where)(text)
        expect(redactText(whole)).toBe(whole)
      }),
    )
  })
})
