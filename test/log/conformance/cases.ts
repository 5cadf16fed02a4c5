// What the cases share: the harness that an adapter brings, and builders for what they do not
// care about.
import { Fault } from '#record/fault'
import type { Entry, Fact, Job, Log } from '#ports/log'

/** One store, fresh for each case, and the handles that are opened on it. */
export interface LogHarness {
  /** Another handle on the same store, as another process would have. */
  open(): Promise<Log>
  /** The process of that handle dies: nothing more comes from it, and no one is notified. */
  kill(log: Log): Promise<void>
  /** Closes what is still open and removes the store. */
  dispose(): Promise<void>
}

export interface Setting {
  readonly harness: LogHarness
  readonly log: Log
}

/** Each key is a sentence about the log, each value its proof. */
export type Cases = Readonly<Record<string, (setting: Setting) => Promise<void>>>

export const never = new AbortController().signal
export const utf8 = new TextEncoder()
export const allNotes = ['main.1.note.*']

export const nameOf = (index: number, kind = 'note'): string => `main.1.${kind}.n${index}`
export const entryOf = (index: number, kind = 'note'): Entry => ({
  name: nameOf(index, kind),
  bytes: utf8.encode(`${kind} ${index}`),
})

export function upTo(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

export function numbered(count: number, kind = 'note', first = 1): Entry[] {
  return upTo(first + count - 1, first).map((index) => entryOf(index, kind))
}

/** A fact as it is compared: by its bytes, whatever holds them. */
export function plain(fact: Fact | undefined): unknown {
  return fact === undefined ? undefined : { ...fact, bytes: [...fact.bytes] }
}

export function positions(facts: readonly Fact[]): number[] {
  return facts.map((fact) => fact.position)
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return error instanceof Fault ? `${error.code} ${error.retry}` : `no fault: ${String(error)}`
  }
  return 'nothing refused'
}

export async function gather<T>(source: AsyncIterable<T>, countMax = Infinity): Promise<T[]> {
  const items: T[] = []
  if (countMax === 0) return items
  for await (const item of source) {
    items.push(item)
    if (items.length >= countMax) break
  }
  return items
}

export async function appendAll(log: Log, entries: readonly Entry[]): Promise<Fact[]> {
  const answers = await Promise.all(entries.map((entry) => log.append(entry)))
  return answers.map((answer) => answer.fact)
}

/** Works a queue until `enough` is true. */
export async function workUntil(
  jobs: AsyncIterable<Job>,
  act: (job: Job) => Promise<void>,
  enough: () => boolean,
): Promise<void> {
  for await (const job of jobs) {
    await act(job)
    if (enough()) return
  }
}
