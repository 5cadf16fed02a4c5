// Messages as their check found them, so that one which many intents cite is read once. It is only
// a memory, and never larger than it says.
import { LRUCache } from 'lru-cache'
import { token, tokenAt } from '#record/names'
import { checkBytes, readsExactly } from '#messages/check'
import type { CheckAgainst, MessageCheck } from '#messages/check'
import type { SessionMessage } from '#messages/session'
import type { Fact } from '#ports/log'

const keptSizeMax = 32 * 1024 * 1024
const bytesOfValue = 48
const [comma, brace, bracket] = [0x2c, 0x7b, 0x5b]

/** The message of that fact, checked against those constraints. */
export type CheckedMessages = (fact: Fact, against: CheckAgainst) => SessionMessage

interface Kept {
  readonly message: SessionMessage
  readonly against: CheckAgainst
}

export function checkedMessages(): CheckedMessages {
  const kept = new LRUCache<number, Kept>({ maxSize: keptSizeMax })
  return (fact, against) => {
    const found = kept.get(fact.position)
    if (found !== undefined && readsAlike(found.against, against)) return found.message
    const message = sessionMessage(fact, against)
    kept.set(fact.position, { message, against }, { size: sizeOf(fact.bytes) })
    return message
  }
}

/** Whether a message is the same by both. */
export function readsAlike(one: CheckAgainst, other: CheckAgainst): boolean {
  if (one.knownConstraints !== other.knownConstraints) return false
  return readsExactly(one) === readsExactly(other)
}

/** `found` is what a check against just that has found already. */
export function sessionMessage(
  fact: Fact,
  against: CheckAgainst,
  found?: MessageCheck,
): SessionMessage {
  const check = found ?? checkBytes(fact.bytes, against)
  const named = tokenAt(fact.name, 3)
  const said = check.message?.sender
  const sender = said !== undefined && token(said) === named ? said : named
  return { name: fact.name, sender, position: fact.position, check }
}

/** What a message takes when it is read: the text, and values that cost more than their text. */
export function sizeOf(bytes: Uint8Array, values = valuesIn(bytes)): number {
  return bytes.length + values * bytesOfValue
}

/** About how many values there are in bytes that were not read yet. */
function valuesIn(bytes: Uint8Array): number {
  let values = 0
  for (const byte of bytes) if (byte === comma || byte === brace || byte === bracket) values += 1
  return values
}
