// A policy admin lets an agent work again that its standing has suspended: signed with that
// person's key, with a reason for anyone who reads the log.
import { Fault } from '#record/fault'
import { token } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import { nextReinstatement } from '#state/slices/work/drafts'
import { reinstatementRefusal } from '#state/slices/work/evolving'
import type { Fact } from '#ports/log'
import { bindSigned, type SignedFact } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { answersFor } from '#rules/catalog/duties'
import { blocksOf, liftRefusal } from '#state/agents'
import type { State } from '#state/state'
import { newAgent } from '#state/agent-state'

// A person lifts what stops an agent: every block of it up to what that person has seen, signed
// with the person's key. What is bound after that stops it again.

export type Lift = SignsWith & {
  /** The principal that is stopped. */
  readonly agent: string
  /** Its owner, or a person who signs change sets. */
  readonly by: string
  /** Up to where that person has seen the log; all of it if not said. */
  readonly through?: number
  readonly note?: string
}

/**
 * Throws a Fault `lift_void` for a lift that would count for nothing, and `conflict` where no block
 * stops the agent that was seen.
 */
export async function lift(runtime: Runtime, lifting: Lift): Promise<Fact> {
  const { agent, by, note } = lifting
  const { follower } = runtime
  // No one is asked to sign what would count for nothing.
  refuseVain(follower.state, lifting)
  for (let round = 0; round < roundsMax; round += 1) {
    const { state } = follower
    const through = lifting.through ?? state.position
    const number = (state.agents.get(token(agent)) ?? newAgent).lifts.next
    const signing: SignedFact<'lift'> = {
      kind: 'lift',
      tokens: [token(agent), String(number)],
      by,
      signs: lifting,
      content: () => ({ agent, by, through, ...(note !== undefined && { note }) }),
      refusal: (then, { name, data }) => liftRefusal(then, name, data),
    }
    const { appended, fact } = await bindSigned(runtime, signing, 'lift_void')
    if (appended) return fact
  }
  throw new Fault('conflict', `others lifted the blocks of \`${agent}\` at the same time`)
}

function refuseVain(state: State, { agent, by, through = Infinity }: Lift): void {
  const { catalog } = state
  const person = catalog.principals.get(by)
  if (person === undefined || !answersFor(catalog, person, agent)) {
    throw new Fault('lift_void', `nothing is bound: \`${by}\` may not lift it`)
  }
  const isBlocked = blocksOf(state, agent).some(({ position }) => position <= through)
  if (!isBlocked) throw new Fault('conflict', `no block that was seen stops \`${agent}\` now`)
}

export type Reinstatement = SignsWith & {
  /** The principal that is suspended. */
  readonly agent: string
  /** A policy admin. */
  readonly by: string
  readonly reason: string
}

/** Others that do the same at the same moment, before something must be wrong. */
const roundsMax = 16

/** Throws a Fault `reinstatement_refused` for one that would count for nothing. */
export async function reinstate(runtime: Runtime, reinstating: Reinstatement): Promise<Fact> {
  const { agent, by, reason } = reinstating
  const { state } = runtime.follower
  const { suspendedBy = null } = state.standings.get(token(agent)) ?? {}
  if (suspendedBy === null) {
    const why = `\`${agent}\` is not suspended by its standing`
    throw new Fault('reinstatement_refused', `nothing is bound: ${why}`)
  }
  for (let round = 0; round < roundsMax; round += 1) {
    const signing: SignedFact<'reinstatement'> = {
      kind: 'reinstatement',
      tokens: nextReinstatement(state, agent).split('.').slice(3),
      by,
      signs: reinstating,
      as: 'person',
      content: () => ({ agent, by, reason }),
      refusal: reinstatementRefusal,
    }
    const { appended, fact } = await bindSigned(runtime, signing, 'reinstatement_refused')
    if (appended) return fact
  }
  throw new Fault('conflict', `others reinstated \`${agent}\` at the same time`)
}
