// What an operator reads in sentences: what an intent waits for, why no one can answer, what a
// fault is about, and what a retry came to.
import { counted } from '../../wording.ts'

const stages: ReadonlyMap<string, string> = new Map([
  ['grounding', 'Grounding'],
  ['policy', 'Policy'],
  ['confirmation', 'Confirmation'],
  ['learning', 'Learning'],
])

/** A stage by the name that it has on the page, with its cell where there are several. */
export function stageText(stage: string, cell?: number): string {
  const name = stages.get(stage) ?? stage
  return cell === undefined ? name : `${name}, cell ${cell}`
}

interface WaitingFor {
  readonly for: string
  readonly people: readonly string[]
  readonly quorum: number
}

/** Such as `ann or bob`, with how many of them have to agree still. */
export function waitsForText({ for: what, people, quorum }: WaitingFor): string {
  if (what === 'people') {
    const names = people.length === 0 ? 'people' : people.join(', ')
    return people.length > quorum ? `${quorum} of ${names}` : names
  }
  if (what === 'learning') return 'an answer to what is not known'
  if (what === 'stages') return 'the stages'
  return `the stage ${stageText(what).toLowerCase()}`
}

const reasons = {
  unknown: 'not in the catalog',
  suspended: 'suspended',
  no_key: 'has no key and no passkey',
} as const

export function cannotAnswerText(why: keyof typeof reasons): string {
  return reasons[why]
}

/** Such as `2 have to agree, and 1 can`. */
export function tooFewText({ needed, can }: { needed: number; can: readonly string[] }): string {
  const has = needed === 1 ? 'has' : 'have'
  return `${needed} ${has} to agree, and ${can.length === 0 ? 'no one' : can.length} can`
}

const retries = {
  done: 'It is done now.',
  failed_again: 'It failed again: look at the log of the worker.',
  nothing_to_do: 'Nothing is to be done: its intent is settled.',
} as const

export function retryText(outcome: keyof typeof retries): string {
  return retries[outcome]
}

/** How far the server is behind the log. */
export function behindText(facts: number): string {
  return counted(facts, 'fact')
}

interface Found {
  readonly failed: number
  readonly warned: number
  readonly fine: number
}

/** What all checks came to. */
export function doctorText({ failed, warned, fine }: Found): string {
  if (failed > 0) return `${counted(failed, 'check')} failed, ${counted(warned, 'warning')}.`
  if (warned > 0) return `Nothing failed, ${counted(warned, 'warning')}.`
  return `All ${counted(fine, 'check')} passed.`
}
