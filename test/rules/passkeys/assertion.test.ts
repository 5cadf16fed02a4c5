import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { asserted } from '#rules/passkeys/assertion'
import type { PasskeyAlgorithm } from '#schemas/people/passkey'
import type { PasskeySignature } from '#schemas/values'
import {
  assertionFor,
  attestedTail,
  cborBytes,
  cborMap,
  clientDataFor,
  flags,
  otherConsole,
  softPasskey,
  testConsole,
  type Ceremony,
  type SoftPasskey,
  authenticatorDataFor,
} from '../../support/people/authenticator.ts'
import { isAcceptedElsewhere } from './oracle.ts'
import { fingerprintOf, madePasskey } from '#rules/passkeys/made'

const algorithms: readonly PasskeyAlgorithm[] = [-7, -8, -257]
const byAlgorithm = new Map(algorithms.map((one) => [one, softPasskey(one)]))
const es256 = softPasskey(-7)
const synced = softPasskey(-7, { backup: true })
const challenge = randomBytes(32)
const consoles = [testConsole, otherConsole]

function holderOf(...softs: readonly SoftPasskey[]) {
  return { passkeys: softs.map(({ passkey }) => passkey), consoles }
}

/** The refusal, or null; the library must say the same, unless it is set to look away. */
async function refusalOf(
  signature: PasskeySignature,
  { of = holderOf(es256), stricter = false } = {},
): Promise<string | null> {
  const found = asserted(signature, challenge, of)
  const refused = 'refused' in found ? found.refused : null
  const elsewhere = await isAcceptedElsewhere(signature, challenge, of)
  expect(elsewhere).toBe(stricter || refused === null)
  return refused
}

function signed(ceremony: Ceremony): PasskeySignature {
  return assertionFor(es256, challenge, ceremony)
}

test.each(algorithms)('an assertion by algorithm %i counts', async (algorithm) => {
  const soft = byAlgorithm.get(algorithm) ?? es256
  const found = asserted(assertionFor(soft, challenge), challenge, holderOf(es256, soft))
  expect(found).toMatchObject({ passkey: soft.passkey, where: testConsole, counter: 0 })
  expect(await refusalOf(assertionFor(soft, challenge), { of: holderOf(soft) })).toBeNull()
})

test('an assertion at another console of the catalog counts, and says at which', async () => {
  const signature = signed({ at: otherConsole, counter: 7 })
  const found = asserted(signature, challenge, holderOf(es256))
  expect(found).toMatchObject({ where: otherConsole, counter: 7, backedUp: false })
  expect(await refusalOf(signature)).toBeNull()
})

test('a passkey that was copied counts, whether or not it is copied now', async () => {
  const of = holderOf(synced)
  const found = asserted(assertionFor(synced, challenge), challenge, of)
  expect(found).toMatchObject({ backedUp: true })
  const kept = assertionFor(synced, challenge, { flags: flags.up | flags.uv | flags.be })
  expect(asserted(kept, challenge, of)).toMatchObject({ backedUp: false })
  expect(await refusalOf(kept, { of })).toBeNull()
})

const both = flags.up | flags.uv
const extension = cborMap([1, cborBytes(Buffer.from('x'))])

