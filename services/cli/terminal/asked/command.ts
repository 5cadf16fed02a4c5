// The commands that are made from the table of operations: a list, and with its argument one of
// what it lists. Options and help come from what each takes.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { didYouMean, nearest } from '#record/quote'
import { argumentOf, inputFields, type Field } from '#schemas/operations/fields'
import type { Operation } from '#schemas/operations/operation'
import { operations, type OperationName } from '#schemas/operations/table'
import { withMoment } from '../opening/moment.ts'
import { examples, several } from '../opening/options.ts'
import type { AskedOptions } from './run.ts'

export interface CommandAsked {
  readonly list: OperationName
  readonly one?: OperationName
  /** Of what the command does beside: what its argument is then, and examples. */
  readonly argument?: string
  readonly examples?: readonly string[]
}

/** Declares one command, below another where it has two words; it may be given more of its own. */
export function askedCommand(program: Command, asks: CommandAsked): Command {
  const { list, one = list, argument: other = '', examples: more = [] } = asks
  const listed: Operation = operations[list]
  const single: Operation = operations[one]
  const argument = argumentOf(single)
  const isBoth = one !== list
  const command = program
    .command(listed.command.split(' ').at(-1) ?? '')
    .summary(beginning(listed.title))
    .description(
      beginning(isBoth ? `${listed.title}; or ${beginning(single.title)}` : listed.title),
    )
  if (argument !== null) {
    const named = isBoth ? `[${argument.name}]` : `<${argument.name}>`
    command.argument(named, `${argumentText(single)}${other}`)
  }
  withAsked(command, list)
  withAsked(command, one)
  if (listed.ofState === true) withMoment(command)
  command.action(() => runAsked(asks, argument === null ? undefined : command.args[0], command))
  const shown = isBoth ? [...listed.examples, ...single.examples] : listed.examples
  return examples(command, [...shown, ...more])
}

/** Adds the options of what an operation takes, or of these, that the command does not have. */
export function withAsked(
  command: Command,
  name: OperationName,
  { about = '', names }: { readonly about?: string; readonly names?: readonly string[] } = {},
): Command {
  const has = new Set(command.options.map((option) => option.attributeName()))
  for (const field of inputFields(operations[name])) {
    const isMeant = names?.includes(field.name) !== false
    if (isMeant && !has.has(field.name) && !field.isInPath) {
      command.addOption(optionOf(field, about))
    }
  }
  return command
}

/** What the command does. */
export async function runAsked(
  { list, one = list }: CommandAsked,
  meant: string | undefined,
  called: Command,
): Promise<void> {
  const { askAndPrint } = await import('./run.ts')
  const name = meant === undefined ? list : one
  process.exitCode = await askAndPrint(
    { name, list, meant },
    called.optsWithGlobals<AskedOptions>(),
  )
}

function beginning(title: string): string {
  return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}

function argumentText(asked: Operation): string {
  const says = beginning(argumentOf(asked)?.says ?? '')
  return asked.means === 'intent' ? `${says}, or the last characters of that` : says
}

function optionOf({ name, type, says, choices, unless }: Field, about: string): Option {
  const other = unless === null ? '' : ` (else ${unless})`
  const text = `${about}${beginning(says)}${other}`
  if (type === 'boolean') return new Option(`--${name}`, text)
  const isList = type === 'array'
  const all = isList ? `${text}; may be given several times` : text
  const option = new Option(`--${name} <${type === 'integer' ? 'count' : 'value'}>`, all)
  if (choices !== null) option.choices(choices)
  if (type === 'integer') return option.argParser(whole)
  return isList ? option.argParser(choices === null ? several : oneOf(choices)) : option
}

/** Collects one of these at a time; of another it names the nearest. */
function oneOf(all: readonly string[]) {
  return (text: string, before: readonly string[] = []): readonly string[] => {
    if (all.includes(text)) return [...before, text]
    const near = didYouMean(nearest(all, text)).replace(/^; d/, 'D')
    throw new InvalidArgumentError(near === '' ? `It is one of ${all.join(', ')}.` : near)
  }
}

function whole(text: string): number {
  if (/^(0|[1-9][0-9]{0,14})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number.')
}
