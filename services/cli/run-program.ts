// Runs one command, shows what went wrong in one line, and leaves the exit code for it.
import type { Command } from 'commander'
import { commandFailureOf } from './terminal/failure.ts'
import { warnOfMisspelled } from './terminal/misspelled.ts'
import { endQuietlyOnBrokenPipe, note, printJson } from './terminal/terminal.ts'

/** Gets the word behind `warrant`, which may be the name of a command. */
export type BuildProgram = (called?: string) => Promise<Command>

/** As the process that this is. */
export async function beginWith(build: BuildProgram): Promise<void> {
  endQuietlyOnBrokenPipe()
  await warnOfMisspelled()
  await runWith(build, process.argv)
}

/** `argv` as a process gets it: the first two are the program. */
export async function runWith(build: BuildProgram, argv: readonly string[]): Promise<void> {
  try {
    await (await build(argv[2])).parseAsync(argv)
  } catch (error) {
    const failure = commandFailureOf(error)
    if (failure === null) return
    const { code, message, exitCode } = failure
    note(`warrant: ${message}`)
    if (argv.includes('--json')) await printJson({ error: { code, message } })
    process.exitCode = exitCode
  }
}