const wrong: readonly (readonly [string, Ceremony, string | null, boolean?])[] = [
  ['for another use', { client: { type: 'webauthn.create' } }, 'client_data_type'],
  ['for a payment', { client: { type: 'payment.get' } }, 'client_data_type'],
  ['for another challenge', { client: { challenge: 'AAAA' } }, 'challenge_mismatch'],
  ['for the challenge with padding', { client: { challenge: padded() } }, 'challenge_mismatch'],
  ['for no challenge', { client: { challenge: undefined } }, 'client_data_malformed'],
  ['at no page', { client: { origin: undefined } }, 'client_data_malformed'],
  ['at a page of someone else', { origin: 'https://evil.example.org' }, 'origin_unknown'],
  ['without TLS', { origin: 'http://console.example.org' }, 'origin_unknown'],
  ['at another port', { origin: 'https://console.example.org:8443' }, 'origin_unknown'],
  [
    'at a page that only begins so',
    { origin: `${testConsole.origins[0]}.evil.org` },
    'origin_unknown',
  ],
  ['inside of another page', { client: { crossOrigin: true } }, 'cross_origin', true],
  ['below another page', { client: { topOrigin: 'https://x.org' } }, 'cross_origin'],
  ['for another relying party', { rpId: 'example.org' }, 'rp_id_mismatch'],
  ['without a person', { flags: flags.uv }, 'user_absent'],
  ['without verifying the person', { flags: flags.up }, 'user_unverified'],
  ['as copied, though it cannot be', { flags: both | flags.bs }, 'backup_flags'],
  ['as one that can be copied', { flags: both | flags.be }, 'backup_flags', true],
  ['with a flag that no one knows', { flags: both | 2 }, 'authenticator_data_malformed', true],
  ['with a byte too much', { tail: Buffer.from([0]) }, 'authenticator_data_malformed'],
  ['with an extension', { flags: both | flags.ed, tail: extension }, null],
  [
    'with an extension and a byte',
    { flags: both | flags.ed, tail: Buffer.concat([extension, Buffer.from([0])]) },
    'authenticator_data_malformed',
  ],
  [
    'with half an extension',
    { flags: both | flags.ed, tail: extension.subarray(0, -1) },
    'authenticator_data_malformed',
    true,
  ],
  [
    'with no extension where one is due',
    { flags: both | flags.ed },
    'authenticator_data_malformed',
  ],
  ['with a key', { flags: both | flags.at, tail: attestedTail(es256.passkey) }, null],
  [
    'with half a key',
    { flags: both | flags.at, tail: attestedTail(es256.passkey).subarray(0, -1) },
    'authenticator_data_malformed',
    true,
  ],
  ['with a member that no one knows', { client: { more: { deep: [1] } } }, null],
]

test.each(
  wrong.map(([how, ceremony, expected, stricter = false]) => {
    return { how, ceremony, expected, stricter }
  }),
)('what was signed $how comes to what it should', async ({ ceremony, expected, stricter }) => {
  expect(await refusalOf(signed(ceremony), { stricter })).toBe(expected)
})

function padded(): string {
  return `${Buffer.from(challenge).toString('base64url')}=`
}

test('of a console, the origin of one and the relying party of another do not go together', async () => {
  const mixed = signed({ at: testConsole, rpId: otherConsole.rpId })
  expect(await refusalOf(mixed, { stricter: true })).toBe('rp_id_mismatch')
})

test('a credential that the person does not have counts for nothing', async () => {
  const foreign = assertionFor(softPasskey(-7), challenge)
  expect(await refusalOf(foreign)).toBe('credential_unknown')
})

test('a credential that another key signed for counts for nothing', async () => {
  for (const algorithm of algorithms) {
    const soft = byAlgorithm.get(algorithm) ?? es256
    const { credential } = assertionFor(soft, challenge)
    const claimed = { ...assertionFor(softPasskey(algorithm), challenge), credential }
    expect(await refusalOf(claimed, { of: holderOf(soft) })).toBe('signature_invalid')
  }
})

test('a key that the catalog says is of another algorithm is not used', async () => {
  const wrong = { ...es256, passkey: { ...es256.passkey, algorithm: -8 as const } }
  const found = asserted(signed({}), challenge, holderOf(wrong))
  expect(found).toEqual({ refused: 'key_unusable' })
})

test('client data that two readers could read differently is refused', () => {
  const bytes = clientDataFor('webauthn.get', challenge)
  const twice = bytes.toString().replace('{', '{"type":"webauthn.create",')
  for (const text of [twice, `\uFEFF${bytes.toString()}`, '[]', 'null', '']) {
    const clientData = Buffer.from(text || ' ').toString('base64url')
    const found = asserted({ ...signed({}), clientData }, challenge, holderOf(es256))
    expect(found).toEqual({ refused: 'client_data_malformed' })
  }
})

