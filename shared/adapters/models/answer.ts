// Reads what a model answered: JSON, strictly, within bounds. It must never say what it read, for
// that may be anything.
import { readJson } from '#core/vlp/json'
import { describeJsonFault } from '#core/json-fault'
import { modelBytesMax, type ModelAnswer } from '#ports/models'

const limits = { bytesMax: modelBytesMax, depthMax: 32 }

/** `what` says in the words of a failure what these bytes are. */
export function readAnswer(bytes: Uint8Array, what: string): ModelAnswer {
  const reading = readJson(bytes, limits)
  if (reading.ok) return { answer: reading.value }
  return { failed: `${what} cannot be read: ${describeJsonFault(reading.code)}` }
}
