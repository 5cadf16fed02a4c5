// A sender's signature on its message: `_extras.signature`, over the message without it, the
// name that the message is published under, and the log.
import { KeySignature } from '#schemas/values'
import type { VlpMessage } from '#schemas/vlp'
import { jsonOf, type Json } from '#record/canonical'

export interface Signed {
  readonly unsigned: Json
  readonly signature: KeySignature
}

/** The signature that a message carries and what it covers; null where it carries none. */
export function messageSignature(message: VlpMessage): Signed | null {
  const parsed = KeySignature.safeParse(message._extras?.['signature'])
  if (!parsed.success) return null
  return { unsigned: withoutSignature(message), signature: parsed.data }
}

/** What the signature on a message covers. */
export function withoutSignature(message: VlpMessage): Json {
  const { _extras: extras, ...rest } = message
  if (extras === undefined) return jsonOf(rest)
  const { signature: _, ...others } = extras
  return jsonOf(Object.keys(others).length === 0 ? rest : { ...rest, _extras: others })
}
