// Appends that wait for their transaction. It must never release one without an answer.
import { Fault } from '#record/fault'
import type { AppendOptions, Appended, Entry } from '#ports/log'

/** Entries of one transaction, so that it holds up neither this process nor the others. */
const batchEntriesMax = 512
const batchBytesMax = 4_194_304
/**
 * Bytes that may wait; an entry counts for more than its own, or small ones could be without end.
 */
const waitingBytesMax = 268_435_456
const entryOverheadBytes = 512

/** An entry as it is bound, with how it is stamped. */
export interface Stamped extends Entry {
  readonly behind: AppendOptions['behind']
}

interface Waiting {
  readonly entry: Stamped
  readonly resolve: (answer: Appended) => void
  readonly reject: (fault: unknown) => void
}

export class AppendQueue {
  readonly #waiting: Waiting[] = []
  #bytes = 0
  /** As many of the first are tried alone, since they failed together. */
  #alone = 0

  get empty(): boolean {
    return this.#waiting.length === 0
  }

  get alone(): boolean {
    return this.#alone > 0
  }

  push(entry: Stamped): Promise<Appended> {
    if (this.#bytes > waitingBytesMax) {
      return Promise.reject(new Fault('log_busy', 'too many appends wait for the log'))
    }
    this.#bytes += entry.bytes.length + entryOverheadBytes
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
    })
  }

  /** The entries of the next transaction; the same again until they are answered. */
  next(): readonly Stamped[] {
    const entries: Stamped[] = []
    let bytes = 0
    const countMax = this.#alone > 0 ? 1 : batchEntriesMax
    for (let index = 0; index < countMax; index += 1) {
      const entry = this.#waiting[index]?.entry
      if (entry === undefined) break
      bytes += entry.bytes.length
      if (bytes > batchBytesMax && entries.length > 0) break
      entries.push(entry)
    }
    return entries
  }

  answer(answers: readonly Appended[]): void {
    const answered = this.#take(answers.length)
    answers.forEach((answer, index) => answered[index]?.resolve(answer))
  }

  /**
   * The next entries failed together: one bad one must not fail the others, so each is tried
   * alone.
   */
  part(count: number): void {
    this.#alone = count
  }

  refuse(count: number, fault: unknown): void {
    for (const { reject } of this.#take(count)) reject(fault)
  }

  #take(count: number): readonly Waiting[] {
    const taken = this.#waiting.splice(0, count)
    for (const { entry } of taken) this.#bytes -= entry.bytes.length + entryOverheadBytes
    this.#alone = Math.max(0, this.#alone - count)
    return taken
  }
}
