// Shows an answer while it comes, a part at a time and without secrets. What it comes to in the end
// is read from all of its bytes. A server that sends much and fast must not hold up the others:
// they have their turn after each piece of it.
import { eventParts, lineParts, type RawPart } from '#rules/drivers/answer-parts'
import { partValue, resultValuesMax } from '#rules/drivers/answer-reading'
import { framedHereBytesMax } from '#ports/framing'
import type { ToolCall } from '#ports/tools'
import type { Secrets } from './secrets.ts'

export interface Showing {
  /** It is shown in its turn. */
  push(chunk: Uint8Array): void
  /**
   * Once all of it was shown, and if it is whole, what no end has followed. What was not shown when
   * the call is aborted is in the result alone. Rejects with what a taker of parts throws.
   */
  end(isWhole: boolean): Promise<void>
}

/** So many bytes are cut and shown in one turn, and what parts end in them. */
const pieceBytes = 2_048

/** Null where no one takes its parts. A part that would be read apart is in the result alone. */
export function shownAsItComes(
  { onPart, signal }: ToolCall,
  { scrubValue }: Pick<Secrets, 'scrubValue'>,
  form: 'lines' | 'events',
): Showing | null {
  if (onPart === undefined) return null
  const splitter = form === 'lines' ? lineParts() : eventParts()
  let left = resultValuesMax
  const show = (parts: readonly RawPart[]): void => {
    for (const part of parts) {
      if (part.bytes.length > framedHereBytesMax || left === 0) continue
      left -= 1
      const read = partValue(part, resultValuesMax)
      if (read !== 'too_many_values') onPart(scrubValue(read.value))
    }
  }
  const hasEnded = (): boolean => left === 0 || signal.aborted
  const shown = async (chunk: Uint8Array): Promise<void> => {
    for (let at = 0; at < chunk.length && !hasEnded(); at += pieceBytes) {
      await turn()
      show(splitter.push(chunk.subarray(at, at + pieceBytes)))
    }
  }
  let before = Promise.resolve()
  return {
    push(chunk) {
      before = before.then(() => shown(chunk))
      // The end reports it.
      before.catch(() => {})
    },
    async end(isWhole) {
      await before
      if (isWhole && !hasEnded()) show(splitter.end())
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One piece a turn of the process, of whichever calls: in order. */
function turn(): Promise<unknown> {
  last = last.then(() => new Promise(setImmediate))
  return last
}
