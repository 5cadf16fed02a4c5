#!/usr/bin/env node
// The command `warrant`. What a run needs is in the files beside this one.
await (await import('./run-command.ts')).beginCommand()
