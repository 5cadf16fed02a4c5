// What a gateway publishes of a result in its own name: the frame that the agent got, digest and
// size of the result, and a digest of each value in it, so that known values work on it. The result
// itself is not in it.
import { utf8Length } from '#platform/bytes'
import { identifierLimits, type SaidIdentifier } from '#schemas/action/identifiers'
import type { ValueKind } from '#schemas/values'
import type { Json, JsonMap } from '#record/canonical'
import { canonicalBytes } from '#record/canonical'
import { digestOf } from '#record/digest'
import { identifierDigest } from '#knowledge/known/digests'
import type { ResultDistrust } from '#knowledge/known/said-parts'
import { frame as frameOf, type Frame } from './frame.ts'
import { identifiersIn } from './identifiers.ts'

export interface GivenResult {
  readonly tool: string
  /** As they were executed. */
  readonly args: Json
  readonly value: Json
  /** What the agent got of it. */
  readonly frame: Frame
  /** The kinds that arguments of the catalog must have known. */
  readonly kinds: readonly ValueKind[]
  readonly distrust: Omit<ResultDistrust, 'args'>
  /** At least 16 random bytes of this message alone, in base64url without padding. */
  readonly salt: string
}

/**
 * The payload of the message: at most 2 000 identifiers and 128 kB, and `incomplete` where a value
 * that can be trusted was left out. A frame that leaves no room is replaced by its handle.
 */
export function resultEvidence(given: GivenResult): JsonMap {
  const { tool, args, value, kinds, distrust, salt } = given
  const bytes = canonicalBytes(value)
  const result = { digest: digestOf(bytes), bytes: bytes.length }
  const payload = { tool, args, error: false, frame: frameWithin(given), result, salt }
  let left = identifierLimits.bytesMax - sizeOf({ ...payload, identifiers: [], incomplete: true })
  const identifiers: SaidIdentifier[] = []
  let incomplete = false
  for (const one of identifiersIn(value, kinds, { ...distrust, args })) {
    const { kind, pointer, untrusted } = one
    const digest = identifierDigest(salt, kind, one.value)
    const said = { kind, pointer, digest, ...(untrusted && { untrusted }) }
    left -= sizeOf(said) + 1
    if (left < 0 || identifiers.length === identifierLimits.identifiersMax) {
      incomplete = !untrusted
      break
    }
    identifiers.push(said)
  }
  return { ...payload, identifiers, ...(incomplete && { incomplete }) }
}

const frameBytesMax = 64 * 1024

function frameWithin({ value, frame }: GivenResult): JsonMap {
  const shown = sizeOf(frame) > frameBytesMax ? frameOf(value, { mode: 'handle_only' }) : frame
  // Warnings are of a value that is not here.
  return { ...shown, warnings: shown.warnings.map((warning) => ({ ...warning })) }
}

function sizeOf(value: object): number {
  return utf8Length(JSON.stringify(value))
}
