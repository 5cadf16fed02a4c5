// Subcommands that a table lists by their whole names: `network vnet list`. Of the words of a call
// the first ones must be one of those, whatever options stand between them.
import type { ShellEntry, ShellListed } from '#schemas/shell/table'
import { readArguments, type ReadArguments } from './given-options.ts'

export interface ListedCall {
  readonly entry: ShellEntry
  /** Without the words that name the subcommand. */
  readonly read: ReadArguments
}

interface Prepared {
  readonly entry: ShellEntry
  readonly names: ReadonlySet<string>
  /** Of how many words the longest name is. */
  readonly wordsMax: number
}

const prepared = new WeakMap<ShellEntry, readonly Prepared[]>()

/** The first that names what is given; null where none does. */
export function listedCall(given: readonly string[], entry: ShellEntry): ListedCall | null {
  for (const one of preparedOf(entry)) {
    const read = readArguments(given, one.entry)
    for (let count = Math.min(one.wordsMax, read.words.length); count > 0; count -= 1) {
      if (one.names.has(read.words.slice(0, count).join(' '))) {
        return { entry: one.entry, read: { ...read, words: read.words.slice(count) } }
      }
    }
  }
  return null
}

function preparedOf(entry: ShellEntry): readonly Prepared[] {
  if (entry.listed === undefined) return []
  const known = prepared.get(entry)
  if (known !== undefined) return known
  const made = entry.listed.map((one) => preparedFrom(one, entry))
  prepared.set(entry, made)
  return made
}

function preparedFrom({ paths, ...own }: ShellListed, { options, oneDash }: ShellEntry): Prepared {
  const names = new Set<string>()
  for (const [before, last] of Object.entries(paths)) {
    for (const one of last.split(' ')) names.add(before === '' ? one : `${before} ${one}`)
  }
  const wordsMax = Math.max(...[...names].map((one) => one.split(' ').length))
  const dashes = oneDash === undefined ? {} : { oneDash }
  return { entry: { ...dashes, ...own, options: { ...options, ...own.options } }, names, wordsMax }
}
