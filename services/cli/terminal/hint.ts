// Commands as a reader can paste them: as this one was called, and on the same log.
import { calledBy } from '#present/wording'
import type { Settings } from '#schemas/settings/settings'

export interface Hints {
  (command: string): string
}

interface Called {
  readonly log?: string | undefined
  readonly realm: string
}

const plainWord = /^[A-Za-z0-9_./:@%+=,-]+$/

/** The settings report whether it was called through npm in a clone. */
export function hintsFor({ log, realm }: Called, { npmCommand }: Settings): Hints {
  const program = calledBy(npmCommand)
  const where = [
    ...(log === undefined ? [] : [`--log ${shellWord(log)}`]),
    ...(realm === 'main' ? [] : [`--realm ${shellWord(realm)}`]),
  ]
  return (command) => [program, command, ...where].join(' ')
}

/** The text as one word of a shell. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
