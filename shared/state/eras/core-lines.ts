// The lines of what every log has: where it stands, its graph, and the intents that are open.
import { z } from 'zod'
import { Depth, Level, Policy, Provenance, RelationType } from '#schemas/graph'
import { later } from '#schemas/later'
import { AnswerDemands } from '#schemas/people/demands'
import { DecisionData, ReviewData } from '#schemas/review'
import { DecimalText, Digest } from '#schemas/values'
import { IdentifierCause } from '#schemas/vlp'
import { graphOfPrimitives, plainPrimitives } from '#knowledge/graph/copy'
import { Fault } from '#record/fault'
import { agentIn } from '#record/names'
import { newAgent } from '../agent-state.ts'
import { withAgent } from '../agents.ts'
import { expectEqual } from '../requests.ts'
import type { State } from '../state.ts'
import {
  asInstant,
  Count,
  KeptInstant,
  kept,
  Numbers,
  numbersIn,
  placed,
  readSequence,
  SequenceLine,
  writtenSequence,
} from '../part-lines.ts'

export const headLine = kept('head', 'people', {
  shape: () => ({
    format: z.literal(1),
    /** The log's identity, and the key that signed its first catalog. */
    log: Digest.nullable(),
    root: z.string().nullable(),
    position: Count,
    appendedAt: Count,
    eras: z
      .array(
        z.strictObject({
          from: Count,
          to: Count.nullable(),
          latest: Count.optional(),
          began: Count.optional(),
        }),
      )
      .min(1),
    /** Of the current era; absent where an identifier may state any time. */
    latestId: Count.optional(),
    /** Who sealed the era, where it is sealed. */
    sealedBy: z.string().nullable(),
    snapshotSeries: SequenceLine,
    catalogRevision: Count,
    catalogSeries: SequenceLine,
    graphRevision: Count,
    graphSeries: SequenceLine,
  }),
  write: (state) => {
    const { sealed, log, root, catalogRevision, graphRevision, latestId } = state
    const { position, appendedAt } = sealed ?? state
    return [
      {
        format: 1 as const,
        log,
        root,
        position,
        appendedAt,
        eras: state.eras,
        ...(latestId !== null && { latestId }),
        sealedBy: sealed?.by ?? null,
        snapshotSeries: writtenSequence(sealed?.sequence ?? state.snapshotSequence),
        catalogRevision,
        catalogSeries: writtenSequence(state.catalogSequence),
        graphRevision,
        graphSeries: writtenSequence(state.graphSequence),
      },
    ]
  },
  read: (state, lines) => {
    const head = lines.at(-1)
    if (head === undefined) throw notWhole()
    state.log = head.log
    state.root = head.root
    state.position = head.position
    state.appendedAt = head.appendedAt
    state.eras = head.eras
    state.latestId = head.latestId ?? null
    state.place = { realm: state.place.realm, era: head.eras.length }
    state.snapshotSequence = readSequence(head.snapshotSeries)
    state.catalogRevision = head.catalogRevision
    state.catalogSequence = readSequence(head.catalogSeries)
    state.graphRevision = head.graphRevision
    state.graphSequence = readSequence(head.graphSeries)
    if (head.sealedBy !== null) state.sealed = sealedBy(state, head.sealedBy)
  },
})

// Its chunks are made of it once it is whole.
function sealedBy({ position, appendedAt, snapshotSequence: sequence }: State, by: string) {
  const nothing = { digests: [], missing: new Set<string>(), catalogs: new Set<string>() }
  return { by, position, appendedAt, sequence, ...nothing, early: new Map() }
}

function notWhole(): Fault {
  return new Fault('snapshot_unreadable', 'the snapshot cannot be read: it is not whole')
}

const Edge = later(() =>
  z.strictObject({
    type: RelationType,
    target: Count,
    targetDepth: Level,
    sourceDepth: Level,
    metadata: Depth.shape.properties.unwrap(),
    policies: z.array(Policy),
    provenance: Provenance.nullable(),
  }),
)

