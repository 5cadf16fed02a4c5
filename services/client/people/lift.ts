// A person lifts what stops an agent: every block of it up to what that person has seen, signed
// with the person's key. What is bound after that stops it again.
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { token } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { answersFor } from '#rules/catalog/duties'
import { blocksOf, liftRefusal } from '#state/agents'
import type { State } from '#state/state'
import { newAgent } from '#state/agent-state'
import type { Fact } from '#ports/log'
import { bindInEra } from '#runtime/engine/binding'
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
  const { follower, clock } = runtime
  // No one is asked to sign what would count for nothing.
  refuseVain(follower.state, lifting)
  for (let round = 0; round < roundsMax; round += 1) {
    const { state } = follower
    const through = lifting.through ?? state.position
    const number = (state.agents.get(token(agent)) ?? newAgent).lifts.next
    const bytes = (name: string): Uint8Array => {
      const content = { agent, by, through, ...(note !== undefined && { note }) }
      const signature = signerOf(lifting)({ log: state.log, name }, jsonOf(content))
      const data = { ...content, signature }
      const refusal = liftRefusal(state, name, data)
      if (refusal !== null) throw new Fault('lift_void', `nothing is bound: ${refusal}`)
      const time = new Date(clock.now()).toISOString()
      const stamp = { source: `confirmer/${token(by)}`, time, basis: state.position }
      return writeEvent('lift', name, jsonOf(data), stamp)
    }
    const tokens = [token(agent), String(number)]
    const { appended, fact } = await bindInEra(runtime, { kind: 'lift', tokens, bytes })
    await follower.reached(fact.position)
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
