// What every adapter of the log refuses, in the same words, before it touches its store.
import { assert, Fault } from '#record/fault'
import { isName } from '#record/names'
import { isPattern } from '#record/pattern'
import { type Entry, entryBytesMax } from '#ports/log'

const queuePattern = /^[A-Za-z0-9_-]{1,64}$/

export function refuseEntry(entry: Entry): void {
  if (!isName(entry.name)) {
    throw new Fault('entry_invalid', `\`${entry.name.slice(0, 600)}\` is not the name of a fact`)
  }
  if (entry.bytes.length > entryBytesMax) {
    const size = `${entry.bytes.length} bytes, and ${entryBytesMax} are allowed`
    throw new Fault('entry_invalid', `\`${entry.name}\` has ${size}`)
  }
}

export function refusePatterns(names: readonly string[]): void {
  for (const name of names) {
    if (isPattern(name)) continue
    throw new Fault('pattern_invalid', `\`${name.slice(0, 600)}\` is not a pattern of names`)
  }
}

export function refuseQueue(queue: string, names: readonly string[], inFlightMax: number): void {
  if (!queuePattern.test(queue)) {
    throw new Fault('queue_invalid', `\`${queue.slice(0, 600)}\` is not the name of a queue`)
  }
  refusePatterns(names)
  assert(Number.isSafeInteger(inFlightMax) && inFlightMax >= 1, 'inFlightMax is 1 or more')
}

/** The names of a queue as they are compared: in any order, each once. */
export function queueNames(names: readonly string[]): string {
  return [...new Set(names)].toSorted().join(' ')
}

export function queueDiffers(queue: string, has: string, given: string): Fault {
  const fix = 'work it with those, or give the new work a queue of its own'
  return new Fault(
    'queue_differs',
    `queue \`${queue}\` has the names \`${has}\`, not \`${given}\`: ${fix}`,
  )
}

export function logClosed(): Fault {
  return new Fault('log_closed', 'the log is closed')
}
