#!/usr/bin/env node
// The command `warrant`: runs one command, tells what went wrong in one line, and ends with its
// exit code.
import { failureOf } from './failure.ts'
import { buildProgram } from './program.ts'
import { endQuietlyOnBrokenPipe, note, printJson } from './terminal.ts'

endQuietlyOnBrokenPipe()
try {
  await buildProgram().parseAsync(process.argv)
} catch (error) {
  const failure = failureOf(error)
  if (failure !== null) {
    const { code, message, exitCode } = failure
    note(`warrant: ${message}`)
    if (process.argv.includes('--json')) await printJson({ error: { code, message } })
    process.exitCode = exitCode
  }
}
