// Whether a message is from the sender, and in the session, under whose name it was published.
import type { Signature } from '#schemas/values'
import type { VlpMessage } from '#schemas/vlp'
import type { Catalog } from '#rules/catalog/catalog'
import { speaksThrough } from '#rules/catalog/doors/speaking'
import { sessionToken, token, tokenAt } from '#record/names'
import type { Json } from '#record/canonical'
import { namesInside } from '#record/roles'
import {
  isSameSigning,
  isSignedBy,
  isSignedInThread,
  type SignedFor,
  type Signing,
} from '#record/signature'
import type { MessageCheck } from './check.ts'
import { messageSignature, type Signed } from './signed.ts'

/** In `_extras`: the door that published the message in its sender's name. */
export const doorField = 'warrant_via'

/**
 * Whether the message says the sender of its name, is signed if that one ever had a key, and came
 * through a door of that sender if it says that it came through one.
 */
export function isFrom(
  name: string,
  message: VlpMessage | null,
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
): boolean {
  // A message without anything to believe is malformed; whose it is does not matter any more.
  if (message === null) return true
  const door = message._extras?.[doorField]
  if (door !== undefined && !speaksThrough(catalog, message.sender, door)) return false
  const keys = keysOf(catalog, message)
  const known = verified.get(message)
  if (known !== undefined && isSameSigning(known, { keys, log, name })) return known.signed
  if (token(message.sender) !== tokenAt(name, 3)) return false
  // Taking a key away must not open the name to anyone who has none.
  if (keys.length === 0) return !catalog.keyed.has(message.sender)
  const signature = messageSignature(message)
  const signed =
    signature !== null &&
    isSignedBySpeaker(keys, { log, name }, signature.unsigned, signature.signature)
  verified.set(message, { keys, log, name, signed })
  return signed
}

/** Whether one of the keys signed it for one of the names that the fact may give itself. */
export function isSignedBySpeaker(
  keys: readonly string[],
  { log, name }: SignedFor,
  data: Json,
  signature: Signature,
): boolean {
  return namesInside(name).some((one) => isSignedBy(keys, { log, name: one }, data, signature))
}

/** Lets the signatures that `isFrom` is going to ask for be verified in threads, side by side. */
export async function verifyAhead(
  messages: Iterable<{ readonly name: string; readonly check: Pick<MessageCheck, 'message'> }>,
  { catalog, log }: { readonly catalog: Catalog; readonly log: string | null },
): Promise<void> {
  const underWay: Promise<unknown>[] = []
  for (const { name, check } of messages) {
    const { message } = check
    const keys = message === null ? [] : keysOf(catalog, message)
    if (message === null || keys.length === 0) continue
    const of = { keys, log, name }
    const known = verified.get(message) ?? verifying.get(message)
    if (known !== undefined && isSameSigning(known, of)) {
      if ('done' in known) underWay.push(known.done)
      continue
    }
    const signature = messageSignature(message)
    if (signature === null) continue
    const done = isSignedUnder(namesInside(name), of, signature).then((signed) =>
      verified.set(message, { ...of, signed }),
    )
    verifying.set(message, { ...of, done })
    underWay.push(done)
  }
  await Promise.all(underWay)
}

/** Whether it is signed for one of the names, of which nearly always the first is the one. */
async function isSignedUnder(
  names: readonly string[],
  { keys, log }: Signing,
  { unsigned, signature }: Signed,
): Promise<boolean> {
  for (const name of names) {
    if (await isSignedInThread(keys, { log, name }, unsigned, signature)) return true
  }
  return false
}

// A signature costs more than all else about a message, and many rules ask about the same one.
const verified = new WeakMap<VlpMessage, Signing & { readonly signed: boolean }>()
const verifying = new WeakMap<VlpMessage, Signing & { readonly done: Promise<unknown> }>()

const noKeys: readonly string[] = []

function keysOf({ principals }: Catalog, { sender }: VlpMessage): readonly string[] {
  return principals.get(sender)?.keys ?? noKeys
}

/** Whether the message names the session of its name. */
export function isInSession(name: string, message: VlpMessage | null): boolean {
  return message === null || tokenAt(name, 4) === sessionToken(message.session_id ?? null)
}
