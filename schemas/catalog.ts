// The words of the catalog: who there is, what can be done, who confirms what, how often, and whose
// word counts. Every default is the refusing one. Nothing here decides anything.
import { z } from 'zod'
import { Cardinality, Level } from './graph.ts'
import { Driver, Execution, Redaction, Reveal, ToolServer, Version } from './action/driver.ts'
import { ReachingRules } from './outreach/reaching.ts'
import { Conditions } from './rules/condition.ts'
import { EdgeRequest } from './rules/edge-request.ts'
import { Matcher } from './rules/matcher.ts'
import { Resource } from './rules/resource.ts'
import { RotationRules } from './rules/rotation.ts'
import { demandFields } from './people/demands.ts'
import { Console } from './people/passkey.ts'
import { Group, Principal } from './people/principal.ts'
import { routingFields } from './action/routing.ts'
import { Attention } from './attention/attention.ts'
import { Budget, CountedBudget } from './budgets/budget.ts'
import { Defaults } from './rules/built-in.ts'
import { DurationMs, Id, SafetyClass, Sensitivity, UsesMax } from './rules/terms.ts'
import {
  Digest,
  instantMax,
  KnownArgument,
  ListedThing,
  NamedSource,
  OwnNotes,
  Pointer,
  UntrustedPart,
} from './values.ts'
import { CarriedStanding, WorkRules } from './work/settings.ts'
import { later } from './later.ts'

export { Group, Identity, Principal } from './people/principal.ts'
export { Condition } from './rules/condition.ts'

/** JSON as it came: constraints, scopes, schemas. */
export const JsonObject = later(() => z.record(z.string(), z.json()))
export type JsonObject = z.infer<typeof JsonObject>
export type JsonValue = JsonObject[string]

/** A capability without a schema takes no arguments at all. */
const noArguments = { type: 'object', additionalProperties: false }

/** Where the values of its arguments come from, and what its own results make known. */
const valueFields = {
  known: z
    .array(KnownArgument)
    .max(64)
    .optional()
    .describe('The arguments whose values must be known.'),
  untrusted: z
    .array(UntrustedPart)
    .max(256)
    .optional()
    .describe(
      'What in its results makes no value known. Absent, its results make none known; empty, ' +
        'all of them do.',
    ),
  lists: z
    .array(ListedThing)
    .max(32)
    .optional()
    .describe('The things that its results list, by which people and arguments name them.'),
  source: NamedSource.optional().describe(
    'How each of its results is a text that people can name; absent, none is.',
  ),
  notes: OwnNotes.optional().describe(
    'How its results are notes of the owner, such as of persons; absent, none is.',
  ),
  folder: Pointer.optional().describe(
    'Into the arguments: the folder whose files its results list by their names.',
  ),
  today: Pointer.optional().describe('Into its results: which day it is, as `2026-05-01`.'),
  reports: z
    .literal(true)
    .optional()
    .describe('Its results report what was done: what earlier calls were given counts not there.'),
}

export const Capability = later(() =>
  z.strictObject({
    id: Id.describe('The name by which agents call it.'),
    description: z.string().max(4000).default('').describe('What it does, for agents and people.'),
    safetyClass: SafetyClass.describe('What a call of it does at worst.'),
    sensitivity: Sensitivity.default('NONE').describe('What its results may hold.'),
    concepts: z
      .array(z.string().min(1).max(256))
      .default([])
      .describe('What has to be known before it may run: concepts of the graph.'),
    cardinality: Cardinality.optional().describe(
      'Whether a call is about one thing or several. Absent where only the call shows: then the ' +
        'word of the agent counts.',
    ),
    minDepth: Level.optional().describe('The level down to which its concepts must be known.'),
    argsSchema: JsonObject.default(noArguments).describe(
      'JSON Schema 2020-12 of the arguments. Absent: it takes none.',
    ),
    allowedFields: z
      .array(z.string())
      .default([])
      .describe(
        'Of PII and PCI: the fields that anyone who lacks `pii_reader` gets. Empty means all.',
      ),
    tags: z.array(z.string()).default([]).describe('Words by which it is found.'),
    confirmation: Id.optional().describe(
      'Names one of `confirmations`; absent means the default one.',
    ),
    allow: z
      .array(Matcher)
      .max(64)
      .optional()
      .describe('Who alone may use it; absent means everyone whom the other rules let.'),
    deny: z.array(Matcher).max(64).optional().describe('Who may not, whatever else lets them.'),
    conditions: Conditions.optional().describe('Rules about calls of it.'),
    ...valueFields,
    version: Version.optional().describe('As a person or an upstream names it, such as `1.4.0`.'),
    driver: Driver.optional().describe(
      'How a gateway carries it out; absent where the own program of the agent does.',
    ),
    execution: Execution.optional().describe('The bounds of one execution by a gateway.'),
    reveal: Reveal.optional().describe(
      'The kinds of identifiers that agents may see in its results; absent means none.',
    ),
    // Only its author writes it: no proposal, import or hint of a server does.
    redact: Redaction.optional().describe(
      'What is taken out of its results before an agent gets them: `all` that is sensitive, ' +
        '`secrets` alone, or `none`. Absent means all.',
    ),
    requests: z
      .array(EdgeRequest)
      .min(1)
      .max(64)
      .optional()
      .describe('The requests at a proxy that are calls of it.'),
    ...routingFields,
  }),
)
export type Capability = z.infer<typeof Capability>

