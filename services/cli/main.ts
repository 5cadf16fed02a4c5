#!/usr/bin/env node
// The command `warrant`. What a run needs is in the files beside this one.
const [, , command, below] = process.argv
// An agent waits for these two: built, they are one file with all that they need.
const isWaitedFor = command === 'hook' && (below === 'check' || below === 'run')
if (isWaitedFor) await (await import('./hook/alone.ts')).beginAlone()
else await (await import('./run-command.ts')).beginCommand()
