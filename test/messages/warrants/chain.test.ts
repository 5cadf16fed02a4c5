import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '#record/canonical'
import { type NarrowedTo, narrowed, writeJws, dpopFor } from '#messages/warrants/minted'
import {
  partsOfToken,
  verifyToken,
  verifyWarrant,
  type SoundToken,
  type TokenExpected,
} from '#messages/warrants/verify'
import { plainJwkOf, textDigest, thumbprintOf } from '#messages/warrants/jwk'
import type { Narrowing } from '#schemas/action/warrant'
import {
  claimsFor,
  delegate,
  expected,
  holder,
  issuer,
  keyPair,
  minted,
  now,
  dpopOf,
  terms,
  audience,
} from './tokens.ts'
import { targetIn } from '#messages/warrants/dpop'

const token = minted()
const second = keyPair()

function to(key: string, more: Partial<NarrowedTo> = {}): NarrowedTo {
  return { key, now, ...more }
}

function found(presented: string, at = now) {
  const read = verifyToken(expected(presented, { now: at }))
  return read.ok ? null : read.code
}

function sound(presented: string): SoundToken {
  const read = verifyToken(expected(presented))
  if (!read.ok) throw new Error(read.code)
  return read
}

/** A link as no program of ours writes it. */
function link(payload: Json, more: { key?: typeof holder; header?: Json } = {}): string {
  const { key = holder } = more
  const header = more.header ?? {
    alg: 'EdDSA',
    jwk: plainJwkOf(key.publicKey),
    typ: 'warrant-link+jwt',
  }
  return writeJws({ header, payload }, key.privateKey)
}

const iat = Math.floor(now / 1000)
const cnf = { jkt: thumbprintOf(delegate.publicKey) }
const parent = textDigest(token)

test('a delegate presents what its holder left it, with a key of its own', () => {
  const passed = narrowed(
    token,
    to(delegate.publicKey, {
      name: 'helper',
      constraints: { allowed_fields: ['id', 'secret'], max_rows: 5 },
      until: now + 60_000,
    }),
    holder.privateKey,
  )
  const presented = verifyWarrant({
    ...expected(passed),
    presentation: { dpop: dpopOf(passed, delegate) },
  })
  expect(presented).toMatchObject({
    ok: true,
    claims: claimsFor(),
    chain: [{ sub: 'helper', cnf, parent }],
    constraints: { allowed_fields: ['id'], max_rows: 5, region: 'eu' },
    exp: Math.floor((now + 60_000) / 1000),
    jkt: cnf.jkt,
  })
})

test('who passed it on presents it no more with that link, and the delegate not without', () => {
  const passed = narrowed(token, to(delegate.publicKey), holder.privateKey)
  const by = (text: string, key: typeof holder) => {
    const read = verifyWarrant({ ...expected(text), presentation: { dpop: dpopOf(text, key) } })
    return read.ok ? null : read.code
  }
  expect(by(passed, holder)).toBe('dpop_key')
  expect(by(token, delegate)).toBe('dpop_key')
  expect(by(passed, delegate)).toBeNull()
  const proof = dpopOf(token, delegate)
  const read = verifyWarrant({ ...expected(passed), presentation: { dpop: proof } })
  expect(read).toEqual({ ok: false, code: 'dpop_token' })
})

test('what a link asks for beyond its parent it does not get', () => {
  const greedy = to(delegate.publicKey, {
    constraints: { allowed_fields: ['total', 'id', 'secret'], max_rows: 5_000 },
    until: now + 365 * 24 * 3_600_000,
  })
  const { constraints, exp } = sound(narrowed(token, greedy, holder.privateKey))
  expect(constraints).toEqual({ allowed_fields: ['total', 'id'], max_rows: 50, region: 'eu' })
  expect(exp).toBe(claimsFor().exp)
})

test('where no field is left nothing is, since an empty list could mean all', () => {
  const none = to(delegate.publicKey, { constraints: { allowed_fields: ['secret'] } })
  expect(found(narrowed(token, none, holder.privateKey))).toBe('chain_nothing_left')
  const empty = { parent, cnf, iat, constraints: { allowed_fields: [] } }
  expect(found(`${token}~${link(empty)}`)).toBe('chain_malformed')
})

test.each<[string, Json]>([
  ['allowed_fields', 'id'],
  ['allowed_fields', []],
  ['allowed_fields', { 0: 'id' }],
  ['max_rows', '50'],
  ['max_rows', null],
])('a limit of the verdict that cannot be read (%s: %j) is not narrowed', (key, value) => {
  const { warrant } = claimsFor()
  const constraints = { [key]: value }
  const odd = minted({ ...claimsFor(), warrant: { ...warrant, constraints: jsonMap(constraints) } })
  const narrowing = { allowed_fields: ['id'], max_rows: 1 }
  const passed = narrowed(
    odd,
    to(delegate.publicKey, { constraints: narrowing }),
    holder.privateKey,
  )
  expect(found(passed)).toBe('chain_nothing_left')
})

