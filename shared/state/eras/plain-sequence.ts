// Sequences as lines have them, and back.
import { newSequence, type Sequence } from '../sequence.ts'
import type { PlainSequence } from './genesis-lines.ts'

export function plainSequence({ next, used }: Sequence): PlainSequence {
  return { next, spent: numbersOf(used) }
}

export function numbersOf(numbers: ReadonlySet<number>): number[] {
  return [...numbers].toSorted((a, b) => a - b)
}

export function sequenceOf({ next, spent: used }: PlainSequence): Sequence {
  return used.length === 0 ? { ...newSequence, next } : { next, used: new Set(used) }
}
