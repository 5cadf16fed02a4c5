import { createHmac, createPublicKey, sign } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical, jsonOf, type Json } from '#record/canonical'
import { digestOf } from '#record/digest'
import { plainJwkOf, thumbprintOf } from '#messages/warrants/jwk'
import { writeJws } from '#messages/warrants/minted'
import { verifyToken, verifyWarrant, type TokenExpected } from '#messages/warrants/verify'
import type { TokenRefusal } from '#schemas/action/warrant'
import { audience, claimsFor, delegate, expected, holder, issuer, jwks, minted } from './tokens.ts'

const token = minted()
const [head = '', body = '', tail = ''] = token.split('.')
const kid = thumbprintOf(issuer.publicKey)
const claims = claimsFor()

const encoded = (value: Json | string): string =>
  Buffer.from(typeof value === 'string' ? value : canonical(value)).toString('base64url')

/** Signed with the issuer’s own key, whatever it says. */
function signed(header: Json): string {
  return writeJws({ header, payload: jsonOf(claims) }, issuer.privateKey)
}

/** The same, of a text that need not be canonical. */
function signedText(payload: string, header = head): string {
  return signedParts(`${header}.${encoded(payload)}`)
}

function signedParts(text: string): string {
  return `${text}.${sign(null, Buffer.from(text), issuer.object).toString('base64url')}`
}

function refusalOf(text: string, more: Partial<TokenExpected> = {}): TokenRefusal | null {
  const found = verifyToken(expected(text, more))
  return found.ok ? null : found.code
}

const pem = createPublicKey({ key: plainJwkOf(issuer.publicKey), format: 'jwk' })
const publicPem = pem.export({ type: 'spki', format: 'pem' }).toString()

