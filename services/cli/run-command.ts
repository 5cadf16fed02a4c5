// Runs one command, shows what went wrong in one line, and leaves the exit code for it.
import { commandFailureOf } from './terminal/failure.ts'
import { buildProgram } from './program.ts'
import { note, printJson } from './terminal/terminal.ts'

/** `argv` as a process gets it: the first two are the program. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  try {
    await (await buildProgram(argv[2])).parseAsync(argv)
  } catch (error) {
    const failure = commandFailureOf(error)
    if (failure === null) return
    const { code, message, exitCode } = failure
    note(`warrant: ${message}`)
    if (argv.includes('--json')) await printJson({ error: { code, message } })
    process.exitCode = exitCode
  }
}
