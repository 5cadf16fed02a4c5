// A person's ruling on a proposal, bound to the digest of what was shown and signed with that
// person's key. What would count for nothing is not bound: its name would be used for it.
import type { Candidate, Release, RulingWord } from '#schemas/learning'
import { Fault } from '#record/fault'
import { type OpenProposal, keyOfAsked } from '#messages/learning/learning'
import { rulerOf } from '#messages/learning/ruler'
import { token } from '#record/names'
import type { SignsWith } from '#record/crypto/private-key'
import { rulingRefusal, reopeningRefusal } from '#state/slices/learning/rulings'
import type { State } from '#state/state'
import type { Fact } from '#ports/log'
import { bindSigned, type BindsSigned } from '../engine/binding.ts'
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

/**
 * Throws a Fault `ruling_void` for a ruling that would count for nothing, and `ruled` where someone
 * else was first, also where that is found only once it is bound.
 */
export async function rule(runtime: BindsSigned, ruling: Ruling): Promise<Fact> {
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

async function bound(runtime: BindsSigned, ruling: Ruling, proposal: OpenProposal): Promise<Fact> {
  const { confirmer } = ruling
  const { appended, fact } = await bindSigned(
    runtime,
    {
      kind: 'ruling',
      tokens: [proposal.id, token(confirmer)],
      by: confirmer,
      signs: ruling,
      content: (state) => contentOf(state, ruling, proposal),
      refusal: (state, said) => rulingRefusal(state, proposal, said),
    },
    'ruling_void',
  )
  if (!appended) throw new Fault('ruled', `\`${confirmer}\` has ruled on this already`)
  return fact
}

function contentOf({ catalog }: State, of: Ruling, proposal: OpenProposal): object {
  const { confirmer, ruling, candidate, note, releases } = of
  const ruler = rulerOf(catalog, confirmer, proposal.met)
  const suggestion = ruling === 'accepted' ? suggestionFor(proposal, of.suggestion) : undefined
  return {
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
}

function suggestionFor({ suggestions }: OpenProposal, name: string | undefined) {
  const { usable } = suggestions
  const meant = name === undefined ? usable.at(-1) : usable.find((one) => one.name === name)
  return meant === undefined ? undefined : { name: meant.name, digest: meant.digest }
}

// A person has a question asked again that was skipped, rejected, or that no one answered in time.
// What would count for nothing is not bound: its name would be used for it.

export type Reopening = SignsWith & {
  /** The id of a question that is not open any more. */
  readonly proposal: string
  readonly note?: string
  readonly confirmer: string
}

/** Throws a Fault `reopening_void` for what would count for nothing. */
export async function reopen(runtime: BindsSigned, reopening: Reopening): Promise<Fact> {
  const { learning } = runtime.follower.state
  const { proposal: id, confirmer, note } = reopening
  const asked = learning.history.get(keyOfAsked(learning, id) ?? '')
  if (asked === undefined) {
    throw new Fault('no_proposal', `\`${id}\` is not what was asked last of its gap`)
  }
  const content = { confirmer, proposal: asked.name, ...(note !== undefined && { note }) }
  const { appended, fact } = await bindSigned(
    runtime,
    {
      kind: 'reopening',
      tokens: [id, token(confirmer)],
      by: confirmer,
      signs: reopening,
      content: () => content,
      refusal: (state, said) => reopeningRefusal(state, id, said),
    },
    'reopening_void',
  )
  if (!appended) throw new Fault('ruled', `\`${confirmer}\` has reopened this already`)
  return fact
}
