// How a guard redeems a warrant where the whole log is folded: once, and not for an agent that was
// suspended since.
import type { Json } from '#record/canonical'
import { startRefusal, suspendedOf, type StartRefusal } from '#messages/executions/start-refusal'
import { Fault } from '#record/fault'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import type { Proving } from '#replay/verdicts/proving'
import { doorOf, ownWord, type Speaker } from '../publishing.ts'
import type { Verdict } from '#replay/verdicts/verdict'

export interface Redeeming {
  /** Throws a Fault for a verdict that must not be acted on, whatever it says. */
  prove(verdict: Verdict): Promise<void>
  /** Why a start that stands then counts for nothing, as far as is known; null where it counts. */
  refusal(verdict: Verdict, startedAt: number): Fault | null
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
    refusal: (verdict, startedAt) => refusalIn(runtime, verdict, startedAt),
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

// The stop button stops what was allowed a moment ago, too, and what a person takes back is not
// acted on, though the verdict stands.
function refusalIn({ follower }: Runtime, verdict: Verdict, startedAt: number): Fault | null {
  const { name, intent: address, position, origin, terms, grants } = verdict
  const { capability = '', chain } = terms ?? {}
  const of = { address, verdict: name, capability, chain, grants }
  const bounds = { useBy: Date.parse(terms?.useBy ?? ''), decidedAt: origin.appendedAt, startedAt }
  const code = startRefusal(follower.state, { ...of, ...bounds, position })
  return code === null ? null : refusalOf(code, verdict, suspendedOf(follower.state, of))
}

/** Of a start that counts for nothing. */
export function refusalOf(
  code: StartRefusal,
  { intent, terms }: Verdict,
  suspended: string | null = null,
): Fault {
  const warrant = `the warrant of \`${intent}\``
  switch (code) {
    case 'warrant_expired':
      return new Fault(code, `${warrant} was good until ${terms?.useBy ?? 'it was allowed'}`)
    case 'warrant_revoked':
      return new Fault(code, `${warrant} was taken back: \`warrant revocations\` lists it`)
    case 'agent_suspended':
      return new Fault(code, `\`${suspended ?? ''}\` was suspended after it was allowed`)
    case 'capability_suspended':
      return new Fault(code, `\`${terms?.capability ?? ''}\` was suspended after it was allowed`)
  }
}
