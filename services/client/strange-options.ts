// The options that a program gives: an unknown one would be without effect, unseen.
import { Fault } from '#record/fault'

/** Throws a Fault `options_invalid` for the first that has none of these names. */
export function refuseStrangeOptions(options: object, names: Iterable<string>): void {
  const known = new Set(names)
  const strange = Object.keys(options).find((name) => !known.has(name))
  if (strange === undefined) return
  const message = `there is no option \`${strange}\`: there are ${[...known].join(', ')}`
  throw new Fault('options_invalid', message)
}

/** The names of an interface, each of which the compiler demands. */
export function optionNames<T extends object>(
  names: Readonly<Record<keyof T & string, true>>,
): readonly string[] {
  return Object.keys(names)
}
