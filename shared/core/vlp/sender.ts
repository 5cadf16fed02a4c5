// Whether a message is from the sender, and in the session, under whose name it was published.
import type { VlpMessage } from '#schemas/vlp'
import type { Catalog } from '../catalog/catalog.ts'
import { sessionToken, token } from '../names.ts'
import { isSignedBy } from '../signature.ts'
import { messageSignature } from './signed.ts'

/** Whether the message says the sender of its name, and is signed if that one ever had a key. */
export function isFrom(
  name: string,
  message: VlpMessage | null,
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
): boolean {
  // What says nothing that can be believed is malformed; whose it is does not matter any more.
  if (message === null) return true
  const keys = catalog.principals.get(message.sender)?.keys ?? []
  const known = verified.get(message)
  if (known?.keys === keys && known.name === name && known.log === log) return known.signed
  if (token(message.sender) !== name.split('.')[3]) return false
  // Taking a key away must not open the name to whoever has none.
  if (keys.length === 0) return !catalog.keyed.has(message.sender)
  const signature = messageSignature(message)
  const signed =
    signature !== null && isSignedBy(keys, { log, name }, signature.unsigned, signature.signature)
  verified.set(message, { keys, log, name, signed })
  return signed
}

// A signature costs more than all else about a message, and many rules ask about the same one.
const verified = new WeakMap<
  VlpMessage,
  {
    readonly keys: readonly string[]
    readonly log: string | null
    readonly name: string
    readonly signed: boolean
  }
>()

/** Whether the message names the session of its name. */
export function isInSession(name: string, message: VlpMessage | null): boolean {
  return message === null || name.split('.')[4] === sessionToken(message.session_id ?? null)
}
