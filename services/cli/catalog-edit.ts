// `warrant catalog put`, `remove`, `set` and the like: each is one change set, and so one revision.
import type { Command } from 'commander'

export function registerCatalogEdits(_catalog: Command): void {
  // Their options follow.
}
