// Measures what it costs to verify a warrant: ours, with all that a verifier must look at, against
// `jose` over the same token, and against the signature alone. In turn, in one run.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { emptyCatalog } from '#core/catalog/catalog'
import { assert } from '#core/kernel/fault'
import { digestOf } from '#core/kernel/digest'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { dpopFor, mint } from '#core/warrants/minted'
import { claimsOf } from '#core/warrants/claims'
import { targetIn } from '#core/warrants/dpop'
import { jwksOf, plainJwkOf } from '#core/warrants/jwk'
import { verifyToken, verifyWarrant } from '#core/warrants/verify'
import { Principal } from '#schemas/catalog'
import { fixed, median, spread, whole, type Report } from '../figures.ts'

type Rates = Record<'bare' | 'jose' | 'ours' | 'presented', number[]>

const rounds = 9
const inRound = 300
const ratioMin = 0.8
const audience = 'warrant:main'

function keyPair() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { privateKey: pem, publicKey: publicKeyOf(pem) }
}

const issuer = keyPair()
const holder = keyPair()

function madeToken(now: number) {
  const principals = [
    Principal.parse({ id: 'gate', roles: ['issuer'], keys: [issuer.publicKey] }),
    Principal.parse({ id: 'bot', keys: [holder.publicKey] }),
  ]
  const catalog = { ...emptyCatalog, principals: new Map(principals.map((one) => [one.id, one])) }
  const digest = digestOf('')
  const data = {
    intent: { address: 'bot.-.X', agent: 'bot', session: null },
    outcome: 'allow' as const,
    reasons: [],
    message: { position: 1, digest },
    grounding: null,
    review: null,
    release: null,
    terms: {
      capability: 'send_email',
      argsDigest: digest,
      constraints: { max_rows: 50, allowed_fields: ['id', 'name', 'total'] },
      scope: {},
      useBy: new Date(now + 300_000).toISOString(),
    },
    observed: false,
    callbacks: [],
    callbackModule: null,
    graphRevision: 1,
    catalogRevision: 1,
  }
  const verdict = { name: 'main.1.verdict.bot.-.X', position: 7, appendedAt: now, data }
  const claims = claimsOf(verdict, { catalog, log: digest, realm: 'main', issuer: 'gate' })
  const token = claims === null ? null : mint(claims, issuer.privateKey)
  assert(token !== null, 'the verdict permits, and fits')
  return { token, jwks: jwksOf(catalog) }
}

export async function benchTokens(): Promise<Report> {
  const now = Date.now()
  const { token, jwks } = madeToken(now)
  const target = targetIn(audience)
  const dpop = dpopFor({ token, target, now, id: 'one' }, holder.privateKey)
  const key = await importJWK(plainJwkOf(issuer.publicKey), 'EdDSA')
  const cut = token.lastIndexOf('.')
  const signed = Buffer.from(token.slice(0, cut))
  const signature = Buffer.from(token.slice(cut + 1), 'base64url')
  const object = createPublicKey({ key: plainJwkOf(issuer.publicKey), format: 'jwk' })
  const joseOptions = { algorithms: ['EdDSA'], typ: 'warrant+jwt', issuer: 'gate', audience }
  const given = { token, jwks, audience, now }
  const ways = {
    bare: () => verify(null, signed, object, signature),
    jose: async () => (await jwtVerify(token, key, joseOptions)).payload.sub === 'bot',
    ours: () => verifyToken(given).ok,
    presented: () => verifyWarrant({ ...given, presentation: { dpop } }).ok,
  }
  const rates: Rates = { bare: [], jose: [], ours: [], presented: [] }
  // The first rounds warm up and are not counted.
  for (let round = -2; round < rounds; round += 1) {
    for (const way of ['bare', 'jose', 'ours', 'presented'] as const) {
      const rate = await rateOf(ways[way])
      if (round >= 0) rates[way].push(rate)
    }
  }
  const ratio = median(rates.ours) / median(rates.jose)
  const row = (what: string, way: keyof typeof rates) => [
    what,
    spread(rates[way], whole),
    fixed(2)(median(rates[way]) / median(rates.jose)),
  ]
  return {
    title: 'tokens verified a second, one at a time',
    head: ['what', 'a second', 'of jose'],
    rows: [
      row('the signature alone', 'bare'),
      row('jose: signature, issuer, audience, time', 'jose'),
      row('ours: the same, every claim, one spelling', 'ours'),
      row('ours, with the proof of its holder', 'presented'),
    ],
    notes: ['medians of rounds in turn, and between which values all lie'],
    targets: [
      {
        claim: `at least ${ratioMin} of what jose verifies`,
        met: ratio >= ratioMin,
        figures: `${fixed(2)(ratio)} of jose`,
      },
    ],
  }
}

async function rateOf(way: () => boolean | Promise<boolean>): Promise<number> {
  const start = performance.now()
  for (let index = 0; index < inRound; index += 1) {
    const is = way()
    assert(typeof is === 'boolean' ? is : await is, 'it holds')
  }
  return inRound / ((performance.now() - start) / 1_000)
}
