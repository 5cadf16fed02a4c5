// One proposal: what was asked and what became of it, what is known around it, and what accepting
// the suggestion of a model would bind.
import { aroundOf } from '#messages/learning/around'
import { operationsOfCandidate } from '#messages/learning/candidate'
import { Fault } from '#record/fault'
import { proposalAsked } from '#schemas/operations/proposals'
import { answersOf } from '../answering.ts'
import { answeredNow, firstLogOf, type Realm } from '../realm.ts'
import { pickProposal } from './named.ts'
import { proposalOnScreen } from './proposal-lines.ts'
import { heldIn, proposalsIn, rowOf, type HeldIn, type ShownProposal } from './proposals.ts'

export const proposalAnswered = answersOf(proposalAsked, {
  async answer({ realm }, { proposal: meant }) {
    const { graph } = firstLogOf(realm).state
    const held = await heldIn(realm)
    const proposal = await rowOf(await proposalMeant(realm, held, meant), held)
    const { template, query } = proposal.data
    const candidate = proposal.suggestions.at(-1)?.candidate ?? null
    const isOpen = proposal.state === 'open' && candidate !== null
    return {
      ...answeredNow(realm),
      proposal,
      around: aroundOf(graph, template, query.concepts),
      operations: isOpen ? [...operationsOfCandidate(graph, candidate, null)] : null,
    }
  },
  shown: proposalOnScreen,
})

// What is open is known at once; what was is looked for in the log.
async function proposalMeant(
  realm: Realm,
  held: readonly HeldIn[],
  meant: string,
): Promise<ShownProposal> {
  const { place } = firstLogOf(realm).state
  for (const isAll of [false, true]) {
    const all = await proposalsIn(held, realm.now, isAll)
    const ids = all.map(({ id }) => id)
    const picked = pickProposal(meant, place, ids)
    const found = all.find(({ id }) => id === picked)
    if (found !== undefined) return found
  }
  const why = `the log has no proposal \`${meant}\``
  throw new Fault('no_proposal', `${why}: list them with \`warrant proposals --all\``)
}