export const Confirmation = later(() =>
  z.strictObject({
    id: Id,
    /**
     * `confirm`: the agent's owner and no one else. `four_eyes`: a group without the requester's
     * side.
     */
    tier: z.enum(['confirm', 'four_eyes']),
    group: Id.optional(),
    quorum: z.int().min(1).max(100).default(1),
    /** Of `four_eyes`: may be asked where no session shows who asked the agent. */
    sessionless: z.boolean().optional(),
    /**
     * Calls of which safety classes a grant may answer for; absent means READ and WRITE, and an
     * empty list that each call is asked about.
     */
    grants: z.array(SafetyClass).max(3).optional(),
    ...demandFields,
    decideWithinMs: DurationMs.default(15 * 60 * 1000),
    useWithinMs: DurationMs.default(5 * 60 * 1000),
    /**
     * `host`: a coding agent's own dialogue may be asked in place of these people. Its answer is
     * the agent's word: it is recorded as that, and decides nothing in the log.
     */
    ask: z.literal('host').optional(),
    /** How its people are reached where a service does so. */
    reaching: ReachingRules.optional(),
  }),
)
export type Confirmation = z.infer<typeof Confirmation>

export const Limit = later(() =>
  z.union([
    z.strictObject({ safetyClass: SafetyClass, uses: UsesMax, windowMs: DurationMs }),
    z.strictObject({ capability: Id, uses: UsesMax, windowMs: DurationMs }),
  ]),
)
export type Limit = z.infer<typeof Limit>

/** Rules believe this sender for these things, and no one else. */
export const TrustedEvidence = later(() =>
  z.strictObject({ sender: Id, for: z.array(z.string().min(1)) }),
)
export type TrustedEvidence = z.infer<typeof TrustedEvidence>

const limits = later(() => z.array(Limit))
const trustedEvidence = later(() => z.array(TrustedEvidence))
const knownConstraints = later(() => z.array(z.string().min(1)))
const now = later(() => z.iso.datetime({ offset: true }))
const callbacks = later(() => z.string().regex(/^sha256:[0-9a-f]{64}$/))
const rules = later(() => z.int().min(1).max(1_000_000))
const cells = later(() => z.int().min(2).max(256))
const dev = later(() => z.literal(true))
const budgets = later(() => z.array(Budget).max(64))
const servers = later(() => z.array(ToolServer).max(256))
const consoles = later(() => z.array(Console).max(16))

/** `catalog.json` of a seed folder. */
export const CatalogFile = later(() =>
  z.strictObject({
    /** For editors; it changes nothing. */
    $schema: z.string().optional(),
    principals: z.array(Principal).default([]),
    groups: z.array(Group).default([]),
    capabilities: z.array(Capability).default([]),
    confirmations: z.array(Confirmation).default([]),
    limits: limits.default([]),
    trustedEvidence: trustedEvidence.default([]),
    /**
     * Constraints of a message that are not here count as unknown; empty means that none is known.
     */
    knownConstraints: knownConstraints.default([]),
    /** Whether an intent with gaps may wait for learning. */
    learning: z.boolean().default(false),
    /** The present of recorded work; absent means the log's. */
    now: now.optional(),
    /** The callback module that this catalog was written for. Set by tooling, not by people. */
    callbacks: callbacks.optional(),
    /**
     * The version of the rules by which the log is folded and decided. Absent leaves the log's; a
     * new log takes the newest.
     */
    rules: rules.optional(),
    /** Rules about calls of every capability. */
    conditions: Conditions.optional(),
    /** Over how many cells the realm's agents are spread; absent means one log. */
    cells: cells.optional(),
    /**
     * Set by `warrant dev`, and never taken away: one person tries things in this log.
     */
    dev: dev.optional(),
    /**
     * What is set of the built-in rules (docs/reference/built-in-rules.md): the rest is as there.
     */
    defaults: Defaults.optional(),
    /** What calls may come to in a window. */
    budgets: budgets.optional(),
    /** The servers of tools that `driver` names. */
    servers: servers.optional(),
    /** Where passkeys sign. */
    consoles: consoles.optional(),
    attention: Attention.optional(),
    work: WorkRules.optional(),
    /** On which terms an era keeper rotates eras; absent means that policy admins alone do. */
    rotation: RotationRules.optional(),
    /** The things that can be searched for. */
    resources: z.array(Resource).optional(),
  }),
)
export type CatalogFile = z.infer<typeof CatalogFile>

const op = { put: z.literal('put'), set: z.literal('set') }

