// A verdict: it closes its intent, and what a denied one has taken of budgets is free again.
import type { NameParts } from '#record/names'
import type { FoldCaches } from '../caches/fold-caches.ts'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'
import { returnBudgets } from './budget.ts'
import { returnGrantUses } from '../grants/granting.ts'
import { closeIntent } from './messages.ts'
import { noteDenied } from './misses.ts'

export function evolveVerdict(
  state: State,
  fact: LoggedFact,
  parts: NameParts,
  caches?: FoldCaches,
): null {
  const address = parts.address ?? ''
  if (caches !== undefined) noteDenied(caches.misses, state, fact, state.intents.get(address))
  returnBudgets(state, fact, address)
  returnGrantUses(state, fact, address)
  // Readable or not, the name is used: no other verdict can come.
  closeIntent(state, address, caches)
  return null
}
