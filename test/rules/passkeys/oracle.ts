// What the library that servers use makes of the same assertion, asked as strictly as it can be.
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { PasskeyHolder } from '#rules/passkeys/assertion'
import type { PasskeySignature } from '#schemas/values'

export async function isAcceptedElsewhere(
  { credential, clientData, authenticatorData, value }: PasskeySignature,
  challenge: Uint8Array,
  { passkeys, consoles }: PasskeyHolder,
): Promise<boolean> {
  const passkey = passkeys.find(({ id }) => id === credential)
  if (passkey === undefined) return false
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id: credential,
        rawId: credential,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, authenticatorData, signature: value },
      },
      expectedChallenge: Buffer.from(challenge).toString('base64url'),
      expectedOrigin: consoles.flatMap(({ origins }) => origins),
      expectedRPID: consoles.map(({ rpId }) => rpId),
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.key, 'base64url')),
        counter: 0,
      },
    })
    return verified
  } catch {
    return false
  }
}
