#!/usr/bin/env node
// The command `warrant`. What a run needs is in the files beside this one.
import { runCommand } from './run-command.ts'
import { warnOfMisspelled } from './terminal/misspelled.ts'
import { endQuietlyOnBrokenPipe } from './terminal/terminal.ts'

endQuietlyOnBrokenPipe()
await warnOfMisspelled()
await runCommand(process.argv)
