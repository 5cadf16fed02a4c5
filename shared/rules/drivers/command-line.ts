// The argument vector of a program, from the catalog and the arguments of a call. No value becomes
// an option: one that begins with `-` is refused, unless the catalog wrote `--` before it.
import type { Driver } from '#schemas/action/driver'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { filledText, secretlessText, shownText, unnamedArguments, wordPart } from './filling.ts'
import type { Encoding, FilledText } from './filling.ts'
import { ToolFailure } from './tool-failure.ts'

type ShellDriver = Extract<Driver, { kind: 'shell' }>

export interface CommandLine {
  readonly program: string
  readonly args: readonly string[]
  /** Null leaves it to where the driver runs programs. */
  readonly cwd: string | null
  readonly env: ReadonlyMap<string, FilledText>
}

/** Throws a `ToolFailure` where the arguments do not fit. */
export function commandLine(driver: ShellDriver, args: JsonObject): CommandLine {
  const { command, cwd = null, env = {} } = driver
  const [unnamed] = unnamedArguments(args, [...command, ...Object.values(env)])
  if (unnamed !== undefined) throw new ToolFailure('argument_unused', 'no', { argument: unnamed })
  const [program = '', ...rest] = command
  if (program === '' || program.includes('${')) throw new ToolFailure('driver_invalid', 'no')
  if (cwd !== null && !cwd.startsWith('/')) throw new ToolFailure('driver_invalid', 'no')
  const end = rest.indexOf('--')
  return {
    program,
    args: rest.map((template, index) => {
      const isOperand = end !== -1 && index > end
      return secretlessText(filledText(template, args, isOperand ? wordPart : valueOf(template)))
    }),
    cwd,
    env: new Map(
      Object.entries(env).map(([name, template]) => [name, filledText(template, args, wordPart)]),
    ),
  }
}

/** A value that stands at the beginning of an item may not begin with `-`. */
function valueOf(template: string): Encoding {
  if (!template.startsWith('${')) return wordPart
  return (value, pointer) => {
    const text = wordPart(value, pointer)
    if (text.startsWith('-') || text === '') {
      throw new ToolFailure('argument_unsafe', 'no', { argument: pointer })
    }
    return text
  }
}

/** What a person may see of it. */
export function describedCommand(line: CommandLine): JsonValue {
  const env = [...line.env].map(([name, text]) => [name, shownText(text)] as const)
  return {
    command: [line.program, ...line.args],
    ...(line.cwd === null ? {} : { cwd: line.cwd }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  }
}
