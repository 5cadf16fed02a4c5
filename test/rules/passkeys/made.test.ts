import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { asserted } from '#rules/passkeys/assertion'
import { fingerprintOf, madePasskey } from '#rules/passkeys/made'
import type { PasskeyAlgorithm } from '#schemas/people/passkey'
import {
  assertionFor,
  attestedTail,
  authenticatorDataFor,
  clientDataFor,
  flags,
  otherConsole,
  softPasskey,
  testConsole,
  type Ceremony,
} from '../../support/people/authenticator.ts'

const challenge = randomBytes(32)
const consoles = [testConsole, otherConsole]
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
