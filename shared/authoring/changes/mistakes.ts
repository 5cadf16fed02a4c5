// The mistakes of a file that people wrote: all are counted and the first are shown, so that they
// need not be fixed one by one.

export interface Mistakes {
  count: number
  readonly shown: string[]
}

const shownMax = 5

export function noMistakes(): Mistakes {
  return { count: 0, shown: [] }
}

export function addMistake(mistakes: Mistakes, text: string): void {
  mistakes.count += 1
  if (mistakes.shown.length < shownMax) mistakes.shown.push(text)
}

/** On one line. */
export function mistakesText({ count, shown }: Mistakes): string {
  const more = count - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
