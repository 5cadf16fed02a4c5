#!/usr/bin/env node
// The command `warrant`. What a run needs is in the files beside this one, and what a coding agent
// starts before each tool needs the least of them where another process has its log open.
const [, , noun, verb, ...words] = process.argv
const isHook = noun === 'hook' && verb === 'run'
const isAnswered =
  isHook && (await (await import('#cli/agents/hook/resident/asking')).answeredByResident(words))
if (!isAnswered) await (await import('./run-command.ts')).beginCommand()
