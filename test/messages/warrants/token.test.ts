import { compactVerify, CompactSign, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { calculateJwkThumbprint, createLocalJWKSet, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { digestOf } from '#record/digest'
import { dpopFor, mint } from '#messages/warrants/minted'
import { claimsOf } from '#messages/warrants/claims'
import { jwksOf, plainJwkOf, readJwks, thumbprintOf } from '#messages/warrants/jwk'
import { targetIn } from '#messages/warrants/dpop'
import { verifyToken, verifyWarrant } from '#messages/warrants/verify'
import { Capability, Principal } from '#schemas/catalog'
import {
  audience,
  catalog,
  claimed,
  claimsFor,
  expected,
  holder,
  issuer,
  jwks,
  keyPair,
  log,
  minted,
  now,
  dpopOf,
  terms,
  verdict,
} from './tokens.ts'

const token = minted()

test('every claim follows from the verdict and the catalog', () => {
  expect(claimsFor()).toEqual({
    iss: 'gate',
    sub: 'bot',
    aud: 'warrant:main',
    jti: 'main.1.verdict.bot.-.01JQ0000000000000000000000',
    iat: 1772359200,
    nbf: 1772359200,
    exp: 1772359500,
    cnf: { jkt: thumbprintOf(holder.publicKey) },
    warrant: {
      capability: 'orders.refund',
      args: terms.argsDigest,
      executed: terms.argsDigest,
      constraints: terms.constraints,
      scope: terms.scope,
      position: 7,
      log,
      realm: 'main',
    },
  })
})

test('the version and what will be executed are claimed where there are any', () => {
  const entry = Capability.parse({ id: terms.capability, safetyClass: 'WRITE', version: '2.1' })
  const versioned = { ...catalog, capabilities: new Map([[entry.id, entry]]) }
  const executed = { terms: { ...terms, executedDigest: digestOf('{"all":true}') } }
  const claims = claimsOf(verdict('bot', executed), { ...claimed, catalog: versioned })
  expect(claims?.warrant).toMatchObject({
    version: '2.1',
    args: terms.argsDigest,
    executed: digestOf('{"all":true}'),
  })
})

test('minting again gives the same bytes', () => {
  expect(minted()).toBe(token)
  expect(mint(claimsFor(), issuer.privateKey)).toBe(token)
})

test('a verdict that permits nothing has no claims', () => {
  for (const more of [{ outcome: 'deny' as const }, { observed: true }, { terms: null }]) {
    expect(claimsOf(verdict('bot', more), claimed)).toBeNull()
  }
})

test('an agent without a key is named alone, one with several by its last', () => {
  expect(claimsFor('plain').cnf).toBeUndefined()
  const later = keyPair()
  const entry = Principal.parse({ id: 'bot', keys: [holder.publicKey, later.publicKey] })
  const catalogLater = { ...catalog, principals: new Map([['bot', entry]]) }
  const claims = claimsOf(verdict(), { ...claimed, catalog: catalogLater })
  expect(claims?.cnf).toEqual({ jkt: thumbprintOf(later.publicKey) })
})

test('the token of a cell names the realm and the cell', () => {
  const claims = claimsOf(verdict(), { ...claimed, realm: 'main-c3' })
  expect(claims).toMatchObject({ aud: 'warrant:main', warrant: { realm: 'main', cell: 3 } })
  const ofCell = minted(claims ?? claimsFor())
  expect(verifyToken(expected(ofCell, { realm: 'main-c3' }))).toMatchObject({ ok: true })
  for (const realm of ['main', 'main-c2', 'other-c3']) {
    expect(verifyToken(expected(ofCell, { realm }))).toEqual({ ok: false, code: 'token_log' })
  }
})

test('claims that no token can carry are not minted', () => {
  const long = { ...claimsFor().warrant, scope: { text: 'x'.repeat(80_000) } }
  expect(mint({ ...claimsFor(), warrant: long }, issuer.privateKey)).toBeNull()
  const most = { ...claimsFor().warrant, scope: { text: 'x'.repeat(72_000) } }
  const big = minted({ ...claimsFor(), warrant: most })
  expect(verifyToken(expected(big))).toMatchObject({ ok: true })
})

test('the set of keys has all keys of issuers that are not suspended, and no other', async () => {
  const [first, second, third] = [keyPair(), keyPair(), keyPair()]
  const principals = [
    { id: 'gate', roles: ['issuer'], keys: [first.publicKey, second.publicKey] },
    { id: 'gone', roles: ['issuer'], keys: [third.publicKey], suspended: true },
    { id: 'bot', roles: ['writer'], keys: [holder.publicKey] },
  ].map((one) => Principal.parse(one))
  const set = jwksOf({ principals: new Map(principals.map((one) => [one.id, one])) })
  expect(set.keys.map(({ iss, x }) => `${iss} ${x}`)).toEqual([
    `gate ${first.publicKey.slice(8)}`,
    `gate ${second.publicKey.slice(8)}`,
  ])
  for (const key of set.keys) expect(key.kid).toBe(await calculateJwkThumbprint(key))
})

test('jose verifies what is minted here', async () => {
  const keys = createLocalJWKSet({ keys: [...jwks.keys] })
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: ['EdDSA'],
    typ: 'warrant+jwt',
    issuer: 'gate',
    audience,
    currentDate: new Date(now),
  })
  expect(payload).toEqual(claimsFor())
  expect(protectedHeader).toEqual({
    alg: 'EdDSA',
    kid: thumbprintOf(issuer.publicKey),
    typ: 'warrant+jwt',
  })
})

