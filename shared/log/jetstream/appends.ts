// Appends on their way to the stream. A few go each by itself; what has to wait for them goes
// together, as one atomic batch with one sync. It must never report a name as bound by an append
// that the server has not acknowledged.
import { Fault } from '#record/fault'
import { entryBytesMax, type Entry } from '#ports/log'
import { ackIn } from '../nats/api.ts'
import type { Message } from '../nats/message.ts'
import { apiFault, isNameBound, isOverload, problems, type ApiProblem } from '../nats/problems.ts'
import type { Requests } from '../nats/requests.ts'

/** Where the fact is now; null if another had bound the name before. */
export type TakenPosition = number | null

/**
 * Up to here each goes by itself. Where a server syncs each append, a few take as long as a batch
 * of hundreds; where it does not, a batch is slower, since it is synced all the same.
 */
const singlesMax = { slow: 16, quick: 256 }
/** A server that syncs, or is far, takes at least so long for an append that is alone. */
const slowMsMin = 0.25
/** The quickest is what counts, since waiting for our own turn only adds; but servers change. */
const quickestGrowth = 1.02
/** A batch is small enough for the server's limit of 1 000. */
const batchMax = 500
const batchesMax = 2
const batchBytesMax = 4_194_304
/** Room for what marks a message as part of a batch. */
const batchMarkBytes = 512

interface Pending {
  readonly entry: Entry
  readonly take: (taken: TakenPosition) => void
  readonly fail: (error: unknown) => void
}

export class JetStreamAppends {
  readonly #requests: Requests
  readonly #mayBatch: boolean
  readonly #batchPrefix: string
  readonly #queue: Pending[] = []
  #singles = 0
  #batches = 0
  #batchCount = 0
  #scheduled = false
  /** How long an append took that was alone on the way, at its quickest. */
  #aloneMs = 0

  /** With `batches` false each goes by itself: the stream takes nothing else. */
  constructor(requests: Requests, { batches = true }: { readonly batches?: boolean } = {}) {
    this.#requests = requests
    this.#mayBatch = batches
    this.#batchPrefix = requests.link.inbox.split('.').at(-1)?.slice(0, 32) ?? ''
  }

  push(entry: Entry): Promise<TakenPosition> {
    return new Promise((take, fail) => {
      this.#queue.push({ entry, take, fail })
      if (this.#scheduled) return
      this.#scheduled = true
      // All that comes up in the same turn is looked at together.
      queueMicrotask(() => {
        this.#scheduled = false
        this.#next()
      })
    })
  }

  #next(): void {
    if (!this.#mayBatch) {
      const room = singlesMax.quick - this.#singles
      for (const pending of this.#queue.splice(0, room)) void this.#single(pending)
      return
    }
    while (this.#queue.length > 0) {
      const most = this.#aloneMs < slowMsMin ? singlesMax.quick : singlesMax.slow
      const room = most - this.#singles
      if (this.#batches === 0 && this.#queue.length <= room) {
        for (const pending of this.#queue.splice(0)) void this.#single(pending)
        return
      }
      // What is on the way goes first, and by then more may wait.
      if (this.#singles > 0 || this.#batches >= batchesMax) return
      if (this.#batches > 0 && this.#queue.length < most) return
      const batch = this.#takeBatch()
      if (batch.length > 1) void this.#batch(batch)
      else for (const pending of batch) void this.#single(pending)
    }
  }

  /** From the front of the queue, no name twice, and nothing that its mark would make too large. */
  #takeBatch(): readonly Pending[] {
    const names = new Set<string>()
    let bytes = 0
    let count = 0
    for (const { entry } of this.#queue) {
      bytes += entry.bytes.length
      const isLarge = entry.bytes.length > entryBytesMax - batchMarkBytes
      const isFull = count >= batchMax || bytes > batchBytesMax
      if (count > 0 && (isLarge || isFull || names.has(entry.name))) break
      names.add(entry.name)
      count += 1
      if (isLarge) break
    }
    return this.#queue.splice(0, count)
  }

  async #single(pending: Pending): Promise<void> {
    this.#singles += 1
    const { entry, take, fail } = pending
    const aloneSince = this.#singles + this.#batches === 1 ? performance.now() : null
    try {
      const answer = await this.#requests.send(entry.name, entry.bytes)
      if (aloneSince !== null) this.#measured(performance.now() - aloneSince)
      take(takenBy(entry.name, answer))
    } catch (error) {
      fail(error)
    } finally {
      this.#singles -= 1
      this.#next()
    }
  }

  #measured(ms: number): void {
    const before = this.#aloneMs === 0 ? ms : this.#aloneMs * quickestGrowth
    this.#aloneMs = Math.min(before, ms)
  }

  async #batch(batch: readonly Pending[]): Promise<void> {
    this.#batches += 1
    try {
      const last = await this.#commit(batch)
      if (last === null) for (const pending of batch) void this.#single(pending)
      else for (const [index, { take }] of batch.entries()) take(last - batch.length + 1 + index)
    } catch (error) {
      for (const { fail } of batch) fail(error)
    } finally {
      this.#batches -= 1
      this.#next()
    }
  }

  /** The last position of the batch; null if it was refused as a whole, and left nothing behind. */
  async #commit(batch: readonly Pending[]): Promise<number | null> {
    this.#batchCount += 1
    const id = `${this.#batchPrefix}-${this.#batchCount}`
    for (const [index, { entry }] of batch.entries()) {
      const mark = { 'Nats-Batch-Id': id, 'Nats-Batch-Sequence': String(index + 1) }
      if (index < batch.length - 1) {
        this.#requests.link.publish(entry.name, entry.bytes, { header: mark })
        continue
      }
      const header = { ...mark, 'Nats-Batch-Commit': '1' }
      const ack = ackIn(await this.#requests.send(entry.name, entry.bytes, header))
      if (ack.error !== undefined) return refusedWhole(entry.name, ack.error)
      return ack.count === batch.length && !ack.duplicate ? ack.seq : doubted(entry.name)
    }
    return null
  }
}

function takenBy(name: string, answer: Message): TakenPosition {
  const ack = ackIn(answer)
  const { error } = ack
  if (error === undefined) return ack.duplicate || ack.seq === 0 ? doubted(name) : ack.seq
  if (isNameBound(error)) return null
  if (error.err_code !== problems.streamSealed) throw apiFault(name, error)
  throw new Fault('era_sealed', `\`${name}\` is of an era that is sealed`)
}

/**
 * One by one they may be taken, or show which of them is wrong. Where there is no room for any,
 * hundreds at once would only make it worse.
 */
function refusedWhole(name: string, problem: ApiProblem): null {
  const hasBatchesAlone = problem.err_code === problems.batchesOpen
  if (isOverload(problem) && !hasBatchesAlone) throw apiFault(name, problem)
  return null
}

/** Someone else has sent a message id: nothing is stored, whatever the acknowledgement says. */
function doubted(name: string): never {
  const why = 'the server took it for a repetition'
  const message = `\`${name}\` is not stored, since ${why}: append it again`
  throw new Fault('append_refused', message)
}