/** Adds the entry, or replaces that of the id. A put never lifts a suspension or ends a move. */
const PutOperation = later(() =>
  z.discriminatedUnion('collection', [
    z.strictObject({ op: op.put, collection: z.literal('principals'), entry: Principal }),
    z.strictObject({ op: op.put, collection: z.literal('groups'), entry: Group }),
    z.strictObject({ op: op.put, collection: z.literal('capabilities'), entry: Capability }),
    z.strictObject({ op: op.put, collection: z.literal('confirmations'), entry: Confirmation }),
    z.strictObject({ op: op.put, collection: z.literal('resources'), entry: Resource }),
  ]),
)

/** Replaces the whole value; null takes `now` or `callbacks` away. */
const SetOperation = later(() =>
  z.discriminatedUnion('key', [
    z.strictObject({ op: op.set, key: z.literal('limits'), value: limits }),
    z.strictObject({ op: op.set, key: z.literal('trustedEvidence'), value: trustedEvidence }),
    z.strictObject({ op: op.set, key: z.literal('knownConstraints'), value: knownConstraints }),
    z.strictObject({ op: op.set, key: z.literal('learning'), value: z.boolean() }),
    z.strictObject({ op: op.set, key: z.literal('now'), value: now.nullable() }),
    z.strictObject({ op: op.set, key: z.literal('callbacks'), value: callbacks.nullable() }),
    z.strictObject({ op: op.set, key: z.literal('rules'), value: rules }),
    z.strictObject({ op: op.set, key: z.literal('cells'), value: cells }),
    z.strictObject({ op: op.set, key: z.literal('dev'), value: dev }),
    z.strictObject({ op: op.set, key: z.literal('conditions'), value: Conditions }),
    z.strictObject({ op: op.set, key: z.literal('defaults'), value: Defaults }),
    z.strictObject({ op: op.set, key: z.literal('budgets'), value: budgets }),
    z.strictObject({ op: op.set, key: z.literal('servers'), value: servers }),
    z.strictObject({ op: op.set, key: z.literal('consoles'), value: consoles }),
    z.strictObject({ op: op.set, key: z.literal('attention'), value: Attention }),
    z.strictObject({ op: op.set, key: z.literal('work'), value: WorkRules }),
    z.strictObject({ op: op.set, key: z.literal('rotation'), value: RotationRules }),
  ]),
)

export const Collection = later(() =>
  z.enum(['principals', 'groups', 'capabilities', 'confirmations', 'resources']),
)
export type Collection = z.infer<typeof Collection>

/** When the latest uses of a capability were counted, in milliseconds since 1970, oldest first. */
const CountedUses = later(() =>
  z.strictObject({
    /** As a token. */
    capability: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    times: z.array(z.int().min(0).max(instantMax)).min(1),
  }),
)
export type CountedUses = z.infer<typeof CountedUses>

/** What an agent brings along from its old cell, as the log of that one has it. */
const Arrival = later(() =>
  z.strictObject({
    op: z.literal('arrive'),
    id: Id,
    /** Its old cell. */
    from: z.int().min(0).max(255),
    /** By the clock of the old cell's log: what no window counts any more is left out. */
    at: z.iso.datetime(),
    uses: z.array(CountedUses),
    /** Of people's attention. */
    asks: z.array(CountedUses),
    /** Absent where it has used none. */
    budgets: z.array(CountedBudget).optional(),
    /** The message that stops it, and who sent that. */
    block: z.strictObject({ name: z.string().max(600), sender: Id }).nullable(),
    /** What it has earned; absent where that is nothing yet. */
    standing: CarriedStanding.optional(),
  }),
)
export type Arrival = z.infer<typeof Arrival>

/** Where a log stands for what was in it before: it went on from an older state of itself. */
const AcceptedRollback = later(() =>
  z.strictObject({
    op: z.literal('accept_rollback'),
    /** Whose log: that of the realm, or of one of its cells. */
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    /**
     * When it was signed, in seconds since 1970, but at least one more than the highest that was
     * known: so it stands above those that the log has lost.
     */
    number: z.int().min(1).max(instantMax),
    /** Where the log ended when this was signed. */
    position: z.int().min(1),
    /** What is there no more; without a digest where its signer knows of it by hearsay alone. */
    seen: z.strictObject({ position: z.int().min(1), digest: Digest.optional() }),
  }),
)

/** One operation of a change set; a set is applied whole or not at all. */
export const CatalogOperation = later(() =>
  z.discriminatedUnion('op', [
    PutOperation,
    SetOperation,
    z.strictObject({ op: z.literal('remove'), collection: Collection, id: Id }),
    z.strictObject({ op: z.literal('suspend'), id: Id }),
    z.strictObject({ op: z.literal('unsuspend'), id: Id }),
    z.strictObject({ op: z.literal('leave'), id: Id }),
    z.strictObject({ op: z.literal('stay'), id: Id }),
    Arrival,
    AcceptedRollback,
  ]),
)
export type CatalogOperation = z.infer<typeof CatalogOperation>