test('jose verifies the proof of a holder', async () => {
  const proof = dpopOf(token)
  const { jwk } = decodeProtectedHeader(proof)
  expect(jwk).toEqual(plainJwkOf(holder.publicKey))
  const key = await importJWK(plainJwkOf(holder.publicKey), 'EdDSA')
  await expect(compactVerify(proof, key)).resolves.toMatchObject({
    protectedHeader: { typ: 'dpop+jwt' },
  })
})

test('what jose signs is verified here, token and proof', async () => {
  const signed = await new SignJWT({ ...claimsFor() })
    .setProtectedHeader({
      alg: 'EdDSA',
      typ: 'warrant+jwt',
      kid: thumbprintOf(issuer.publicKey),
    })
    .sign(issuer.object)
  const ath = Buffer.from(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(signed)),
  ).toString('base64url')
  const proof = await new SignJWT({ htm: 'POST', htu: 'https://gate.example/call', ath })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: plainJwkOf(holder.publicKey) })
    .setJti('one')
    .setIssuedAt(Math.floor(now / 1000))
    .sign(holder.object)
  const target = { method: 'POST', url: 'https://gate.example/call' }
  const given = { ...expected(signed), presentation: { dpop: proof, target } }
  expect(verifyWarrant(given)).toMatchObject({ ok: true, claims: claimsFor(), dpop: 'one' })
})

test('the holder presents it, and the constraints are those of the verdict', () => {
  const sound = verifyWarrant({ ...expected(token), presentation: { dpop: dpopOf(token) } })
  expect(sound).toEqual({
    ok: true,
    claims: claimsFor(),
    chain: [],
    constraints: terms.constraints,
    exp: claimsFor().exp,
    jkt: thumbprintOf(holder.publicKey),
    dpop: 'p1',
  })
})

test('without a key of the agent it counts only from the principal that it names', () => {
  const plain = minted(claimsFor('plain'))
  const from = (principal?: string) => {
    const presentation = principal === undefined ? {} : { principal }
    return verifyWarrant({ ...expected(plain), presentation })
  }
  expect(from('plain')).toMatchObject({ ok: true, dpop: null })
  expect(from('bot')).toEqual({ ok: false, code: 'holder_other' })
  expect(from()).toEqual({ ok: false, code: 'holder_missing' })
  expect(verifyWarrant(expected(plain))).toEqual({ ok: false, code: 'holder_missing' })
})

