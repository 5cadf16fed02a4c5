// The parts of a result that streams, as an agent gets them: redacted as they come, with the fields
// and no more than the rows that a frame of them could show.
import type { FrameConstraints } from '#firewall/frame'
import type { ShownKinds } from '#firewall/shown-kinds'
import { streamRedactor } from '#firewall/stream'
import type { Json } from '#record/canonical'

export interface ShownParts {
  push(part: Json): void
  /** Shows what was held back until it was known what follows it. */
  end(): void
}

export type PartBounds = FrameConstraints & ShownKinds

export function shownParts(
  { maxRows = Infinity, allowedFields, ...shown }: PartBounds,
  onPart: (part: Json) => void,
): ShownParts {
  const redactor = streamRedactor({
    ...shown,
    ...(allowedFields !== undefined && { allowedFields }),
  })
  let rows = 0
  const show = (part: Json): void => {
    if (part !== '' && part !== null) onPart(part)
  }
  return {
    push(part) {
      const isRow = typeof part === 'object' && part !== null
      // A list is as many rows as it holds, and is not shown in part.
      if (isRow) rows += Array.isArray(part) ? part.length : 1
      if (isRow && rows > maxRows) return
      show(redactor.push(part).value)
    },
    end() {
      show(redactor.end().value)
    },
  }
}
