// The options that a program gives: an unknown one would be without effect, unseen.
import { Fault } from '#record/fault'

/** Throws a Fault `options_invalid` for the first that has none of these names. */
export function refuseStrangeOptions(options: object, known: OptionNames): void {
  const strange = Object.keys(options).find((name) => !known.has(name))
  if (strange === undefined) return
  const message = `there is no option \`${strange}\`: there are ${[...known.keys()].join(', ')}`
  throw new Fault('options_invalid', message)
}

/** Of a set or the keys of a map. */
export interface OptionNames {
  has(name: string): boolean
  keys(): Iterable<string>
}

/** The names of an interface, each of which the compiler demands. */
export function optionNames<T extends object>(
  names: Readonly<Record<keyof T & string, true>>,
): ReadonlySet<string> {
  return new Set(Object.keys(names))
}