export const graphLine = kept('primitive', 'people', {
  shape: () => ({
    name: z.string(),
    provenance: Provenance.nullable(),
    levels: z.array(
      z.strictObject({
        level: Level,
        properties: Depth.shape.properties.unwrap(),
        relata: z.array(Edge),
        provenance: Provenance.nullable(),
      }),
    ),
  }),
  *write({ graph }) {
    for (const { name, provenance, levels } of plainPrimitives(graph)) {
      yield {
        name,
        provenance,
        levels: levels.map(({ level, properties, relata, provenance: by }) => {
          return { level, properties, relata, provenance: by }
        }),
      }
    }
  },
  read: (state, lines) => {
    const graph = graphOfPrimitives(lines)
    if (graph === null) throw notWhole()
    state.graph = graph
  },
})

const Review = later(() =>
  z.strictObject({
    name: z.string(),
    position: Count,
    appendedAt: KeptInstant,
    number: z.int().min(1),
    digest: Digest,
    tier: ReviewData.shape.tier,
    confirmers: z.array(z.string()),
    quorum: z.int().min(1),
    questions: Count,
    asksReason: z.boolean(),
    decideBy: asInstant(z.number()),
    useWithinMs: z.int().min(1),
    demands: AnswerDemands.optional(),
    side: z.array(z.string()).optional(),
    reopens: z.strictObject({ names: z.array(z.string()), position: Count }).optional(),
  }),
)

const Intent = later(() =>
  z.strictObject({
    address: z.string(),
    id: z.string().nullable(),
    name: z.string(),
    position: Count,
    appendedAt: KeptInstant,
    beyond: z.boolean(),
    lookIn: Numbers.optional(),
    untimely: IdentifierCause.optional(),
    moving: z.literal(true).optional(),
    request: Digest.optional(),
    equalTo: z.string().optional(),
    unreasoned: Count.optional(),
    judged: z.string().optional(),
    grounding: z
      .strictObject({
        name: z.string(),
        position: Count,
        attempt: z.int().min(1),
        grounded: z.boolean(),
      })
      .nullable(),
    hold: z.strictObject({ attempt: z.int(), until: asInstant(z.number()) }).nullable(),
    attempt: z.int(),
    shown: z.string().nullable(),
    used: z.boolean(),
    asked: z.boolean(),
    budgets: z.array(z.strictObject({ budget: z.string(), key: z.string() })).optional(),
    grants: z
      .array(z.strictObject({ grant: z.string(), use: z.int().min(1), amount: DecimalText }))
      .optional(),
    review: Review.nullable(),
    spoilt: z.string().optional(),
    reopened: Count.optional(),
    taken: z.array(z.string()).optional(),
    /** Whom people have asked to look at its review instead. */
    handovers: z
      .array(z.strictObject({ from: z.string(), to: z.string(), name: z.string() }))
      .optional(),
    reviewNext: z.int().min(1),
    decisions: z.array(placed(DecisionData, KeptInstant)),
    withdrawn: z.enum(['withdrawal', 'correction', 'replaced']).nullable(),
    replacedBy: z.string().optional(),
    setAside: z.string().optional(),
  }),
)

export const intentLine = kept('intent', 'log', {
  shape: () => ({ intent: Intent }),
  write: ({ intents }) => [...intents.values()].map((intent) => ({ intent })),
  read: (state, lines) => {
    const open = new Map<string, number>()
    for (const { intent } of lines) {
      state.intents.set(intent.address, intent)
      expectEqual(state, intent)
      const agent = agentIn(intent.address)
      open.set(agent, (open.get(agent) ?? 0) + 1)
    }
    for (const [agent, count] of open) {
      withAgent(state, agent, { ...(state.agents.get(agent) ?? newAgent), open: count })
    }
  },
})

export const earlyLine = kept('early', 'log', {
  shape: () => ({ key: z.string(), numbers: Numbers }),
  write: ({ early }) => {
    return [...early].map(([key, numbers]) => ({ key, numbers: numbersIn(numbers) }))
  },
  read: ({ early }, lines) => {
    for (const { key, numbers } of lines) early.set(key, new Set(numbers))
  },
})

export const aheadLine = kept('ahead', 'log', {
  shape: () => ({ agent: z.string(), addresses: z.array(z.string()) }),
  write: ({ aheadIds }) => [...aheadIds].map(([agent, addresses]) => ({ agent, addresses })),
  read: ({ aheadIds }, lines) => {
    for (const { agent, addresses } of lines) aheadIds.set(agent, addresses)
  },
})
