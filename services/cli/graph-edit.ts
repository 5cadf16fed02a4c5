// `warrant graph add`, `describe`, `relate` and the like: each is one change set, and so one
// revision.
import type { Command } from 'commander'

export function registerGraphEdits(_graph: Command): void {
  // Their options follow.
}
