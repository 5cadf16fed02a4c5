// Tokens for tests: a verdict that allows, the catalog as of it, and what both come to.
import { generateKeyPairSync } from 'node:crypto'
import { emptyCatalog } from '#rules/catalog/catalog'
import { digestOf } from '#record/digest'
import { publicKeyOf } from '#record/crypto/private-key'
import { dpopFor, mint } from '#messages/warrants/minted'
import { claimsOf, type ClaimedOf } from '#messages/warrants/claims'
import { jwksOf } from '#messages/warrants/jwk'
import { targetIn } from '#messages/warrants/dpop'
import type { TokenExpected } from '#messages/warrants/verify'
import { Principal } from '#schemas/catalog'
import type { Terms, VerdictData } from '#schemas/facts'
import type { WarrantClaims } from '#schemas/action/warrant'

export function keyPair() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { privateKey: pem, publicKey: publicKeyOf(pem), object: privateKey }
}

export const issuer = keyPair()
export const holder = keyPair()
export const delegate = keyPair()

export const log = digestOf('the first catalog')
const appendedAt = Date.parse('2026-03-01T10:00:00.500Z')
export const now = appendedAt + 1_000
export const audience = 'warrant:main'

const principals = [
  Principal.parse({ id: 'gate', roles: ['issuer'], keys: [issuer.publicKey] }),
  Principal.parse({ id: 'bot', owner: 'olga', keys: [holder.publicKey] }),
  Principal.parse({ id: 'plain', owner: 'olga' }),
]
export const catalog = {
  ...emptyCatalog,
  principals: new Map(principals.map((one) => [one.id, one])),
}
export const jwks = jwksOf(catalog)

export const terms: Terms = {
  capability: 'orders.refund',
  argsDigest: digestOf('{}'),
  constraints: { allowed_fields: ['id', 'total', 'name'], max_rows: 50, region: 'eu' },
  scope: { tenant: 'acme' },
  useBy: '2026-03-01T10:05:00.900Z',
}

export function verdict(agent = 'bot', more: Partial<VerdictData> = {}) {
  const address = `${agent}.-.01JQ0000000000000000000000`
  const data: VerdictData = {
    intent: { address, agent, session: null },
    outcome: 'allow',
    reasons: [],
    message: { position: 3, digest: digestOf('message') },
    grounding: null,
    review: null,
    release: null,
    terms,
    observed: false,
    callbacks: [],
    callbackModule: null,
    graphRevision: 0,
    catalogRevision: 1,
    ...more,
  }
  return { name: `main.1.verdict.${address}`, position: 7, appendedAt, data }
}

export const claimed: ClaimedOf = { catalog, log, realm: 'main', issuer: 'gate' }

export function claimsFor(agent = 'bot'): WarrantClaims {
  const claims = claimsOf(verdict(agent), claimed)
  if (claims === null) throw new Error('the verdict permits')
  return claims
}

export function minted(claims = claimsFor()): string {
  return mint(claims, issuer.privateKey) ?? ''
}

export function expected(token: string, more: Partial<TokenExpected> = {}): TokenExpected {
  return { token, jwks, audience, now, ...more }
}

export function dpopOf(token: string, key = holder, at = now): string {
  return dpopFor({ token, target: targetIn(audience), now: at, id: 'p1' }, key.privateKey)
}
