// `hook check` and `hook run` without the other commands. `npm pack` makes one file of it and all
// that it stands on: an agent waits for each start, and most of a start is loading.
import { bareProgram } from '../bare-program.ts'
import { beginWith } from '../run-program.ts'
import { registerHook } from './command.ts'

/** As the process that this is. */
export function beginAlone(): Promise<void> {
  return beginWith(() => {
    const program = bareProgram()
    registerHook(program)
    return Promise.resolve(program)
  })
}
