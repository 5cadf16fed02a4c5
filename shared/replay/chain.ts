// The digest of all that was read of a log up to a position. Written down, it shows later whether
// the log still has that: a tail that was cut, a fact that was changed or a time that was moved
// shows, although everything that is left derives.
import { utf8 } from '#platform/bytes'
import { newSha256 } from '#platform/crypto'
import type { Fact } from '#ports/log'

export interface ChainHead {
  readonly position: number
  readonly digest: string
}

const encoder = new TextEncoder()
const takenBytes = 65_536
/** What stands before the bytes of a fact: its name, and three numbers. */
const headBytesMax = 1_024

/** `<position>:sha256:<64 hexadecimal digits>`; null for any other text. */
export function headOf(text: string): ChainHead | null {
  const [, position, digest] = /^(0|[1-9]\d{0,15}):(sha256:[0-9a-f]{64})$/.exec(text) ?? []
  return position === undefined || digest === undefined
    ? null
    : { position: Number(position), digest }
}

export function headText({ position, digest }: ChainHead): string {
  return `${position}:${digest}`
}

export interface Chain {
  /** Takes in the next fact. */
  add(fact: Fact): void
  /** Of all that was taken in so far. */
  head(): ChainHead
}

/**
 * Begins with the first fact, or after a snapshot, whose digest then stands for those before it:
 * where eras were taken away, a head is of what is here.
 */
export function chainFrom(start: ChainHead | null): Chain {
  const hash = newSha256()
  // Small facts are taken in together: each time costs as much as a thousand bytes.
  const taken = new Uint8Array(takenBytes)
  let length = 0
  const takeIn = (): void => {
    hash.add(taken.subarray(0, length))
    length = 0
  }
  let position = start?.position ?? 0
  if (start !== null) hash.add(utf8(`${headText(start)}\n`))
  return {
    add(fact) {
      // Its length stands before what may hold anything, so that no two logs read alike.
      const { name, bytes, appendedAt } = fact
      if (length + bytes.length + headBytesMax > takenBytes) takeIn()
      const line = `${fact.position} ${appendedAt} ${name} ${bytes.length}\n`
      length += encoder.encodeInto(line, taken.subarray(length)).written
      if (length + bytes.length > takenBytes) {
        takeIn()
        hash.add(bytes)
      } else {
        taken.set(bytes, length)
        length += bytes.length
      }
      position = fact.position
    },
    head() {
      takeIn()
      return { position, digest: `sha256:${hash.hex()}` }
    },
  }
}
