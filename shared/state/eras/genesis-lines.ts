// The lines that a state is written in, each one JSON value: what they may say when someone reads
// them back.
import { z } from 'zod'
import {
  Capability,
  CatalogFile,
  Confirmation,
  Group,
  Limit,
  Principal,
  TrustedEvidence,
} from '#schemas/catalog'
import { RevocationTarget } from '#schemas/action/revocation'
import { GrantData } from '#schemas/action/grant'
import { Candidate, MetBy, ProposalData, RulingWord, SuggestionFault } from '#schemas/learning'
import { DecimalText, Digest } from '#schemas/values'
import { Resource } from '#schemas/rules/resource'
import { Depth, Level, Policy, Provenance, RelationType } from '#schemas/graph'
import { ContractLine, ReinstatementsLine, StandingLine } from './contract-lines.ts'
import { IntentLine } from './intent-lines.ts'
import { AbsenceLine, Count, EnrolmentLine, Numbers } from './people-lines.ts'
import { placed, SequenceLine } from './people-lines.ts'

const Head = z.strictObject({
  line: z.literal('head'),
  format: z.literal(1),
  /** The log's identity, and the key that signed its first catalog. */
  log: Digest.nullable(),
  root: z.string().nullable(),
  position: Count,
  appendedAt: Count,
  eras: z.array(z.strictObject({ from: Count, to: Count.nullable() })).min(1),
  /** Who sealed the era, where it is sealed. */
  sealedBy: z.string().nullable(),
  snapshotSeries: SequenceLine,
  catalogRevision: Count,
  catalogSeries: SequenceLine,
  graphRevision: Count,
  graphSeries: SequenceLine,
})

const Settings = z.strictObject({
  line: z.literal('settings'),
  trustedEvidence: z.array(TrustedEvidence),
  knownConstraints: CatalogFile.shape.knownConstraints,
  learning: z.boolean(),
  now: z.string().nullable(),
  callbacks: z.string().nullable(),
  rules: z.int().min(1),
  cells: CatalogFile.shape.cells,
  conditions: CatalogFile.shape.conditions,
  defaults: CatalogFile.shape.defaults,
  budgets: CatalogFile.shape.budgets,
  servers: CatalogFile.shape.servers,
  consoles: CatalogFile.shape.consoles,
  attention: CatalogFile.shape.attention,
  work: CatalogFile.shape.work,
})

const Edge = z.strictObject({
  type: RelationType,
  target: Count,
  targetDepth: Level,
  sourceDepth: Level,
  metadata: Depth.shape.properties.unwrap(),
  policies: z.array(Policy),
  provenance: Provenance.nullable(),
})

const Primitive = z.strictObject({
  line: z.literal('primitive'),
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
})

const Met = z.array(MetBy)
const Block = z.strictObject({ name: z.string(), sender: z.string(), position: Count })

const execution = {
  address: z.string(),
  agent: z.string(),
  capability: z.string(),
  executed: Digest,
}
const Running = z.strictObject({
  ...execution,
  session: z.string().nullable(),
  gateway: z.string(),
  until: Count,
  position: Count,
})
const Unsettled = z.strictObject({ ...execution, name: z.string(), appendedAt: Count })

const OpenProposal = placed(ProposalData).extend({
  id: z.string(),
  agreed: z
    .strictObject({
      ruling: z.string(),
      by: z.string(),
      byOwner: z.boolean(),
      appendedAt: Count,
      word: RulingWord.extract(['accepted', 'modified']),
      candidate: Candidate,
      model: z.string().nullable(),
    })
    .nullable(),
  met: Met,
  suggestions: z.strictObject({
    next: z.int().min(1),
    lastAt: Count.nullable(),
    usable: z.array(
      z.strictObject({
        name: z.string(),
        by: z.string(),
        candidate: Candidate,
        digest: z.string(),
      }),
    ),
    failed: z.strictObject({ by: z.string(), fault: SuggestionFault }).nullable(),
  }),
})

