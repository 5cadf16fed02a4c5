// What every door is asked, by operation: of which golden log, and what is given.
import type { OperationName } from '#schemas/operations/table'
import type { Asked } from './door.ts'

export interface Question {
  readonly log: string
  readonly given: Asked
}

const work = '0.2.0-work'
const grants = '0.2.0-grants'
const executions = '0.2.0-executions'

/** An operation that is asked nothing here has no proof that its doors answer alike. */
export const questions: Readonly<Record<OperationName, readonly Question[]>> = {
  facts: [
    { log: work, given: { limit: 3 } },
    { log: work, given: { outcome: ['deny'], limit: 2, content: true } },
    { log: work, given: { person: ['root'], order: 'oldest', limit: 5 } },
    { log: work, given: { kind: ['verdict', 'vlp'], agent: ['bot'], limit: 4 } },
    { log: work, given: { name: 'verdict.>', where: 'size(reasons) > 0', limit: 5 } },
    { log: work, given: { cursor: '12', limit: 3 } },
    { log: work, given: { decisions: true, limit: 3 } },
    { log: '0.2.0', given: { decisions: true, where: 'size(approvedBy) > 0', limit: 3 } },
    { log: '0.2.0', given: { where: 'has(args.id)', order: 'oldest', limit: 3 } },
  ],
  trace: [
    { log: work, given: { intent: 'grader.-.G0005' } },
    { log: executions, given: { intent: 'bot.-.G0005' } },
    { log: executions, given: { intent: 'bot.-.G0005', from: 20 } },
    { log: '0.2.0', given: { intent: 'bot.-.G0018', content: true } },
    { log: '0.2.0', given: { intent: 'main.1.verdict.bot.-.G0018' } },
  ],
  contracts: [
    { log: work, given: {} },
    { log: work, given: { state: 'ended', limit: 2 } },
    { log: work, given: { worker: 'bot', state: 'ended' } },
    { log: '0.2.0', given: {} },
  ],
  contract: [{ log: work, given: { contract: 'grader.-.G0005' } }],
  // The doors that serve have a reader more.
  agents: [
    { log: work, given: { search: 'O' } },
    { log: work, given: { search: 'o', limit: 2 } },
    { log: work, given: { search: 'o', cursor: 'bot', limit: 1 } },
    { log: '0.2.0', given: { stopped: true } },
  ],
  agent: [
    { log: work, given: { agent: 'bot' } },
    { log: '0.2.0', given: { agent: 'bot' } },
  ],
  standings: [
    { log: work, given: {} },
    { log: work, given: { limit: 1 } },
    { log: '0.2.0', given: {} },
  ],
  standing: [{ log: work, given: { agent: 'bot' } }],
  faults: [
    { log: '0.3.0-set-aside', given: {} },
    { log: '0.3.0-set-aside', given: { open: true, limit: 1 } },
    { log: work, given: {} },
  ],
  openIntents: [
    { log: grants, given: {} },
    { log: grants, given: { only: 'people' } },
    { log: executions, given: {} },
    { log: executions, given: { only: 'unknown' } },
    { log: executions, given: { limit: 1 } },
    { log: executions, given: { cursor: '58', limit: 1 } },
    { log: '0.2.0', given: { only: 'unanswerable' } },
  ],
  grants: [
    { log: grants, given: {} },
    { log: grants, given: { all: true, limit: 2 } },
    { log: grants, given: { signer: 'unknown' } },
  ],
  proposals: [
    { log: '0.2.0', given: {} },
    { log: '0.2.0', given: { all: true } },
    { log: '0.2.0', given: { all: true, limit: 1 } },
    { log: grants, given: {} },
  ],
  proposal: [
    { log: '0.2.0', given: { proposal: 'X14NPB1Z1RSW61WFSRGSBPMBEC' } },
    { log: '0.2.0', given: { proposal: 'main.1.proposal.RCQT7VMPZQ31T1W9MBXN35ZB9B' } },
    { log: '0.2.0', given: { proposal: 'P14F9RPF8N2KY7MR5' } },
  ],
  reviews: [
    { log: grants, given: {} },
    { log: grants, given: { limit: 1 } },
    { log: grants, given: { person: ['piet'] } },
    { log: '0.2.0-values', given: {} },
    { log: work, given: {} },
  ],
  review: [
    { log: grants, given: { intent: 'bot.-.G0024' } },
    { log: grants, given: { intent: 'bot.-.G0005' } },
  ],
  pastReviews: [
    { log: grants, given: { limit: 3 } },
    { log: grants, given: { person: ['olga'] } },
    { log: '0.2.0', given: { limit: 20 } },
  ],
  concepts: [
    { log: '0.2.0', given: {} },
    { log: '0.2.0', given: { around: 'file', hops: 2 } },
    { log: '0.2.0', given: { search: 'F', at: 'r1' } },
    { log: '0.2.0', given: { part: 'file', limit: 1 } },
    { log: work, given: { limit: 1 } },
  ],
  graphParts: [
    { log: '0.2.0', given: {} },
    { log: '0.2.0', given: { at: 'r1' } },
  ],
  counts: [
    { log: '0.2.0', given: {} },
    { log: '0.2.0', given: { tool: ['look'], limit: 1 } },
    { log: '0.2.0-budgets', given: {} },
    { log: work, given: { until: '2020-01-01' } },
  ],
  observedCounts: [
    { log: '0.2.0', given: {} },
    { log: '0.2.0', given: { agent: ['bot'] } },
    { log: work, given: {} },
  ],
  luck: [
    { log: '0.3.0-things', given: {} },
    { log: '0.2.0-values', given: { limit: 1 } },
    { log: work, given: {} },
  ],
  attention: [
    { log: '0.2.0', given: {} },
    { log: '0.2.0', given: { tool: ['erase'], limit: 1 } },
  ],
  grant: [{ log: grants, given: { grant: '01KDVDNA007Q419MCVBMNDDZW3' } }],
}

