// Answers what is asked of a realm by the table of operations. How one is answered is loaded when
// it is asked.
import type { OperationName, OperationTable } from '#schemas/operations/table'
import type { AnswerHere, OperationAnswers, RealmAsked } from './answering.ts'
import type { Asker } from './realm.ts'

type Output<Name extends OperationName> = OperationTable[Name]['output']
type Answers = { readonly [Name in OperationName]: () => Promise<OperationAnswers<Output<Name>>> }

const answers: Answers = {
  facts: async () => (await import('./facts.ts')).factsAnswered,
  trace: async () => (await import('./traces.ts')).traceAnswered,
  contracts: async () => (await import('./contracts.ts')).contractsAnswered,
  contract: async () => (await import('./contracts.ts')).contractAnswered,
  agents: async () => (await import('./agents/agents.ts')).agentsAnswered,
  agent: async () => (await import('./agents/agents.ts')).agentAnswered,
  standings: async () => (await import('./agents/standings.ts')).standingsAnswered,
  grants: async () => (await import('./grants.ts')).grantsAnswered,
  grant: async () => (await import('./grants.ts')).grantAnswered,
  proposals: async () => (await import('./proposals/proposals.ts')).proposalsAnswered,
  proposal: async () => (await import('./proposals/proposal.ts')).proposalAnswered,
  reviews: async () => (await import('./reviews.ts')).reviewsAnswered,
  review: async () => (await import('./review.ts')).reviewAnswered,
  pastReviews: async () => (await import('./past-reviews.ts')).pastReviewsAnswered,
  concepts: async () => (await import('./concepts.ts')).conceptsAnswered,
  graphParts: async () => (await import('./concepts.ts')).graphPartsAnswered,
  counts: async () => (await import('./counts.ts')).countsAnswered,
  observedCounts: async () => (await import('./observed-counts.ts')).observedCountsAnswered,
  luck: async () => (await import('./luck-counts.ts')).luckAnswered,
  attention: async () => (await import('./attention-counts.ts')).attentionAnswered,
  faults: async () => (await import('./set-aside.ts')).faultsAnswered,
  openIntents: async () => (await import('./open-intents.ts')).openIntentsAnswered,
  standing: async () => (await import('./agents/standings.ts')).standingAnswered,
}

/** Who has opened a log, or has shown that all of it may be read. */
export const readsWhole: Asker = { principal: null, readsAll: true }

/** Throws a Fault: `usage` for what it does not take, else what the answer throws. */
export async function askRealm<Name extends OperationName>(
  name: Name,
  asking: RealmAsked,
  given: unknown,
): Promise<AnswerHere<Output<Name>>> {
  return (await answers[name]()).ask(asking, given)
}
