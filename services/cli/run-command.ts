// Runs one command of all that there are.
import { buildProgram } from './program.ts'
import { beginWith, runWith } from './run-program.ts'

/** `argv` as a process gets it: the first two are the program. */
export function runCommand(argv: readonly string[]): Promise<void> {
  return runWith(buildProgram, argv)
}

/** As the process that this is. */
export function beginCommand(): Promise<void> {
  return beginWith(buildProgram)
}
