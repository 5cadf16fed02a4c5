// Signing and signing in with a passkey. The device verifies the person each time.
import type { PasskeyAsked, PasskeyToMake } from '#schemas/console/people'
import { PageProblem } from '../shell/requests.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { signableChallenge, type Signable } from './challenge.ts'

const waitMsMax = 120_000

export interface Assertion {
  readonly format: 'webauthn'
  readonly credential: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly value: string
}

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

type Bytes = Uint8Array<ArrayBuffer>

async function asserted(
  challenge: Bytes,
  { rpId, allowed }: { readonly rpId: string; readonly allowed: readonly string[] },
): Promise<Assertion> {
  if (!hasPasskeys()) throw new PageProblem('no_passkeys')
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge,
    rpId,
    timeout: waitMsMax,
    userVerification: 'required',
    allowCredentials: allowed.map((id) => ({ type: 'public-key', id: fromBase64url(id) })),
  }
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) throw new PageProblem('nobody_confirmed')
  const { response, rawId } = credential
  if (!(response instanceof AuthenticatorAssertionResponse))
    throw new PageProblem('nobody_confirmed')
  return {
    format: 'webauthn',
    credential: toBase64url(rawId),
    clientData: toBase64url(response.clientDataJSON),
    authenticatorData: toBase64url(response.authenticatorData),
    value: toBase64url(response.signature),
  }
}

/** A signature of exactly this content for exactly this name. */
export async function passkeySignature(
  toSign: Signable,
  of: { readonly rpId: string; readonly allowed: readonly string[] },
): Promise<Assertion> {
  return asserted(await signableChallenge(toSign), of)
}

/** What shows the server who is there. It is good for nothing that is signed. */
export function passkeySignIn({
  challenge,
  rpId,
  allowCredentials,
}: PasskeyAsked): Promise<Assertion> {
  const allowed = allowCredentials.map(({ id }) => id)
  return asserted(fromBase64url(challenge), { rpId, allowed })
}

export interface PasskeyAnswer {
  readonly clientData: string
  /** With the key that was made. */
  readonly authenticatorData: string
}

export async function makePasskey(asked: PasskeyToMake): Promise<PasskeyAnswer> {
  if (!hasPasskeys()) throw new PageProblem('no_passkeys')
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...asked,
    challenge: fromBase64url(asked.challenge),
    user: { ...asked.user, id: fromBase64url(asked.user.id) },
    excludeCredentials: asked.excludeCredentials.map(({ id }) => {
      return { type: 'public-key', id: fromBase64url(id) }
    }),
  }
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) throw new PageProblem('nobody_confirmed')
  const { response } = credential
  if (!(response instanceof AuthenticatorAttestationResponse))
    throw new PageProblem('nobody_confirmed')
  return {
    clientData: toBase64url(response.clientDataJSON),
    authenticatorData: toBase64url(response.getAuthenticatorData()),
  }
}
