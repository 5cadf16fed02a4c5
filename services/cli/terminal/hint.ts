// Commands as a reader can paste them: as this one was called, and on the same log.
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
  const program = npmCommand === 'warrant' ? 'npm run -s warrant --' : 'warrant'
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

const shownCharacters = 8
const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * The end of an address, which `trace` and the like take for the whole. Only the end of a ULID
 * distinguishes it from all others; any other address is shown in full.
 */
export function shortIntent(address: string): string {
  const last = address.slice(address.lastIndexOf('.') + 1)
  return ulid.test(last) ? last.slice(-shownCharacters) : address
}

/** How the review of an intent is agreed to. */
export function approving(address: string, takesReason: boolean): string {
  return `approve ${shortIntent(address)}${takesReason ? ' --note "why it should run"' : ''}`
}
