// A person's ruling on a proposal, bound to the digest of what was shown and signed with that
// person's key. What would count for nothing is not bound: its name would be spent for it.
import { RulingData, type Candidate, type Release, type RulingWord } from '#schemas/learning'
import { jsonOf } from '#core/canonical'
import { writeEvent } from '#core/event'
import { Fault } from '#core/fault'
import type { OpenProposal } from '#core/learning/state'
import { rulerOf } from '#core/learning/ruler'
import { token } from '#core/names'
import { signData } from '#core/signature'
import { rulingRefusal } from '#core/world/learning'
import type { Fact } from '#ports/log'
import { bindInEra } from '../binding.ts'
import type { Runtime } from '../open.ts'

export interface Ruling {
  /** The id of an open proposal. */
  readonly proposal: string
  readonly ruling: RulingWord
  /** Of `modified`: what is to be known. */
  readonly candidate?: Candidate
  /** Of `accepted`: the name of the suggestion; the latest that can be used if not said. */
  readonly suggestion?: string
  /** The held intents that the person saw as waiting for it; none if not said. */
  readonly releases?: readonly Release[]
  readonly note?: string
  readonly confirmer: string
  /** PEM of the confirmer's Ed25519 private key. */
  readonly privateKey: string
  /** The digest of what the person saw; that of the open proposal if not said. */
  readonly digest?: string
}

/** Throws a Fault `ruling_void` for a ruling that would count for nothing. */
export async function rule(
  runtime: Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>,
  ruling: Ruling,
): Promise<Fact> {
  const { world } = runtime.follower
  const proposal = world.learning.open.get(ruling.proposal)
  if (proposal === undefined) {
    throw new Fault('no_proposal', 'never', `no proposal \`${ruling.proposal}\` is open`)
  }
  const { confirmer } = ruling
  const tokens = [proposal.id, token(confirmer)]
  const bytes = (name: string): Uint8Array => ruled(runtime, ruling, { proposal, name })
  const { appended, fact } = await bindInEra(runtime, { kind: 'ruling', tokens, bytes })
  if (!appended) throw new Fault('ruled', 'never', `\`${confirmer}\` has ruled on this already`)
  return fact
}

function ruled(
  { follower, clock }: Pick<Runtime, 'follower' | 'clock'>,
  of: Ruling,
  { proposal, name }: { readonly proposal: OpenProposal; readonly name: string },
): Uint8Array {
  const { confirmer, ruling, candidate, note, releases, privateKey } = of
  const { world } = follower
  const ruler = rulerOf(world.catalog, confirmer, proposal.met)
  const suggestion = ruling === 'accepted' ? suggestionFor(proposal, of.suggestion) : undefined
  const content = {
    byOwner: 'byOwner' in ruler && ruler.byOwner,
    confirmer,
    digest: of.digest ?? proposal.data.digest,
    proposal: proposal.name,
    releases: releases ?? [],
    ruling,
    ...(candidate !== undefined && { candidate }),
    ...(suggestion !== undefined && { suggestion }),
    ...(note !== undefined && { note }),
  }
  const { log } = world
  const data = { ...content, signature: signData({ log, name }, jsonOf(content), privateKey) }
  const parsed = RulingData.safeParse(data)
  const [issue] = parsed.error?.issues ?? []
  const refusal = parsed.success
    ? rulingRefusal(world, proposal, { name, data: parsed.data })
    : `/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'unreadable'}`
  if (refusal !== null) throw new Fault('ruling_void', 'never', `nothing is bound: ${refusal}`)
  const time = new Date(clock.now()).toISOString()
  const stamp = { source: `confirmer/${token(confirmer)}`, time, basis: world.position }
  return writeEvent('ruling', name, jsonOf(data), stamp)
}

function suggestionFor({ suggestions }: OpenProposal, name: string | undefined) {
  const { usable } = suggestions
  const meant = name === undefined ? usable.at(-1) : usable.find((one) => one.name === name)
  return meant === undefined ? undefined : { name: meant.name, digest: meant.digest }
}