test('where the token names a key, the name of a principal is not enough', () => {
  const presentation = { principal: 'bot' }
  const found = verifyWarrant({ ...expected(token), presentation })
  expect(found).toEqual({ ok: false, code: 'holder_missing' })
})

test.each([
  ['at its last moment but one', claimsFor().exp * 1000 - 1, null],
  ['at its last moment', claimsFor().exp * 1000, 'token_expired'],
  ['five seconds before it was bound', claimsFor().nbf * 1000 - 5_000, null],
  ['earlier', claimsFor().nbf * 1000 - 5_001, 'token_not_yet'],
])('%s', (_, at, code) => {
  const found = verifyToken(expected(token, { now: at }))
  expect(found.ok ? null : found.code).toBe(code)
})

test('a key that is rotated out no longer verifies, and the new one does beside it', () => {
  const next = keyPair()
  const entry = (keys: readonly string[]) => {
    const gate = Principal.parse({ id: 'gate', roles: ['issuer'], keys })
    return jwksOf({ principals: new Map([['gate', gate]]) })
  }
  const overlap = entry([issuer.publicKey, next.publicKey])
  const later = mint(claimsFor(), next.privateKey) ?? ''
  for (const one of [token, later]) {
    expect(verifyToken(expected(one, { jwks: overlap }))).toMatchObject({ ok: true })
  }
  const after = expected(token, { jwks: entry([next.publicKey]) })
  expect(verifyToken(after)).toEqual({ ok: false, code: 'token_key_unknown' })
})

test('of a set of keys only what can have signed is read', async () => {
  const rsa = { kty: 'RSA', kid: 'r', n: 'AQAB', e: 'AQAB' }
  const withPrivate = { ...jwks.keys[0], d: 'x' }
  const read = readJwks({ keys: [rsa, null, withPrivate, ...jwks.keys] })
  expect(read?.keys.map(({ kid }) => kid)).toEqual([thumbprintOf(issuer.publicKey)])
  for (const no of [null, [], {}, { keys: 'none' }, 'keys']) expect(readJwks(no)).toBeNull()
})

test('a token of another issuer of the catalog is not taken for one of this', async () => {
  const other = keyPair()
  const principals = [
    Principal.parse({ id: 'gate', roles: ['issuer'], keys: [issuer.publicKey] }),
    Principal.parse({ id: 'side', roles: ['issuer'], keys: [other.publicKey] }),
  ]
  const both = jwksOf({ principals: new Map(principals.map((one) => [one.id, one])) })
  const forged = mint(claimsFor(), other.privateKey) ?? ''
  const found = verifyToken(expected(forged, { jwks: both }))
  expect(found).toEqual({ ok: false, code: 'token_issuer' })
})

test('a proof of one target is invalid at another', () => {
  const target = { method: 'POST', url: 'https://gate.example/call' }
  const proof = dpopFor({ token, target, now, id: 'p' }, holder.privateKey)
  const at = (other: typeof target) =>
    verifyWarrant({ ...expected(token), presentation: { dpop: proof, target: other } })
  expect(at(target)).toMatchObject({ ok: true })
  for (const other of [
    { ...target, method: 'GET' },
    { ...target, url: 'https://other.example/call' },
    targetIn(audience),
  ]) {
    expect(at(other)).toEqual({ ok: false, code: 'dpop_target' })
  }
})

test('what is signed as text, and not as a warrant, is no warrant', async () => {
  const kid = thumbprintOf(issuer.publicKey)
  const text = await new CompactSign(Buffer.from('"text"'))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'warrant+jwt', kid })
    .sign(issuer.object)
  expect(verifyToken(expected(text))).toEqual({ ok: false, code: 'token_claims' })
})
