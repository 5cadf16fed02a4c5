// Whether the newest snapshot of the fold says what the log says: everything before it is folded
// again, without it, and compared to the byte. It never shows what a snapshot holds.
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { evolve } from '#state/fold/evolve'
import { writeWork } from '#state/eras/genesis'
import { soundBeginningOf } from '../eras/beginning.ts'
import { openSnapshotFile } from './file.ts'
import { newestSnapshot, type SnapshotsOf } from './store.ts'

export interface Checked {
  readonly path: string
  readonly position: number
  /** How many facts were folded to compare it. */
  readonly facts: number
  /** In which line of its text it says something else, and of what kind; null where nowhere. */
  readonly difference: { readonly line: number; readonly kind: string } | null
}

/** Null where no snapshot is of this log and this fold. */
export async function checkSnapshot(of: SnapshotsOf): Promise<Checked | null> {
  const snapshot = await newestSnapshot(of)
  if (snapshot === null) return null
  const { path, about } = snapshot
  const { position } = about.last
  const { state } = await soundBeginningOf(of.log, of, of.rootKey)
  const from = state.position + 1
  for await (const fact of of.log.read({ from, to: position })) evolve(state, fact)
  const file = openSnapshotFile(path)
  try {
    const difference = firstDifference(linesOf(writeWork(state)), linesOf(file.text()))
    return { path, position, facts: position + 1 - from, difference }
  } finally {
    file.close()
  }
}

function firstDifference(
  folded: Iterator<string>,
  written: Iterator<string>,
): Checked['difference'] {
  for (let line = 1; ; line += 1) {
    const [one, other] = [folded.next(), nextOf(written)]
    if (one.done === true && other?.done === true) return null
    if (one.done === other?.done && one.value === other?.value) continue
    return { line, kind: kindOf(one.done === true ? '' : one.value) }
  }
}

// A file that differs from what was written fails at its end.
function nextOf(lines: Iterator<string>): IteratorResult<string> | null {
  try {
    return lines.next()
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

function* linesOf(chunks: Iterable<string>): Generator<string> {
  let rest = ''
  for (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

const Kind = z.object({ line: z.string() })

function kindOf(text: string): string {
  return text === '' ? 'end' : Kind.parse(parseJson(text)).line
}
