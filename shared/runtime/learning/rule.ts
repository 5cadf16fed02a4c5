// A person's ruling on a proposal, bound to the digest of what was shown and signed with that
// person's key. What would count for nothing is not bound: its name would be used for it.
import { RulingData, type Candidate, type Release, type RulingWord } from '#schemas/learning'
import { jsonOf } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import type { OpenProposal } from '#messages/learning/learning'
import { rulerOf } from '#messages/learning/ruler'
import { token } from '#record/names'
import { signerOf, type SignsWith } from '#record/crypto/private-key'
import { rulingRefusal } from '#state/slices/learning/rulings'
import type { Fact } from '#ports/log'
import { bindInEra } from '../engine/binding.ts'
import type { Runtime } from '../engine/runtime.ts'
import { answeredFirst, answerTo } from './answered.ts'

export type Ruling = SignsWith & {
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
  /** The digest of what the person saw; that of the open proposal if not said. */
  readonly digest?: string
}

type Runs = Pick<Runtime, 'log' | 'follower' | 'clock' | 'timer'>

/**
 * Throws a Fault `ruling_void` for a ruling that would count for nothing, and `ruled` where someone
 * else was first, also where that is found only once it is bound.
 */
export async function rule(runtime: Runs, ruling: Ruling): Promise<Fact> {
  const { log, follower } = runtime
  const { state } = follower
  const proposal = state.learning.open.get(ruling.proposal)
  if (proposal === undefined || proposal.agreed !== null) {
    const id = ruling.proposal
    const first = await answerTo(log, state, id)
    if (first !== null) throw answeredFirst(id, first, 'nothing is bound')
    throw new Fault('no_proposal', `no proposal \`${id}\` is open`)
  }
  const voids = new Map<string, string>()
  const stop = follower.listen(({ name }, { parts, void: why }) => {
    if (parts?.kind === 'ruling' && why !== null) voids.set(name, why)
  })
  try {
    const fact = await bound(runtime, ruling, proposal)
    const why = voids.get(fact.name)
    if (why === undefined) return fact
    const first = await answerTo(log, state, proposal.id)
    const then = 'yours is in the log and counts for nothing'
    if (first !== null) throw answeredFirst(proposal.id, first, then)
    throw new Fault('ruling_void', `\`${fact.name}\` is void: ${why}`)
  } finally {
    stop()
  }
}

async function bound(runtime: Runs, ruling: Ruling, proposal: OpenProposal): Promise<Fact> {
  const { confirmer } = ruling
  const tokens = [proposal.id, token(confirmer)]
  const bytes = (name: string): Uint8Array => ruled(runtime, ruling, { proposal, name })
  const { appended, fact } = await bindInEra(runtime, { kind: 'ruling', tokens, bytes })
  if (!appended) throw new Fault('ruled', `\`${confirmer}\` has ruled on this already`)
  return fact
}

function ruled(
  { follower, clock }: Pick<Runtime, 'follower' | 'clock'>,
  of: Ruling,
  { proposal, name }: { readonly proposal: OpenProposal; readonly name: string },
): Uint8Array {
  const { confirmer, ruling, candidate, note, releases } = of
  const { state } = follower
  const ruler = rulerOf(state.catalog, confirmer, proposal.met)
  const suggestion = ruling === 'accepted' ? suggestionFor(proposal, of.suggestion) : undefined
  const content = {
    byOwner: 'byOwner' in ruler && ruler.byOwner,
    confirmer,
    digest: of.digest ?? proposal.data.digest,
    proposal: proposal.name,
    // What `held` shows of them is more than what a ruling says.
    releases: (releases ?? []).map(({ intent, digest }) => ({ intent, digest })),
    ruling,
    ...(candidate !== undefined && { candidate }),
    ...(suggestion !== undefined && { suggestion }),
    ...(note !== undefined && { note }),
  }
  const { log } = state
  const data = { ...content, signature: signerOf(of)({ log, name }, jsonOf(content)) }
  const parsed = RulingData.safeParse(data)
  const [issue] = parsed.error?.issues ?? []
  const refusal = parsed.success
    ? rulingRefusal(state, proposal, { name, data: parsed.data })
    : `/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'unreadable'}`
  if (refusal !== null) throw new Fault('ruling_void', `nothing is bound: ${refusal}`)
  const time = new Date(clock.now()).toISOString()
  const stamp = { source: `confirmer/${token(confirmer)}`, time, basis: state.position }
  return writeEvent('ruling', name, jsonOf(data), stamp)
}

function suggestionFor({ suggestions }: OpenProposal, name: string | undefined) {
  const { usable } = suggestions
  const meant = name === undefined ? usable.at(-1) : usable.find((one) => one.name === name)
  return meant === undefined ? undefined : { name: meant.name, digest: meant.digest }
}
