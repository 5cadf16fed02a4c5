// Signs a message, with the private key of its sender.
import type { VlpMessage } from '#schemas/vlp'
import { signData } from '#record/crypto/private-key'
import type { SignedFor } from '#record/signature'
import { withoutSignature } from './signed.ts'

/** The message with its sender's signature for that name of that log. */
export function signMessage(of: SignedFor, message: VlpMessage, privateKey: string): VlpMessage {
  const signature = signData(of, withoutSignature(message), privateKey)
  return { ...message, _extras: { ...message._extras, signature } }
}