test('one assertion has one spelling', () => {
  const signature = signed({})
  const { value } = signature
  const spare = { ...signature, value: `${value}A`.slice(0, 4 * Math.floor(value.length / 4) + 1) }
  for (const other of [spare, { ...signature, value: `${value}=` }, { ...signature, value: '' }]) {
    const found = asserted(other, challenge, holderOf(es256))
    expect(found).toEqual({ refused: 'assertion_malformed' })
  }
})

test('each bit that is changed in what was signed makes it count for nothing', async () => {
  for (const algorithm of algorithms) {
    const soft = byAlgorithm.get(algorithm) ?? es256
    const signature = assertionFor(soft, challenge)
    for (const field of ['clientData', 'authenticatorData', 'value'] as const) {
      const bytes = Buffer.from(signature[field], 'base64url')
      // A few places of each suffice: the digest covers all of them alike.
      for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 12)) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        const mutant = { ...signature, [field]: changed.toString('base64url') }
        const found = await refusalOf(mutant, { of: holderOf(soft) })
        expect(found, `${algorithm} ${field} ${at}`).not.toBeNull()
      }
    }
  }
})

const soft = softPasskey(-7, { backup: true })
const all = flags.up | flags.uv | flags.be | flags.bs | flags.at

function made(ceremony: Ceremony = {}, { passkey } = soft) {
  const of = { flags: all, tail: attestedTail(passkey), ...ceremony }
  const clientData = clientDataFor('webauthn.create', challenge, of)
  const authenticatorData = authenticatorDataFor(passkey, of)
  return madePasskey({ clientData, authenticatorData }, challenge, consoles)
}

test.each<PasskeyAlgorithm>([-7, -8, -257])('a passkey by %i is read as it is', (algorithm) => {
  const one = softPasskey(algorithm, { backup: true })
  const found = made({ at: otherConsole }, one)
  expect(found).toMatchObject({ passkey: one.passkey, where: otherConsole })
  if ('refused' in found) throw new Error(found.refused)
  const holder = { passkeys: [found.passkey], consoles }
  expect(asserted(assertionFor(one, challenge), challenge, holder)).not.toHaveProperty('refused')
})

test('two passkeys have two fingerprints, which can be read out', () => {
  const found = made()
  if ('refused' in found) throw new Error(found.refused)
  expect(found.fingerprint).toMatch(/^(?:[0-9a-f]{4} ){4}[0-9a-f]{4}$/)
  expect(found.fingerprint).toBe(fingerprintOf(soft.passkey))
  expect(fingerprintOf(softPasskey().passkey)).not.toBe(found.fingerprint)
})

test.each<readonly [string, Ceremony, string]>([
  ['that signs in', { client: { type: 'webauthn.get' } }, 'client_data_type'],
  ['for another challenge', { client: { challenge: 'AAAA' } }, 'challenge_mismatch'],
  ['at a page of someone else', { origin: 'https://evil.example.org' }, 'origin_unknown'],
  ['for another relying party', { rpId: 'example.org' }, 'rp_id_mismatch'],
  ['without verifying the person', { flags: all ^ flags.uv }, 'user_unverified'],
  ['copied, though it cannot be', { flags: all ^ flags.be }, 'backup_flags'],
  ['without a key', { flags: all ^ flags.at, tail: Buffer.alloc(0) }, 'credential_missing'],
  [
    'with half a key',
    { tail: attestedTail(soft.passkey).subarray(0, -1) },
    'authenticator_data_malformed',
  ],
  [
    'without an id',
    { tail: attestedTail({ ...soft.passkey, id: '' }) },
    'authenticator_data_malformed',
  ],
])('what was made %s is no passkey', (_, ceremony, refused) => {
  expect(made(ceremony)).toEqual({ refused })
})
