// What the page says of a person’s attention: how many answers are left, and what a test question
// was.
import { counted } from '../wording.ts'

export const attendingLabels = {
  together: 'Answer several together',
  goOn: 'Go on with what was begun',
  again: 'The next one counts from',
  differs: 'What was not as it had been asked before:',
} as const

interface Left {
  readonly cell?: number | undefined
  readonly perDay: number
  readonly left: number
}

/** Such as `12 of 40 answers of 24 hours are left`. */
export function answersLeftText({ cell, perDay, left }: Left): string {
  const where = cell === undefined ? '' : `Cell ${cell}: `
  return `${where}${left} of ${counted(perDay, 'answer')} in 24 hours left`
}

/** What can be done beyond them. */
export function beyondText(unfinished: number): string {
  if (unfinished === 0) return 'You may decline, or answer several together.'
  return `You may decline, or go on with the ${unfinished} that you began to answer together.`
}

export function drillText(caught: boolean): string {
  const came = caught ? ', and you declined it, as it had to be' : ', which had to be declined'
  return `This was a test question${came}. Nothing was asked for, and nothing follows.`
}
