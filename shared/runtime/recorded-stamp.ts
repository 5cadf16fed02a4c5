// What replay takes from the bytes of a recorded fact without reading all of it: who wrote it, when
// and from which basis. What does not stand where canonical bytes have it is not taken.
import type { Stamp } from '#core/event'
import type { Fact } from '#ports/log'

const head = /^\{"basis":"(0|[1-9][0-9]{0,15})","data":\{/
const tail = /"source":"([^"\\]{1,256})","specversion":"1\.0","time":"([^"\\]{1,40})","t[^\\]+"\}$/
const headBytes = 48
const tailBytes = 512

// Canonical bytes begin with the basis and end with the stamp; what does not is not canonical. The
// traceparent is not taken from here: it must follow from the message.
export function stampOf({ bytes }: Fact): Stamp | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const basis = head.exec(buffer.toString('utf8', 0, headBytes))?.[1]
  const [, source, time] = tail.exec(buffer.toString('utf8', buffer.length - tailBytes)) ?? []
  if (basis === undefined || source === undefined || time === undefined) return null
  return { source, time, basis: Number(basis) }
}

/** Of what names no intent, one that is never open. */
export function addressOfRate(fact: Fact): string {
  return /"intent":\{"address":"([^"\\]+)"/.exec(text(fact.bytes))?.[1] ?? ''
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