const AskedBefore = z.strictObject({
  id: z.string(),
  name: z.string(),
  round: z.int().min(1),
  ended: z.enum(['applied', 'skipped', 'rejected', 'expired', 'reopened']).nullable(),
  position: Count,
  appendedAt: Count,
  from: Count,
  met: Met,
})

export const GenesisLine = z.discriminatedUnion('line', [
  Head,
  Settings,
  z.strictObject({ line: z.literal('principal'), entry: Principal }),
  z.strictObject({ line: z.literal('keyed'), principal: z.string() }),
  z.strictObject({ line: z.literal('group'), entry: Group }),
  z.strictObject({ line: z.literal('capability'), entry: Capability }),
  z.strictObject({ line: z.literal('confirmation'), entry: Confirmation }),
  z.strictObject({ line: z.literal('resource'), entry: Resource }),
  z.strictObject({ line: z.literal('limit'), key: z.string(), entry: Limit }),
  Primitive,
  z.strictObject({ line: z.literal('intent'), intent: IntentLine }),
  z.strictObject({
    line: z.literal('uses'),
    key: z.string(),
    series: SequenceLine,
    times: z.array(Count),
  }),
  z.strictObject({
    line: z.literal('asks'),
    key: z.string(),
    series: SequenceLine,
    times: z.array(Count),
  }),
  z.strictObject({
    line: z.literal('answers'),
    person: z.string(),
    times: z.array(Count),
    batch: z.array(z.string()),
  }),
  z.strictObject({ line: z.literal('budget'), budget: z.string(), floor: Count }),
  z.strictObject({
    line: z.literal('budgetUses'),
    budget: z.string(),
    key: z.string(),
    next: SequenceLine,
    uses: z.array(
      z.strictObject({
        agent: z.string(),
        address: z.string().nullable(),
        at: Count,
        amount: DecimalText,
      }),
    ),
  }),
  z.strictObject({
    line: z.literal('grant'),
    id: z.string(),
    name: z.string(),
    position: Count,
    appendedAt: Count,
    endedBy: z.string().nullable(),
    data: GrantData,
  }),
  z.strictObject({ line: z.literal('grantDropped'), grant: z.string() }),
  z.strictObject({
    line: z.literal('grantUses'),
    grant: z.string(),
    next: SequenceLine,
    taken: Count,
    total: DecimalText,
  }),
  z.strictObject({
    line: z.literal('agent'),
    agent: z.string(),
    block: Block.nullable(),
    liftedThrough: Count,
    lifts: SequenceLine,
  }),
  z.strictObject({ line: z.literal('groupBlock'), group: z.string(), block: Block }),
  z.strictObject({ line: z.literal('sessionBlock'), session: z.string(), block: Block }),
  z.strictObject({ line: z.literal('running'), running: Running }),
  z.strictObject({ line: z.literal('unsettled'), unsettled: Unsettled }),
  z.strictObject({
    line: z.literal('revocation'),
    target: RevocationTarget,
    name: z.string(),
    position: Count,
  }),
  z.strictObject({ line: z.literal('proposal'), proposal: OpenProposal }),
  z.strictObject({ line: z.literal('spent'), proposal: z.string() }),
  z.strictObject({ line: z.literal('history'), key: z.string(), asked: AskedBefore }),
  z.strictObject({
    line: z.literal('drill'),
    drill: z.strictObject({
      id: z.string(),
      name: z.string(),
      position: Count,
      appendedAt: Count,
      shownTo: z.array(z.string()),
      digest: Digest,
      questions: Count,
      decideBy: z.number(),
      answered: z.array(z.string()),
    }),
  }),
  ContractLine,
  StandingLine,
  ReinstatementsLine,
  EnrolmentLine,
  AbsenceLine,
  z.strictObject({ line: z.literal('early'), key: z.string(), numbers: Numbers }),
])
export type PlainSequence = z.infer<typeof SequenceLine>
export type GenesisLine = z.infer<typeof GenesisLine>
export type LineOf<L extends GenesisLine['line']> = Extract<GenesisLine, { readonly line: L }>
