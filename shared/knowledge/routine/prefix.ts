// Commands of a shell that begin alike, as a person agrees to them: the words that they begin with,
// and what may follow those, which is options and paths below the folder and nothing that a shell
// reads otherwise.

/** A name in a path: never `..`, and nothing in it behind which another path could begin. */
const part = String.raw`\.?[\w@%+][\w@%+-]*(?:(?:[.,]|::?)[\w@%+-]+)*`
const path = String.raw`(?:\./)?${part}(?:/${part})*(?:/(?:\.\.\.)?)?|\./\.\.\.|\.`
const option = String.raw`--?[A-Za-z0-9][\w-]*(?:=(?:${path}))?|--`
const shown = String.raw`(?: 2>&1)?(?: \| (?:head|tail)(?: -n)?(?: -?\d+)?)?`
const rest = `(?: (?:${option}|${path}))*${shown}`

const start = new RegExp(`^(?:${path})(?: (?:${option}|${path}))+$`, 'u')

/** The expression of the commands that begin so; null where no one can agree to such. */
export function prefixPattern(words: string): string | null {
  const [, ...others] = words.split(' ')
  const isNamed = others.some((one) => !one.startsWith('-'))
  return isNamed && start.test(words) ? `^${words.replaceAll(/[.+]/gu, '\\$&')}${rest}$` : null
}

export function isBegunSo(command: string, pattern: string): boolean {
  return new RegExp(pattern, 'u').test(command)
}

/** The words whose expression it is; null for any other. */
export function prefixOfPattern(pattern: string): string | null {
  const words = pattern.slice(1, -rest.length - 1).replaceAll(/\\(?=[.+])/gu, '')
  return prefixPattern(words) === pattern ? words : null
}

const name = /^[A-Za-z][\w:@-]*$/u
/** A program, and a subcommand of a subcommand. */
const namesMax = 3

/** The words that say what it does, without what it does it to; null where that is not plain. */
export function prefixIn(command: string): string | null {
  const words = command.split(' ')
  const last = words.findIndex((one, at) => at === namesMax || !name.test(one))
  const named = words.slice(0, last === -1 ? words.length : last)
  // A program of its own is no more than a shell: what it runs is the word behind it.
  const prefix = (named.length === 1 ? words.slice(0, 2) : named).join(' ')
  const pattern = prefixPattern(prefix)
  return pattern !== null && isBegunSo(command, pattern) ? prefix : null
}
