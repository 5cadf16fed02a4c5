// What went wrong, in one line for people and one value for programs, and the exit code that says
// so.
import { faultEntry, type FaultCode } from '#schemas/faults/registry'
import { CommanderError } from 'commander'
import { fileProblem } from '#system/file-problem'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { Fault } from '#record/fault'
import { toolFailureText } from '#present/action/tool-failure-text'
import { missingPackage } from '#runtime/reporting/missing-package'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { exitCodes } from '#schemas/faults/exit'
import { asCalled } from '#wiring/called'

export interface CommandFailure {
  readonly code: FaultCode
  readonly message: string
  readonly exitCode: number
}

/** Null where nothing went wrong: help or the version was asked for. */
export function commandFailureOf(error: unknown): CommandFailure | null {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return null
    // A command that only has others below it shows them and says no more.
    const isHelp = error.code === 'commander.help'
    const message = isHelp
      ? 'name a command'
      : oneLine(plainly(error.message.replace(/^error: /, '')))
    return failed('usage', message)
  }
  const fault = missingPackage(error) ?? error
  if (fault instanceof Fault) return failed(fault.code, oneLine(`${fault.message}${whyOf(fault)}`))
  if (!(error instanceof Error)) {
    return failed('unexpected', 'a value that is not an Error was thrown')
  }
  // What the system refuses is the world's doing, and no defect of ours.
  const path: unknown = Reflect.get(error, 'path')
  if (typeof path !== 'string') return failed('unexpected', oneLine(error.message))
  return failed('input_unreadable', oneLine(`\`${path}\`: ${fileProblem(error, error.message)}`))
}

/** What a driver reported, in English. */
function whyOf({ cause }: Fault): string {
  const text = cause instanceof ToolFailure ? toolFailureText(cause.code) : null
  return text === null ? '' : `: ${text}`
}

const invalidArgument =
  /^command-argument value '(?<value>.*)' is invalid for argument '(?<name>.*?)'\. /s
const invalidOption = /^option '(?<option>.*?)' argument '(?<value>.*)' is invalid\. /s

/** What the parser says of a value, in fewer words. */
function plainly(said: string): string {
  const found = invalidArgument.exec(said) ?? invalidOption.exec(said)
  if (found === null) return said
  const { name, option = '', value = '' } = found.groups ?? {}
  const what =
    name === undefined ? `${option}: '${value}' is invalid` : `invalid ${name} '${value}'`
  return `${what}. ${said.slice(found[0].length)}`
}

function failed(code: FaultCode, message: string): CommandFailure {
  return { code, message: asCalled(message), exitCode: faultEntry(code).exit ?? exitCodes.fault }
}

/** A mistake in how the command was called. */
export function usage(message: string): Fault {
  return new Fault('usage', message)
}

function oneLine(text: string): string {
  return withoutSecrets(text.trim().replaceAll(/\s*\n\s*/g, ' '))
}
