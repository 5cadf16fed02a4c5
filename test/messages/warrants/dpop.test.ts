import { expect, test } from 'vitest'
import type { Json } from '#record/canonical'
import { plainJwkOf, textDigest } from '#messages/warrants/jwk'
import { dpopFor, writeJws } from '#messages/warrants/minted'
import { targetIn } from '#messages/warrants/dpop'
import { verifyToken, verifyWarrant, type TokenExpected } from '#messages/warrants/verify'
import {
  audience,
  claimsFor,
  delegate,
  dpopOf,
  expected,
  holder,
  issuer,
  minted,
  now,
} from './tokens.ts'

const token = minted()

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
