// What a fold remembers beside the state, so that it reads and checks less. Nothing is decided by
// it: a fold without caches comes to the same state.
import { factCache, type FactCache } from './fact-cache.ts'
import { drawnUpVerdicts, type DrawnUpVerdicts } from './drawn-up.ts'
import { messageCache, type MessageCache } from './message-cache.ts'
import { missList, type MissList } from './miss-list.ts'

export interface FoldCaches {
  readonly messages: MessageCache
  readonly facts: FactCache
  readonly drawnUp: DrawnUpVerdicts
  readonly misses: MissList
}

export function foldCaches(): FoldCaches {
  return {
    messages: messageCache(),
    facts: factCache(),
    drawnUp: drawnUpVerdicts(),
    misses: missList(),
  }
}
