// How a guard redeems a warrant where the whole log is folded: once, and not for an agent that was
// suspended since.
import type { Json } from '#core/kernel/canonical'
import { suspendedOf } from '#core/executions/start-refusal'
import { Fault } from '#core/kernel/fault'
import { revokedBy } from '#core/warrants/revocations'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import type { Proving } from '#runtime/verdicts/proving'
import { doorOf, ownWord, type Speaker } from '../publishing.ts'
import type { Verdict } from '#runtime/verdicts/verdict'

export interface Redeeming {
  /** Throws a Fault for a verdict that must not be acted on, whatever it says. */
  prove(verdict: Verdict): Promise<void>
  /** Throws a Fault if the agent, or one for whom it acts, is known to be suspended. */
  refuseSuspended(verdict: Verdict): void
  /** Throws a Fault if the warrant is known to have been revoked since it was allowed. */
  refuseRevoked(verdict: Verdict): void
  /** Binds the start; `appended` is false where someone has used the warrant already. */
  start(verdict: Verdict): Promise<Started>
  /** Binds what came of it; false where that was bound before. */
  end(verdict: Verdict, outcome: { readonly [key: string]: Json }): Promise<boolean>
}

export interface Started {
  readonly appended: boolean
  /** By the log's clock. */
  readonly appendedAt: number
}

export function redeemingOn(
  runtime: Runtime,
  { prove }: Pick<Proving, 'prove'>,
  speaker: Speaker,
): Redeeming {
  const { clock, follower } = runtime
  const basis = (): number => follower.state.position
  const word = (
    kind: 'ownstart' | 'ownoutcome',
    address: string,
    data: { readonly [key: string]: Json },
  ) =>
    ownWord({ clock, basis }, kind, address, {
      data,
      source: `agent/${address.split('.')[0] ?? ''}`,
      ...doorOf(speaker),
    })
  return {
    prove,
    refuseSuspended: (verdict) => refuseSuspended(runtime, verdict),
    refuseRevoked: (verdict) => refuseRevoked(runtime, verdict),
    async start({ intent, name }) {
      const said = word('ownstart', intent, { verdict: name })
      const { appended, fact } = await bindInEra(runtime, said)
      return { appended, appendedAt: fact.appendedAt }
    },
    async end({ intent }, outcome) {
      const { appended } = await bindInEra(runtime, word('ownoutcome', intent, outcome))
      return appended
    },
  }
}

// The stop button stops what was allowed a moment ago, too.
function refuseSuspended({ follower }: Runtime, { intent: address, terms }: Verdict): void {
  const { capability = '', chain } = terms ?? {}
  if (follower.state.catalog.capabilities.get(capability)?.suspended === true) {
    throw new Fault('capability_suspended', `\`${capability}\` was suspended after it was allowed`)
  }
  const suspended = suspendedOf(follower.state.catalog, { address, chain })
  if (suspended !== null) {
    throw new Fault('agent_suspended', `\`${suspended}\` was suspended after it was allowed`)
  }
}

// What a person takes back is not acted on, though the verdict stands.
function refuseRevoked({ follower }: Runtime, verdict: Verdict): void {
  const { name, intent: address, position: decidedAt, terms, grants } = verdict
  const of = {
    verdict: name,
    address,
    decidedAt,
    grants,
    ...(terms && { capability: terms.capability, chain: terms.chain }),
  }
  const revocation = revokedBy(follower.state, of)
  if (revocation === null) return
  throw new Fault('warrant_revoked', `the warrant of \`${address}\` was taken back: ${revocation}`)
}
