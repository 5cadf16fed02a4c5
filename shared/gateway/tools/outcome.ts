// What all drivers do with how a call ends: bound and read what a tool wrote, take secrets out of
// it, and turn every error into a `ToolFailure`. It must never let the words of another error out.
import { ToolFailure } from '#rules/drivers/tool-failure'
import {
  depthMax,
  readToolAnswer,
  resultValuesMax,
  type ToolAnswerForm,
} from '#rules/drivers/answer-reading'
import { jsonFault } from '#record/json'
import { framedHereBytesMax } from '#ports/framing'
import { anyResultBytesMax, failureTextBytesMax, resultBytesMax } from '#ports/tools'
import type { DriverResult, ToolCall } from '#ports/tools'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { abortFailure } from '#system/egress/aborting'
import type { Happened } from '#schemas/action/tool-failure'
import { secretBytesMax, type Secrets } from './secrets.ts'

/** So much of what a tool wrote is read for a failure: a secret in what is kept is whole. */
export const failureReadBytesMax = failureTextBytesMax + 3 * secretBytesMax

/** With these an intermediary answers for a server that may have done what it was asked. */
export const answeredBetween: ReadonlySet<number> = new Set([502, 504])

/** What a tool answered, before it is read. */
export interface ToolAnswered {
  readonly bytes: Uint8Array
  readonly form: ToolAnswerForm
  /** What an answer that cannot be used leaves. */
  readonly happened: Happened
}

/** Runs one call; whatever comes out of it is without secrets. */
export async function guardedRun(
  call: ToolCall,
  secrets: Secrets,
  run: () => Promise<ToolAnswered>,
): Promise<DriverResult> {
  if (call.signal.aborted) throw abortFailure(call.signal, 'no')
  try {
    return await readOf(await run(), call, secrets)
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw new ToolFailure('protocol_error', 'unknown')
    throw new ToolFailure(error.code, error.happened, shortened(error.detail, secrets))
  }
}

async function readOf(
  { bytes, form, happened }: ToolAnswered,
  call: ToolCall,
  secrets: Secrets,
): Promise<DriverResult> {
  const given = { bytes, form, valuesMax: valuesMaxOf(call), secrets: secrets.pattern() }
  const isLarge = bytes.length > framedHereBytesMax
  const apart = isLarge ? call.readApart : undefined
  const read = apart === undefined ? readToolAnswer(given) : await apart(given)
  if (read?.ok === true) return { value: read.value, bytes: bytes.length }
  if (read?.code === 'too_many_values') throw tooMany(call, happened)
  throw new ToolFailure('result_invalid', happened)
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

function valuesMaxOf({ capability }: ToolCall): number {
  return capability.execution?.valuesMax ?? resultValuesMax
}

function tooMany(call: ToolCall, happened: Happened): ToolFailure {
  return new ToolFailure('result_too_large', happened, { valuesMax: valuesMaxOf(call) })
}

export function tooLarge(call: ToolCall, happened: Happened): ToolFailure {
  return new ToolFailure('result_too_large', happened, { bytesMax: bytesMaxOf(call) })
}

/** What a tool gave as a value; it is read again as it is written. Throws for what is no JSON. */
export function writtenAnswer(
  value: unknown,
  call: ToolCall,
  form: 'json' | 'texts' = 'json',
): ToolAnswered {
  const happened = 'unknown'
  const valuesMax = valuesMaxOf(call)
  const fault = jsonFault(value, { bytesMax: Number.MAX_SAFE_INTEGER, depthMax, valuesMax })
  if (fault === 'too_many_values') throw tooMany(call, happened)
  if (fault !== null) throw new ToolFailure('result_invalid', happened)
  return boundedAnswer({ bytes: Buffer.from(JSON.stringify(value)), form, happened }, call)
}

export function boundedAnswer(answered: ToolAnswered, call: ToolCall): ToolAnswered {
  if (answered.bytes.length > bytesMaxOf(call)) throw tooLarge(call, answered.happened)
  return answered
}
