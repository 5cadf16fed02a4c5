// What all drivers do with how a call ends: bound and read what a tool wrote, take secrets out of
// it, and turn every error into a `ToolFailure`. It must never let the words of another error out.
import { ToolFailure } from '#core/drivers/tool-failure'
import { jsonFault, readJson } from '#core/kernel/json'
import { anyResultBytesMax, failureTextBytesMax, resultBytesMax } from '#ports/tools'
import type { DriverResult, ToolCall } from '#ports/tools'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { abortFailure } from '#adapters/egress/aborting'
import type { Happened } from '#schemas/action/tool-failure'
import { secretBytesMax, type Secrets } from './secrets.ts'

const depthMax = 64
/** So much of what a tool wrote is read for a failure: a secret in what is kept is whole. */
export const failureReadBytesMax = failureTextBytesMax + 3 * secretBytesMax

/** With these an intermediary answers for a server that may have done what it was asked. */
export const answeredBetween: ReadonlySet<number> = new Set([502, 504])

/** Runs one call; whatever comes out of it is without secrets. */
export async function guardedRun(
  call: ToolCall,
  secrets: Secrets,
  run: () => Promise<DriverResult>,
): Promise<DriverResult> {
  if (call.signal.aborted) throw abortFailure(call.signal, 'no')
  try {
    const { value, bytes } = await run()
    return { value: secrets.scrubValue(value), bytes }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw new ToolFailure('protocol_error', 'unknown')
    throw new ToolFailure(error.code, error.happened, shortened(error.detail, secrets))
  }
}

/** Of `describe`: nothing in it was loaded, but what was may stand in an argument. */
export function guardedShow(secrets: Secrets, show: () => JsonValue): JsonValue {
  return secrets.scrubValue(show())
}

function shortened(detail: JsonObject, secrets: Secrets): JsonObject {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      return [name, typeof value === 'string' ? cut(secrets.scrub(value)) : value]
    }),
  )
}

/** As many bytes as a failure may repeat, and no half of a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= failureTextBytesMax) return text
  return bytes
    .subarray(0, failureTextBytesMax)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}

export function bytesMaxOf({ capability }: ToolCall): number {
  return Math.min(capability.execution?.bytesMax ?? resultBytesMax, anyResultBytesMax)
}

export function tooLarge(call: ToolCall, happened: Happened): ToolFailure {
  return new ToolFailure('result_too_large', happened, { bytesMax: bytesMaxOf(call) })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** JSON where that is what it is, otherwise the text; nothing is null. Undefined: not UTF-8. */
export function valueOfBytes(bytes: Uint8Array): JsonValue | undefined {
  if (bytes.length === 0) return null
  const reading = readJson(bytes, { bytesMax: bytes.length, depthMax })
  if (reading.ok && isJsonValue(reading.value)) return reading.value
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether a value that came from elsewhere is JSON. */
export function isJsonValue(value: unknown): value is JsonValue {
  return jsonFault(value, { bytesMax: Number.MAX_SAFE_INTEGER, depthMax }) === null
}
