// What every command has that changes the graph or the catalog: who signs, why, on which revision
// it builds, and whether it is only tried. And how levels and relations are spelled.
import { InvalidArgumentError, type Command } from 'commander'
import { levelNames, relationTypes, type Level, type RelationType } from '#schemas/graph'
import {
  wholeNumber,
  withSigner,
  type GlobalOptions,
  type SignerOptions,
} from '#cli/terminal/opening/options'

export interface EditOptions extends GlobalOptions, SignerOptions {
  readonly dryRun?: boolean
  /** How many of the last intents a preview asks again; 0 for no preview. */
  readonly last: number
  readonly note?: string
  readonly base?: number
}

const lastUsual = 100

export function withEditing(command: Command): Command {
  return withSigner(
    withTrial(command).option(
      '--base <revision>',
      'refuse if others changed it since that revision',
      wholeNumber,
    ),
  )
}

/** What is only tried, or bound with a note. */
export function withTrial(command: Command): Command {
  return withLast(
    command.option(
      '--dry-run',
      'show what would change, what prevents it and its effect, and change nothing',
    ),
  ).option('--note <text>', 'why, for anyone who reads the log', noteText)
}

export function withLast(command: Command): Command {
  return command.option(
    '--last <count>',
    'preview it on this many of the last intents; 0 for no preview',
    wholeNumber,
    lastUsual,
  )
}

const noteCharactersMax = 4_000

export function noteText(text: string): string {
  if (text !== '' && text.length <= noteCharactersMax) return text
  throw new InvalidArgumentError(`Expected a text of at most ${noteCharactersMax} characters.`)
}

/** `2`, `CAPABILITIES` or `capabilities`. */
export function level(text: string): Level {
  const named = levelNames.findIndex((name) => name === text.toUpperCase())
  const found = named === -1 ? levelNames.findIndex((_, index) => String(index) === text) : named
  if (found !== -1) return found
  const known = levelNames.map((name, index) => `${index} ${name}`).join(', ')
  throw new InvalidArgumentError(`Expected a level: one of ${known}.`)
}

export function relationType(text: string): RelationType {
  const found = relationTypes.find((type) => type === text.toUpperCase().replaceAll('-', '_'))
  if (found !== undefined) return found
  throw new InvalidArgumentError(`Expected one of ${relationTypes.join(', ')}.`)
}
