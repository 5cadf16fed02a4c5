// Whether a mirror is a copy of the log that is there: where the log was restored from a backup,
// the mirror may still have what came after the backup, and the server does not compare them.
import { copyAt, look, messageOf, streamInfo, type Seen, type StreamInfo } from '../nats/api.ts'
import type { Requests } from '../nats/requests.ts'

export interface CopySeen {
  readonly info: Seen<StreamInfo>
  /** A position at which it has another fact than the log; null where none was found. */
  readonly strayedAt: number | null
}

export async function inspectMirror(
  atLog: Requests,
  at: Requests,
  { log, mirror }: { readonly log: string; readonly mirror: string },
): Promise<CopySeen> {
  const info = await look(() => streamInfo(at, mirror))
  if (info.is !== 'there') return { info, strayedAt: null }
  const { first_seq: first, last_seq: last } = info.value.state
  for (let back = 0; last - back >= Math.max(first, 1); back = back * 2 + 1) {
    const seq = last - back
    const copy = await look(() => copyAt(at, mirror, seq))
    // INVARIANT: a log is asked after its mirror, which never has a fact before it.
    const fact = await look(() => messageOf(atLog, log, { seq }))
    if (copy.is === 'hidden' || fact.is === 'hidden') break
    if (copy.is === 'missing') continue
    const isSame = fact.is === 'there' && isOne(copy.value, fact.value)
    if (!isSame) return { info, strayedAt: seq }
  }
  return { info, strayedAt: null }
}

interface Placed {
  readonly name: string
  readonly bytes: Uint8Array
  readonly appendedAt: number
}

function isOne(copy: Placed, fact: Placed): boolean {
  const isSameTime = copy.appendedAt === fact.appendedAt
  return copy.name === fact.name && isSameTime && Buffer.compare(copy.bytes, fact.bytes) === 0
}
