// What people answer and sign by a client, each in its own file. A client is loaded by agents, too,
// who do none of it.
import { heldFor } from '#runtime/learning/releases'
import { reopen } from '#runtime/learning/reopen'
import { rule } from '#runtime/learning/rule'
import type { Runtime } from '#runtime/engine/runtime'
import { grantShown, showGrant } from '../grants/shown.ts'
import type { Confirmer } from '../warrant.ts'
import { revoke } from '../warrants/revoke.ts'
import { decide } from './decide.ts'
import { settleOutcome } from './settle.ts'

/** All of it but what is read from the state alone. */
export type ConfirmerActs = Omit<Confirmer, 'reviews' | 'proposals'>

export function confirmerActs(runtime: Runtime): ConfirmerActs {
  return {
    decide: (answer) => decide(runtime, answer),
    settle: (settlement) => settleOutcome(runtime, settlement),
    grantPreview: (request) => showGrant(runtime, request),
    grant: (signing) => grantShown(runtime, signing),
    held: (proposal) => heldFor(runtime, proposal),
    rule: (ruling) => rule(runtime, ruling),
    reopen: (reopening) => reopen(runtime, reopening),
    revoke: (revoking) => revoke(runtime, revoking),
  }
}
