// Bytes of an answer that comes in parts, cut into them: lines, and the data of server-sent events.
// A part is whole when it is passed on, so that what is looked for in it is not split.
import { latin1Of } from '#platform/bytes'
import { joinedBytes } from '#record/reading/joined-bytes'

const newline = 0x0a
const carriageReturn = 0x0d

/** A part as it was written. */
export interface RawPart {
  readonly bytes: Uint8Array
  /** What ended it: those who put parts of text together get the lines again. */
  readonly end: string
}

/** Turns bytes into parts; `end` gives what was left open. */
export interface PartSplitter {
  push(chunk: Uint8Array): readonly RawPart[]
  end(): readonly RawPart[]
}

/** Each line that is not empty. */
export function lineParts(): PartSplitter {
  const lines = lineSplitter()
  const read = (line: Uint8Array, end: string): readonly RawPart[] => {
    const bytes = withoutReturn(line)
    return bytes.length === 0 ? [] : [{ bytes, end }]
  }
  return {
    push: (chunk) => lines.push(chunk).flatMap((line) => read(line, '\n')),
    end: () => lines.end().flatMap((line) => read(line, '')),
  }
}

/** The data of each event. */
export function eventParts(): PartSplitter {
  const lines = lineSplitter()
  let data: Uint8Array[] = []
  const take = (): readonly RawPart[] => {
    if (data.length === 0) return []
    const bytes = joinedBytes(data.flatMap((one, at) => (at === 0 ? [one] : [lineEnd, one])))
    data = []
    return [{ bytes, end: '' }]
  }
  const read = (line: Uint8Array): readonly RawPart[] => {
    const trimmed = withoutReturn(line)
    if (trimmed.length === 0) return take()
    const found = /^data(?:: ?|$)/.exec(latin1Of(trimmed.subarray(0, 6)))
    if (found !== null) data.push(trimmed.subarray(found[0].length))
    return []
  }
  return {
    push: (chunk) => lines.push(chunk).flatMap(read),
    end: () => [...lines.end().flatMap(read), ...take()],
  }
}

const lineEnd = Uint8Array.of(newline)

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line
}

/** Lines without their ends, whatever pieces they came in. */
function lineSplitter(): {
  push(chunk: Uint8Array): readonly Uint8Array[]
  end(): readonly Uint8Array[]
} {
  let open: Uint8Array[] = []
  return {
    push(chunk) {
      const lines: Uint8Array[] = []
      let rest = chunk
      for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
        lines.push(joinedBytes([...open, rest.subarray(0, at)]))
        open = []
        rest = rest.subarray(at + 1)
      }
      if (rest.length > 0) open.push(rest)
      return lines
    },
    end() {
      const line = joinedBytes(open)
      open = []
      return line.length === 0 ? [] : [line]
    },
  }
}
