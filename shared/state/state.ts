// The state: what the log says up to a position. It is folded fact by fact, is the only state that
// a decider sees, and must never hold anything that the log does not say.
import { emptyCatalog, type Catalog } from '#rules/catalog/catalog'
import { emptyGraph, type Graph } from '#knowledge/graph/revision'
import type { AnsweredLately } from '#messages/attention/answered'
import { noDrills, type Drills } from '#messages/attention/drills'
import type { Executions } from '#messages/executions/executions'
import { noGrants, type GrantUses, type Grants } from '#rules/grants/book'
import { Contracts } from '#work/contracts/contracts'
import { noneEarned, type EarnedStandings } from '#work/contracts/standings'
import { noLearning, type Learning } from '#messages/learning/learning'
import { noRevocations, type Revocations } from '#messages/warrants/revocations'
import type { Place } from '#record/names'
import { noneSaid, type PeopleSaid } from '#messages/people/people-said'
import type { AgentState, Block } from './agent-state.ts'
import { firstEra, type Eras } from './eras.ts'
import type { OpenIntent } from './intent.ts'
import { newSequence, type Early, type Sequence } from './sequence.ts'
import type { AllBudgetUses } from './slices/budgets/budgets.ts'
import type { Uses } from './slices/uses/uses.ts'

/**
 * The era is sealed and the next has not begun: nothing counts but what is left of the state as it
 * was at the seal.
 */
export interface Sealed {
  readonly by: string
  readonly position: number
  readonly appendedAt: number
  /** Of the next era's snapshot, after the seal. */
  readonly sequence: Sequence
  /** The chain of digests of the chunks that this state is written in. */
  readonly digests: readonly string[]
  /** Those of them that are not in the log yet. */
  readonly missing: Set<string>
  /** The chain of digests of what is in the log of the change sets that the catalog came from. */
  readonly catalogs: Set<string>
  /** What was bound too early since, which is not of the state as it was. */
  readonly early: Early
}

export interface State extends Executions {
  /**
   * Whether it was folded without intents and uses: then it cannot say what an era must open with,
   * and takes the word of the policy admin who signed for that.
   */
  readonly isPartial: boolean
  /** The current era: where new names are made. */
  place: Place
  eras: Eras
  sealed: Sealed | null
  /** What the next era opens with. */
  snapshotSequence: Sequence
  readonly early: Early
  /**
   * The latest time that an identifier of an intent of this era states, in milliseconds since 1970;
   * null where one may state any time.
   */
  latestId: number | null
  /** Addresses whose identifiers were ahead of the log, by the token of the agent. */
  readonly aheadIds: Map<string, readonly string[]>
  /** If given, only a catalog whose first change set this key signed is believed. */
  readonly rootKey: string | null
  /** The log's identity: the digest of the first catalog change set that counts. */
  log: string | null
  /** The key that signed it. */
  root: string | null
  position: number
  appendedAt: number
  catalog: Catalog
  catalogRevision: number
  catalogSequence: Sequence
  graph: Graph
  graphRevision: number
  graphSequence: Sequence
  readonly intents: Map<string, OpenIntent>
  /** The address of the open intent that an equal request would repeat, by the request's key. */
  readonly requests: Map<string, string>
  /** By `<agent>.<capability>`, as tokens. */
  readonly uses: Map<string, Uses>
  /** Of people's attention: reviews that were opened, by the same keys. */
  readonly asks: Map<string, Uses>
  /** Answers of people whose answers a day are limited, by their ids. */
  readonly answers: Map<string, AnsweredLately>
  /** Of budgets. */
  readonly budgets: AllBudgetUses
  /** What people have answered beforehand; replaced, and never changed in place. */
  grants: Grants
  /** What this log has used of them, by their ids. */
  readonly grantUses: Map<string, GrantUses>
  /** By the token of the agent; what is as new is not here. */
  readonly agents: Map<string, AgentState>
  /** The latest block of each group, by its id, and of each session, by its token. */
  readonly groupBlocks: Map<string, Block>
  readonly sessionBlocks: Map<string, Block>
  /** What people said beside their answers. */
  people: PeopleSaid
  /** What people have taken back. */
  revocations: Revocations
  /** Test questions to people, of older rules: nothing is decided by them. */
  drills: Drills
  /** Tasks that were given to agents, and what was found of them so far. */
  contracts: Contracts
  /** What agents have earned. */
  standings: EarnedStandings
  /** By the tokens of agents: how often each may work again. */
  reinstatements: ReadonlyMap<string, Sequence>
  /** What is asked of people to close gaps, and what became of what was asked. */
  learning: Learning
}

export function newState(place: Place, rootKey: string | null = null): State {
  return {
    isPartial: false,
    place,
    eras: firstEra,
    sealed: null,
    snapshotSequence: newSequence,
    early: new Map(),
    latestId: null,
    aheadIds: new Map(),
    rootKey,
    log: null,
    root: null,
    position: 0,
    appendedAt: 0,
    catalog: emptyCatalog,
    catalogRevision: 0,
    catalogSequence: newSequence,
    graph: emptyGraph,
    graphRevision: 0,
    graphSequence: newSequence,
    intents: new Map(),
    requests: new Map(),
    uses: new Map(),
    asks: new Map(),
    answers: new Map(),
    budgets: new Map(),
    grants: noGrants,
    grantUses: new Map(),
    agents: new Map(),
    groupBlocks: new Map(),
    sessionBlocks: new Map(),
    running: new Map(),
    unsettled: new Map(),
    people: noneSaid,
    revocations: noRevocations,
    drills: noDrills,
    contracts: Contracts.none,
    standings: noneEarned,
    reinstatements: new Map(),
    learning: noLearning,
  }
}