function jsonMap(value: object) {
  return JSON.parse(JSON.stringify(value))
}

test('it is passed on four times and no more', () => {
  const keys = [holder, ...Array.from({ length: 6 }, keyPair)]
  let passed = token
  for (const [index, by] of keys.slice(0, 5).entries()) {
    passed = narrowed(passed, to(keys[index + 1]?.publicKey ?? ''), by.privateKey)
    expect(found(passed)).toBe(index < 4 ? null : 'chain_too_long')
  }
  expect(found(narrowed(passed, to(second.publicKey), holder.privateKey))).toBe('chain_too_long')
})

test('links are taken only in their order, and of their own token', () => {
  const one = narrowed(token, to(delegate.publicKey), holder.privateKey)
  const two = narrowed(one, to(second.publicKey), delegate.privateKey)
  const [first = '', left = '', last = ''] = partsOfToken(two)
  expect(found(two)).toBeNull()
  expect(found([first, last].join('~'))).toBe('chain_parent')
  expect(found([first, last, left].join('~'))).toBe('chain_parent')
  expect(found([first, left, left].join('~'))).toBe('chain_parent')
  const other = minted({ ...claimsFor(), jti: 'main.1.verdict.bot.-.other' })
  expect(found([other, left].join('~'))).toBe('chain_parent')
})

test('only the key of the parent passes it on', () => {
  expect(found(narrowed(token, to(second.publicKey), delegate.privateKey))).toBe('chain_key')
  expect(found(narrowed(token, to(second.publicKey), issuer.privateKey))).toBe('chain_key')
  const claimed = link(
    { parent, cnf, iat },
    {
      key: delegate,
      header: { alg: 'EdDSA', jwk: plainJwkOf(holder.publicKey), typ: 'warrant-link+jwt' },
    },
  )
  expect(found(`${token}~${claimed}`)).toBe('chain_signature')
})

test('a warrant that names no key cannot be passed on', () => {
  const plain = minted(claimsFor('plain'))
  expect(found(narrowed(plain, to(delegate.publicKey), holder.privateKey))).toBe('chain_key')
})

test('a link is as old as it says, and ends when its parent ends', () => {
  const short = narrowed(token, to(delegate.publicKey, { until: now + 10_000 }), holder.privateKey)
  const end = Math.floor((now + 10_000) / 1000) * 1000
  expect(found(short, end - 1)).toBeNull()
  expect(found(short, end)).toBe('chain_expired')
  const later = narrowed(token, to(delegate.publicKey, { now: now + 7_000 }), holder.privateKey)
  expect(found(later)).toBe('chain_not_yet')
  expect(found(later, now + 7_000)).toBeNull()
})

test.each<[string, Json]>([
  ['has no content', {}],
  ['names no key', { parent, iat }],
  ['has a key beside a thumbprint', { parent, iat, cnf: { ...cnf, jwk: {} } }],
  ['widens by a word that is not known', { parent, iat, cnf, constraints: { min_rows: 1 } }],
  ['has another capability', { parent, iat, cnf, warrant: { capability: 'other' } }],
  ['has an audience', { parent, iat, cnf, aud: 'warrant:other' }],
  ['has negative rows', { parent, iat, cnf, constraints: { max_rows: -1 } }],
  ['has half a row', { parent, iat, cnf, constraints: { max_rows: 0.5 } }],
  ['has no time', { parent, cnf }],
])('a link that %s is refused', (_, payload) => {
  expect(found(`${token}~${link(payload)}`)).toBe('chain_malformed')
})

test('a link of another type or algorithm is refused', () => {
  const jwk = plainJwkOf(holder.publicKey)
  for (const header of [
    { alg: 'none', jwk, typ: 'warrant-link+jwt' },
    { alg: 'EdDSA', jwk, typ: 'warrant+jwt' },
    { alg: 'EdDSA', jwk, typ: 'dpop+jwt' },
    { alg: 'EdDSA', typ: 'warrant-link+jwt' },
    { alg: 'EdDSA', jwk: { ...jwk, d: 'AA' }, typ: 'warrant-link+jwt' },
  ]) {
    expect(found(`${token}~${link({ parent, cnf, iat }, { header })}`)).toBe('chain_malformed')
  }
  expect(found(`${token}~${token}`)).toBe('chain_malformed')
})

