#!/usr/bin/env node
// The command `warrant`. What a run needs is in the files beside this one.
import { runCommand } from './run-command.ts'
import { endQuietlyOnBrokenPipe } from './terminal/terminal.ts'

endQuietlyOnBrokenPipe()
await runCommand(process.argv)