function hmac(secret: string | Buffer, header: Json): string {
  const text = `${encoded(header)}.${body}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

test.each<[string, string, TokenRefusal]>([
  [
    'no algorithm',
    `${encoded({ alg: 'none', kid, typ: 'warrant+jwt' })}.${body}.`,
    'token_malformed',
  ],
  [
    'no algorithm, and a signature that is one',
    `${encoded({ alg: 'none', kid, typ: 'warrant+jwt' })}.${body}.${tail}`,
    'token_algorithm',
  ],
  ['None', signed({ alg: 'None', kid, typ: 'warrant+jwt' }), 'token_algorithm'],
  ['HS512', signed({ alg: 'HS512', kid, typ: 'warrant+jwt' }), 'token_algorithm'],
  ['a list of algorithms', signed({ alg: ['EdDSA'], kid, typ: 'warrant+jwt' }), 'token_algorithm'],
  ['no type', signed({ alg: 'EdDSA', kid }), 'token_type'],
  ['type JWT', signed({ alg: 'EdDSA', kid, typ: 'JWT' }), 'token_type'],
  ['type of a link', signed({ alg: 'EdDSA', kid, typ: 'warrant-link+jwt' }), 'token_type'],
  ['no key named', signed({ alg: 'EdDSA', typ: 'warrant+jwt' }), 'token_malformed'],
  [
    'its own key beside it',
    signed({ alg: 'EdDSA', kid, typ: 'warrant+jwt', jwk: plainJwkOf(delegate.publicKey) }),
    'token_malformed',
  ],
  [
    'where to get its key',
    signed({ alg: 'EdDSA', kid, typ: 'warrant+jwt', jku: 'https://evil.example/keys' }),
    'token_malformed',
  ],
  [
    'an extension that must be understood',
    signed({ alg: 'EdDSA', kid, typ: 'warrant+jwt', crit: ['b64'], b64: false }),
    'token_malformed',
  ],
  [
    'the key of another',
    signed({ alg: 'EdDSA', kid: thumbprintOf(holder.publicKey), typ: 'warrant+jwt' }),
    'token_key_unknown',
  ],
  [
    'a key that is a path',
    signed({ alg: 'EdDSA', kid: '../keys', typ: 'warrant+jwt' }),
    'token_key_unknown',
  ],
  [
    '`__proto__` as key',
    signed({ alg: 'EdDSA', kid: '__proto__', typ: 'warrant+jwt' }),
    'token_key_unknown',
  ],
])('a token that says %s is refused', (_, text, code) => {
  expect(refusalOf(text)).toBe(code)
})

test('a signature by HMAC with the public key is no signature', () => {
  const secrets = [publicPem, issuer.publicKey, plainJwkOf(issuer.publicKey).x]
  for (const secret of [...secrets, ...secrets.map((one) => Buffer.from(one, 'base64url'))]) {
    expect(refusalOf(hmac(secret, { alg: 'HS256', kid, typ: 'warrant+jwt' }))).not.toBeNull()
    expect(refusalOf(hmac(secret, { alg: 'EdDSA', kid, typ: 'warrant+jwt' }))).not.toBeNull()
  }
})

test('signed by a key that is not the named one, it is refused', () => {
  const header = { alg: 'EdDSA', kid, typ: 'warrant+jwt' }
  const forged = writeJws({ header, payload: jsonOf(claims) }, holder.privateKey)
  expect(refusalOf(forged)).toBe('token_signature')
})

test('no claim can be changed', () => {
  for (const changed of [
    { ...claims, sub: 'other' },
    { ...claims, exp: claims.exp + 1 },
    { ...claims, warrant: { ...claims.warrant, constraints: {} } },
    { ...claims, cnf: { jkt: thumbprintOf(delegate.publicKey) } },
  ]) {
    expect(refusalOf(`${head}.${encoded(JSON.stringify(changed))}.${tail}`)).toBe('token_signature')
  }
})

test('cut off anywhere, it is refused', () => {
  for (let length = 0; length < token.length; length += 1) {
    expect(refusalOf(token.slice(0, length))).not.toBeNull()
  }
})

test('no other spelling of it holds', () => {
  const last = tail.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const spare = alphabet[alphabet.indexOf(last) + 1] ?? ''
  for (const other of [
    `${head}.${body}.${tail}=`,
    `${head}.${body}.${tail}==`,
    ` ${token}`,
    `${token}\n`,
    `${head}.${body}.${tail.slice(0, -1)}${spare}`,
    `${head}.${body}.${tail}.`,
    `${head}.${body}.${tail}.${tail}`,
    `${head}..${body}.${tail}`,
    token.replaceAll('-', '+').replaceAll('_', '/').concat(' '),
    `${head}.${body}.${tail}\u0000`,
    `Bearer ${token}`,
    `${token}~`,
    `~${token}`,
  ]) {
    expect(refusalOf(other)).not.toBeNull()
  }
})

test('two members with one key, signed by the issuer itself, are refused', () => {
  const twice = canonical(jsonOf(claims)).replace('{', '{"sub":"other",')
  expect(refusalOf(signedText(twice))).toBe('token_malformed')
  const header = encoded(`{"alg":"EdDSA","alg":"none","kid":"${kid}","typ":"warrant+jwt"}`)
  expect(refusalOf(signedParts(`${header}.${body}`))).toBe('token_malformed')
})

test.each<[string, string]>([
  ['not UTF-8', '\ud800'],
  ['nested without end', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['no JSON', 'claims'],
  ['an unsafe key', '{"__proto__":{"sub":"x"}}'],
  ['a number beyond doubles', '{"exp":1e999}'],
])('what is signed and %s is refused', (_, payload) => {
  expect(refusalOf(signedText(payload))).not.toBeNull()
})

test('claims that no warrant has are refused, though the issuer signed them', () => {
  const { warrant, ...registered } = claims
  const header = { alg: 'EdDSA', kid, typ: 'warrant+jwt' }
  const wrong: unknown[] = [
    { ...registered },
    { ...registered, warrant: {} },
    { ...claims, exp: `${claims.exp}` },
    { ...claims, exp: claims.exp + 0.5 },
    { ...claims, exp: -1 },
    { ...claims, aud: [audience] },
    { ...claims, aud: [audience, 'warrant:other'] },
    { ...claims, cnf: {} },
    { ...claims, cnf: { jwk: plainJwkOf(holder.publicKey) } },
    { ...claims, cnf: null },
    { ...claims, admin: true },
    { ...claims, warrant: { ...warrant, args: 'sha256:00' } },
    [],
    null,
  ]
  for (const one of wrong) {
    const payload = jsonOf(one)
    expect(refusalOf(writeJws({ header, payload }, issuer.privateKey))).toBe('token_claims')
  }
})

test('a token of another audience, log or realm is refused', () => {
  expect(refusalOf(token, { audience: 'warrant:other' })).toBe('token_audience')
  expect(refusalOf(token, { audience: '' })).toBe('token_audience')
  expect(refusalOf(token, { log: digestOf('another log') })).toBe('token_log')
  expect(refusalOf(token, { realm: 'other' })).toBe('token_log')
  expect(refusalOf(token, { realm: 'main-c0' })).toBe('token_log')
})

test('what is huge is refused before it is read', () => {
  const huge = 'A'.repeat(64 * 1024 * 1024)
  for (const text of [
    huge,
    `${huge}.${huge}.${huge}`,
    `${token}~${huge}`,
    '.'.repeat(10_000_000),
  ]) {
    expect(['token_too_large', 'token_malformed']).toContain(refusalOf(text))
  }
})

test('no key of the set that is no point of the curve makes it throw', () => {
  const zero = Buffer.alloc(32).toString('base64url')
  const bad = { keys: [{ ...plainJwkOf(issuer.publicKey), x: zero, kid }] }
  expect(refusalOf(token, { jwks: bad })).toBe('token_signature')
  expect(refusalOf(token, { jwks: { keys: [] } })).toBe('token_key_unknown')
  expect(jwks.keys).toHaveLength(1)
})

test('whatever text is sent, it is refused with a code and nothing is thrown', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(head, body, tail, '.', '~', '', '=', encoded({}), encoded([])),
    fc.base64String(),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', '.', '~'), (parts, by) => {
      const text = parts.join(by)
      const found = verifyWarrant({ ...expected(text), presentation: { dpop: text } })
      expect(found.ok).toBe(false)
    }),
  )
})

test('a byte changed anywhere makes it another token, and none that holds', () => {
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom('A', 'Q', 'z', '0', '-', '_', '.', '~'),
      (at, character) => {
        fc.pre(token[at] !== character)
        expect(refusalOf(`${token.slice(0, at)}${character}${token.slice(at + 1)}`)).not.toBeNull()
      },
    ),
  )
})
