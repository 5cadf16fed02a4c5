// Runs one command of all that there are, shows what went wrong in one line, and leaves the exit
// code for it.
import { programFor } from './program.ts'
import { commandFailureOf } from '#cli/terminal/failure'
import { warnOfMisspelled } from '#cli/terminal/misspelled'
import { beginNotes, endQuietlyOnBrokenPipe, note, print, printJson } from '#cli/terminal/terminal'

/** As the process that this is. */
export async function beginCommand(): Promise<void> {
  endQuietlyOnBrokenPipe()
  await warnOfMisspelled()
  await runCommand(process.argv)
}

/** `argv` as a process gets it: the first two are the program. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  beginNotes()
  try {
    if (argv.length <= 2) {
      await print((await import('#cli/terminal/help/greeting')).greeting)
      return
    }
    const program = await programFor(argv.slice(2))
    await program.parseAsync(argv)
  } catch (error) {
    const failure = commandFailureOf(error)
    if (failure === null) return
    const { code, message, exitCode } = failure
    note(`warrant: ${message}`)
    if (argv.includes('--json')) await printJson({ error: { code, message } })
    process.exitCode = exitCode
  }
}
