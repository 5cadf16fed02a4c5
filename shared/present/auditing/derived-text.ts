// What deriving an intent again came to, in a sentence.
import { counted } from '../wording.ts'

interface Compared {
  readonly is: 'equal' | 'differs' | 'cannot_tell'
}

export function derivedText(facts: readonly Compared[]): string {
  const count = (is: Compared['is']): number => facts.filter((one) => one.is === is).length
  const [equal, differs, unsure] = [count('equal'), count('differs'), count('cannot_tell')]
  if (facts.length === 0) return 'No fact of this intent is derived by a rule yet.'
  if (equal === facts.length) return `All ${counted(equal, 'fact')} came out the same, to the byte.`
  const parts = [
    ...(differs === 0 ? [] : [`${counted(differs, 'fact')} came out differently`]),
    ...(unsure === 0 ? [] : [`for ${counted(unsure, 'fact')} this cannot be seen here`]),
    ...(equal === 0 ? [] : [`${counted(equal, 'fact')} came out the same`]),
  ]
  const [first = '', ...rest] = parts
  return `${[first.slice(0, 1).toUpperCase() + first.slice(1), ...rest].join(', ')}.`
}

export function readText(facts: number, readBack: number): string {
  const read = `Read for it: ${counted(facts, 'fact')} of the log.`
  if (readBack === 0) return read
  return `${read} ${counted(readBack, 'answer')} of callbacks were taken as recorded.`
}
