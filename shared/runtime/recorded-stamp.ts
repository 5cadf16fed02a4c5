// What replay takes from the bytes of a recorded fact without reading all of it: who wrote it, when
// and from which basis. What does not stand where canonical bytes have it is not taken.
import type { Stamp } from '#core/event'
import type { Fact } from '#ports/log'

const head = /^\{"basis":"(0|[1-9][0-9]{0,15})","data":\{/
const tail =
  /"source":"([^"\\]{1,256})","specversion":"1\.0","time":"([^"\\]{1,40})","(t\w+)"[^\\]+"\}$/
const headBytes = 48
const tailBytes = 512

export interface RecordedStamp extends Stamp {
  /** Whether the fact says to which trace it belongs; what it says must follow from the message. */
  readonly isTraced: boolean
}

// Canonical bytes begin with the basis and end with the stamp; what does not is not canonical.
export function stampOf({ bytes }: Fact): RecordedStamp | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const basis = head.exec(buffer.toString('utf8', 0, headBytes))?.[1]
  const [, source, time, next] = tail.exec(buffer.toString('utf8', buffer.length - tailBytes)) ?? []
  if (basis === undefined || source === undefined || time === undefined) return null
  return { source, time, basis: Number(basis), isTraced: next === 'traceparent' }
}

/** Of what names no intent, one that is never open. */
export function addressOfRate(fact: Fact): string {
  return /"intent":\{"address":"([^"\\]+)"/.exec(text(fact.bytes))?.[1] ?? ''
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