/** What no door answers, and with which code. */
export const refused: readonly (readonly [OperationName, Question, code: string])[] = [
  ['facts', { log: work, given: { tool: ['unknown'] } }, 'usage'],
  ['facts', { log: work, given: { name: 'denials' } }, 'usage'],
  ['facts', { log: work, given: { since: 'yesterday' } }, 'usage'],
  ['facts', { log: work, given: { where: 'kidn == "x"' } }, 'usage'],
  ['facts', { log: work, given: { cursor: 'x' } }, 'usage'],
  ['trace', { log: work, given: { intent: 'grader.-.UNKNOWN' } }, 'no_intent'],
  ['trace', { log: work, given: { intent: '>' } }, 'no_intent'],
  ['review', { log: grants, given: { intent: 'bot.-.UNKNOWN' } }, 'no_review'],
  ['counts', { log: work, given: { tool: ['unknown'] } }, 'usage'],
  ['reviews', { log: grants, given: { person: ['unknown'] } }, 'usage'],
  ['observedCounts', { log: work, given: { agent: ['unknown'] } }, 'usage'],
  ['attention', { log: work, given: { since: 'yesterday' } }, 'usage'],
  ['contract', { log: work, given: { contract: 'grader.-.UNKNOWN' } }, 'no_contract'],
  ['standing', { log: work, given: { agent: 'unknown' } }, 'unknown_principal'],
  ['agent', { log: work, given: { agent: 'unknown' } }, 'unknown_principal'],
  ['contracts', { log: work, given: { cursor: 'x' } }, 'usage'],
  ['contracts', { log: work, given: { limit: 0 } }, 'usage'],
  ['proposal', { log: '0.2.0', given: { proposal: 'unknown' } }, 'no_proposal'],
  ['concepts', { log: '0.2.0', given: { around: 'unknown' } }, 'name_unknown'],
  ['concepts', { log: '0.2.0', given: { at: 'yesterday' } }, 'usage'],
  ['concepts', { log: '0.2.0', given: { at: 'c1.4' } }, 'usage'],
  ['concepts', { log: '0.2.0', given: { at: 'r9999' } }, 'revision_unknown'],
  ['graphParts', { log: '0.2.0', given: { at: '' } }, 'usage'],
  ['grant', { log: grants, given: { grant: 'unknown' } }, 'no_grant'],
  ['openIntents', { log: grants, given: { only: 'nothing' } }, 'usage'],
]
