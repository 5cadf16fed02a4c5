// What replay takes from the bytes of a recorded fact without reading all of it: who wrote it, when
// and from which basis. What does not stand where canonical bytes have it is not taken.
import type { Stamp } from '#core/kernel/event'
import type { Fact } from '#ports/log'

const head = /^\{"basis":"(0|[1-9][0-9]{0,15})","data":\{/
const tail =
  /"source":"([^"\\]{1,256})","specversion":"1\.0","time":"([^"\\]{1,40})","(t\w+)"[^\\]+"\}$/
const sourceMark = '"source":"'
const timeMark = '","specversion":"1.0","time":"'
const headBytes = 48
const tailBytes = 512

export interface RecordedStamp extends Stamp {
  /** Whether the fact says to which trace it belongs; what it says must follow from the message. */
  readonly isTraced: boolean
}

// Canonical bytes begin with the basis and end with the stamp; what does not is not canonical.
export function stampOf({ bytes }: Fact): RecordedStamp | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const basis = head.exec(buffer.toString('latin1', 0, headBytes))?.[1]
  const from = Math.max(0, buffer.length - tailBytes)
  const found = tail.exec(buffer.toString('latin1', from))
  const [, source, time, next] = found ?? []
  if (basis === undefined || found === null || source === undefined || time === undefined)
    return null
  // Read by themselves: as parts of a match they would keep all of that text in memory.
  const sourceAt = from + found.index + sourceMark.length
  const timeAt = sourceAt + source.length + timeMark.length
  return {
    source: buffer.toString('utf8', sourceAt, sourceAt + source.length),
    time: buffer.toString('latin1', timeAt, timeAt + time.length),
    basis: Number(basis),
    isTraced: next === 'traceparent',
  }
}

/** Of what names no intent, one that is never open. */
export function addressOfRate(fact: Fact): string {
  return /"intent":\{"address":"([^"\\]+)"/.exec(text(fact.bytes))?.[1] ?? ''
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
