// Commands as a reader can paste them: as this one was called, and on the same log.
import { calledBy } from '#wiring/called'
import { shellWord } from '#present/wording'
import type { Settings } from '#schemas/settings/settings'

export { shellWord } from '#present/wording'

export interface Hints {
  (command: string): string
}

interface Called {
  readonly log?: string | undefined
  readonly realm: string
}

/** The settings report whether it was called through npm. */
export function hintsFor({ log, realm }: Called, settings: Settings): Hints {
  const program = calledBy(settings)
  const where = [
    ...(log === undefined ? [] : [`--log ${shellWord(log)}`]),
    ...(realm === 'main' ? [] : [`--realm ${shellWord(realm)}`]),
  ]
  return (command) => [program, command, ...where].join(' ')
}
