// The options that every command has, and how the words of an option become values. What cannot be
// read is refused as usage, before anything is opened.
import { InvalidArgumentError, type Command } from 'commander'
import { Fault } from '#record/fault'
import { parseExactJson } from '#record/json'

export interface GlobalOptions {
  readonly log?: string
  readonly realm: string
  /** The identifier of the key that must have begun the log. */
  readonly rootKey?: string
  readonly json?: boolean
  /** Whether a client of an embedded log runs the stages itself. */
  readonly stages: boolean
  /** Whether the caller says that this clock is right, however long the log was quiet. */
  readonly acceptClock?: boolean
}

/** Who signs. */
export interface SignerOptions {
  readonly as?: string
  /** A file, or the name of a key at hand. */
  readonly key?: string
  /** Sign without asking; it takes a key. */
  readonly yes?: boolean
}

export function withGlobals(program: Command): Command {
  return program
    .option(
      '--log <url>',
      'the log: a file or `nats://host:port` (else WARRANT_LOG, else .warrant/log.db upwards)',
    )
    .option('--realm <name>', 'the realm that names begin with', realm, 'main')
    .option(
      '--root-key <key>',
      'accept only a log that this key began (else WARRANT_ROOT_KEY); replay prints it',
    )
    .option('--json', 'print JSON for programs')
    .option('--accept-clock', 'this clock is right, though the log was quiet for over 30 days')
    .option('--no-stages', 'do not run the stages here: another process does')
}

export function withSigner(command: Command): Command {
  return command
    .option('--as <principal>', 'who signs (else the only key here, or that of the user, or `you`)')
    .option('--key <file>', 'the key to sign with, a file or a name (else WARRANT_KEY, or yours)')
    .option('--yes', 'sign without asking at the terminal; takes --key too')
}

/** Which model, and where it is served. */
export function withModel(command: Command, does = 'makes suggestions'): Command {
  return command
    .option('--model <name>', `the model that ${does} (else WARRANT_MODEL)`)
    .option(
      '--model-url <url>',
      'its server, with the API of Ollama (else WARRANT_MODEL_URL, else http://127.0.0.1:11434)',
    )
    .option('--model-timeout <seconds>', 'how long it may take for one answer (60)', seconds)
}

type Given = Parameters<Parameters<Command['action']>[0]>

/** What a command does: loaded only when it is called, and given its arguments and all options. */
export function running(load: () => Promise<(...given: Given) => Promise<number>>) {
  return async function (this: Command): Promise<void> {
    const given: readonly unknown[] = this.processedArgs
    const act = await load()
    process.exitCode = await act(...given, this.optsWithGlobals())
  }
}

/** Examples under the help of a command. */
export function examples(command: Command, lines: readonly string[]): Command {
  const text = lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')
  return command.addHelpText('after', `\nExamples:\n${text}`)
}

export function wholeNumber(text: string): number {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text))
    throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text)
  if (number === 0) throw new InvalidArgumentError('Expected a whole number from 1.')
  return number
}

/** Seconds, with a fraction if need be, as milliseconds. */
export function seconds(text: string): number {
  const daysMax = 30
  const value = /^[0-9]{1,9}(\.[0-9]{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= daysMax * 86_400)) {
    throw new InvalidArgumentError(`Expected seconds, at most ${daysMax} days of them.`)
  }
  return Math.round(value * 1_000)
}

/** Collects an option that may be given several times. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Collects `key=value`; a value that is JSON is taken as that, and any other as text. */
export function pairs(
  text: string,
  before: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected key=value.')
  return { ...before, [text.slice(0, at)]: valueOf(text.slice(at + 1)) }
}

export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new InvalidArgumentError('Expected a JSON object.')
}

function realm(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, `_` and `-`.')
}

function valueOf(text: string): unknown {
  const value = parsed(text)
  return value === undefined ? text : value
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof Fault) throw error
    return undefined
  }
}