const fieldNames = ['id', 'total', 'name', 'secret', '']
const narrowing: fc.Arbitrary<Narrowing> = fc.record(
  {
    allowed_fields: fc.uniqueArray(fc.constantFrom(...fieldNames), { minLength: 1 }),
    max_rows: fc.nat(200),
  },
  { requiredKeys: [] },
)
const step = fc.record({
  constraints: narrowing,
  until: fc.option(fc.integer({ min: -400_000, max: 4_000_000 }), { nil: undefined }),
})

test('no chain widens anything, however it is made', () => {
  const keys = [holder, ...Array.from({ length: 4 }, keyPair)]
  const property = fc.property(
    fc.array(step, { maxLength: 4 }),
    fc.subarray(['allowed_fields', 'max_rows'] as const),
    (steps, limited) => {
      const constraints = Object.fromEntries(limited.map((key) => [key, terms.constraints[key]]))
      const { warrant } = claimsFor()
      const first = {
        ...claimsFor(),
        warrant: { ...warrant, constraints: jsonMap(constraints) },
      }
      let passed = minted(first)
      let before = sound(passed)
      for (const [index, { constraints: asked, until }] of steps.entries()) {
        const next = to(keys[index + 1]?.publicKey ?? '', {
          constraints: asked,
          ...(until !== undefined && { until: now + until }),
        })
        passed = narrowed(passed, next, keys[index]?.privateKey ?? '')
        const after = verifyToken(expected(passed))
        if (!after.ok) {
          expect(['chain_nothing_left', 'chain_expired']).toContain(after.code)
          return
        }
        expect(isWithin(after, before)).toBe(true)
        expect(isWithin(after, sound(minted(first)))).toBe(true)
        expect(after.claims).toEqual(first)
        before = after
      }
    },
  )
  fc.assert(property)
})

function isWithin(one: SoundToken, other: SoundToken): boolean {
  const fields = (of: SoundToken) => of.constraints['allowed_fields'] ?? fieldNames
  const rows = (of: SoundToken) => Number(of.constraints['max_rows'] ?? Infinity)
  const [inner, outer] = [fields(one), fields(other)]
  if (!Array.isArray(inner) || !Array.isArray(outer)) return false
  return (
    inner.length > 0 &&
    inner.every((field) => outer.includes(field)) &&
    rows(one) <= rows(other) &&
    one.exp <= other.exp
  )
}

test('a proof that is stale, of the future, or of another token is invalid', () => {
  const presented = (proof: string, more: Partial<TokenExpected> = {}) => {
    const found = verifyWarrant({ ...expected(token, more), presentation: { dpop: proof } })
    return found.ok ? null : found.code
  }
  const second = Math.floor(now / 1000) * 1000
  expect(presented(dpopOf(token, holder, second), { now: second + 60_000 })).toBeNull()
  expect(presented(dpopOf(token, holder, second), { now: second + 60_001 })).toBe('dpop_stale')
  expect(presented(dpopOf(token, holder, second + 5_000), { now: second })).toBeNull()
  expect(presented(dpopOf(token, holder, second + 6_000), { now: second })).toBe('dpop_stale')
  expect(presented(dpopOf(minted(claimsFor('plain'))))).toBe('dpop_token')
  expect(presented(dpopOf(token, delegate))).toBe('dpop_key')
  expect(presented(token)).toBe('dpop_malformed')
  expect(presented('')).toBe('dpop_malformed')
  expect(presented('A'.repeat(10_000))).toBe('dpop_malformed')
})

test('a proof that shows another key than it is signed with is invalid', () => {
  const payload = {
    ath: textDigest(token),
    htm: 'CALL',
    htu: audience,
    iat: Math.floor(now / 1000),
    jti: 'p',
  }
  const jwk = plainJwkOf(holder.publicKey)
  const made = (header: Json, key = delegate): string => {
    const proof = writeJws({ header, payload }, key.privateKey)
    const found = verifyWarrant({ ...expected(token), presentation: { dpop: proof } })
    return found.ok ? 'holds' : found.code
  }
  expect(made({ alg: 'EdDSA', typ: 'dpop+jwt', jwk })).toBe('dpop_signature')
  expect(made({ alg: 'EdDSA', typ: 'dpop+jwt', jwk }, holder)).toBe('holds')
  expect(made({ alg: 'none', typ: 'dpop+jwt', jwk }, holder)).toBe('dpop_malformed')
  expect(made({ alg: 'EdDSA', typ: 'warrant+jwt', jwk }, holder)).toBe('dpop_malformed')
  const leaked = { ...jwk, d: 'AAAA' }
  expect(made({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: leaked }, holder)).toBe('dpop_malformed')
})

test('a token presented as its own proof, or a proof as a token, is refused', () => {
  const proof = dpopFor({ token, target: targetIn(audience), now, id: 'p' }, issuer.privateKey)
  expect(verifyToken(expected(proof))).toEqual({ ok: false, code: 'token_type' })
})
