// A person lifts what stops an agent: every block of it up to what that person has seen, signed
// with the person's key. What is bound after that stops it again.
import { Fault } from '#record/fault'
import { token } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import { answersFor } from '#rules/catalog/duties'
import { blocksOf, liftRefusal } from '#state/agents'
import type { State } from '#state/state'
import { newAgent } from '#state/agent-state'
import type { Fact } from '#ports/log'
import { bindSigned, type SignedFact } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export type Lift = SignsWith & {
  /** The principal that is stopped. */
  readonly agent: string
  /** Its owner, or a person who signs change sets. */
  readonly by: string
  /** Up to where that person has seen the log; all of it if not said. */
  readonly through?: number
  readonly note?: string
}

/** Others that lift at the same moment, before something must be wrong. */
const roundsMax = 16

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
