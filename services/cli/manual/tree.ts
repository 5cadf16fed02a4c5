// The table of commands as plain values: what completion and the manual page are made from.
import type { Command } from 'commander'
import { examplesOf } from '../opening/options.ts'

export interface OptionEntry {
  /** As help shows it: `--from <position>`. */
  readonly flags: string
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly description: string
  readonly choices: readonly string[]
}

interface ArgumentEntry {
  readonly name: string
  readonly description: string
  readonly choices: readonly string[]
}

export interface CommandEntry {
  readonly name: string
  /** The heading that help lists it under; empty below another command. */
  readonly group: string
  readonly description: string
  /** What is written behind its name. */
  readonly usage: string
  readonly arguments: readonly ArgumentEntry[]
  readonly options: readonly OptionEntry[]
  readonly examples: readonly string[]
  readonly commands: readonly CommandEntry[]
}

export function entryOf(command: Command): CommandEntry {
  return {
    name: command.name(),
    group: command.helpGroup(),
    description: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((argument) => {
      const { description, argChoices } = argument
      return { name: argument.name(), description, choices: argChoices ?? [] }
    }),
    options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
    examples: examplesOf(command),
    commands: command.commands.map(entryOf),
  }
}

function optionOf(option: Command['options'][number]): OptionEntry {
  const { flags, short, long, required, optional, description, argChoices } = option
  return {
    flags,
    names: [short, long].flatMap((name) => (name === undefined ? [] : [name])),
    takesValue: required || optional,
    description,
    choices: argChoices ?? [],
  }
}
