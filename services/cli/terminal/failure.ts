// What went wrong, in one line for people and one value for programs, and the exit code that says
// so.
import { CommanderError } from 'commander'
import { Fault } from '#core/kernel/fault'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { exitCodes } from './exit.ts'

export interface Failure {
  readonly code: string
  readonly message: string
  readonly exitCode: number
}

const exitCodeOf: ReadonlyMap<string, number> = new Map([
  ['usage', exitCodes.usage],
  ['not_signed', exitCodes.denied],
  ['no_verdict', exitCodes.noVerdict],
  ['line_invalid', exitCodes.badLines],
])

/** Null where nothing went wrong: help or the version was asked for. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return null
    // A command that only has others below it shows them and says no more.
    const isHelp = error.code === 'commander.help'
    const message = isHelp ? 'say which command' : oneLine(error.message.replace(/^error: /, ''))
    return { code: 'usage', message, exitCode: exitCodes.usage }
  }
  if (error instanceof Fault) {
    const exitCode = exitCodeOf.get(error.code) ?? exitCodes.fault
    return { code: error.code, message: oneLine(error.message), exitCode }
  }
  const message = error instanceof Error ? error.message : 'something that is no error was thrown'
  return { code: 'unexpected', message: oneLine(message), exitCode: exitCodes.fault }
}

/** A mistake in how the command was called. */
export function usage(message: string): Fault {
  return new Fault('usage', 'never', message)
}

function oneLine(text: string): string {
  return withoutSecrets(text.trim().replaceAll(/\s*\n\s*/g, ' '))
}
