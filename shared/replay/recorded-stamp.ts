// What replay takes from the bytes of a recorded fact without reading all of it: who wrote it, when
// and from which basis. What does not stand where canonical bytes have it is not taken.
import { latin1Of, readable, textOfUtf8 } from '#platform/bytes'
import type { Stamp } from '#record/event'
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
export function stampOf(fact: Fact): RecordedStamp | null {
  const bytes = readable(fact.bytes)
  const basis = head.exec(latin1Of(bytes, 0, headBytes))?.[1]
  const from = Math.max(0, bytes.length - tailBytes)
  const found = tail.exec(latin1Of(bytes, from))
  const [, source, time, next] = found ?? []
  if (basis === undefined || found === null || source === undefined || time === undefined)
    return null
  // Read by themselves: as parts of a match they would keep all of that text in memory.
  const sourceAt = from + found.index + sourceMark.length
  const timeAt = sourceAt + source.length + timeMark.length
  return {
    source: textOfUtf8(bytes, sourceAt, sourceAt + source.length),
    time: latin1Of(bytes, timeAt, timeAt + time.length),
    basis: Number(basis),
    isTraced: next === 'traceparent',
  }
}

/** Of what names no intent, one that is never open. */
export function addressOfRate(fact: Fact): string {
  return /"intent":\{"address":"([^"\\]+)"/.exec(textOfUtf8(fact.bytes))?.[1] ?? ''
}
