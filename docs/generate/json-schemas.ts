// The words as JSON Schema 2020-12, for readers and writers in any language. What they say is what
// is accepted: where a reader fills in a default, the property may be absent.
import { z } from 'zod'
import * as catalog from '#schemas/catalog'
import { Envelope } from '#schemas/envelope'
import * as callbacks from '#schemas/callbacks'
import * as facts from '#schemas/facts'
import * as graph from '#schemas/graph'
import { Intent } from '#schemas/intent'
import { schemaOf as dataSchemaOf } from '#schemas/contents'
import { allKinds, isEvent, kinds } from '#schemas/kinds'
import * as learning from '#schemas/learning'
import { Reason } from '#schemas/reasons'
import * as review from '#schemas/review'
import * as shell from '#schemas/shell/table'
import { IntentRef, Signature } from '#schemas/values'
import { TaskContract, TaskClaim } from '#schemas/work/contract'
import { ProvenanceItem, VlpIssue, VlpMessage } from '#schemas/vlp'

export type JsonSchema = Readonly<Record<string, unknown>>

// What is named here stands once in a document, under that name.
const named = {
  IntentRef,
  Signature,
  Ground: facts.Ground,
  CallbackAnswer: callbacks.CallbackAnswer,
  Question: review.Question,
  Shown: review.Shown,
  Reason,
  Gap: graph.Gap,
  PathwayEdge: graph.PathwayEdge,
  PlacedPolicy: graph.PlacedPolicy,
  Policy: graph.Policy,
  Relatum: graph.Relatum,
  Provenance: graph.Provenance,
  GraphOperation: graph.GraphOperation,
  Template: learning.Template,
  Candidate: learning.Candidate,
  CatalogOperation: catalog.CatalogOperation,
  Principal: catalog.Principal,
  Group: catalog.Group,
  Capability: catalog.Capability,
  Confirmation: catalog.Confirmation,
  Limit: catalog.Limit,
  TrustedEvidence: catalog.TrustedEvidence,
  VlpIssue,
  ProvenanceItem,
  ShellEntry: shell.ShellEntry,
} as const

/** Every schema by its path below the folder of generated files. */
export function jsonSchemas(): ReadonlyMap<string, JsonSchema> {
  for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema, { id })
  try {
    return schemasByPath()
  } finally {
    // The registry is that of the process: no one else who publishes one of these wants its id.
    for (const schema of Object.values(named)) z.globalRegistry.remove(schema)
  }
}

const shellTitle = 'A file of seeds/shell/commands'
const around = 'surroundings.json of seeds/shell'

function schemasByPath(): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map([
    ['vlp-message.json', schemaOf(VlpMessage, 'vlp-message', 'A VLP/1.1 message')],
    ['intent.json', schemaOf(Intent, 'intent', 'What a query carries in `payload.intent`')],
    ['graph.json', schemaOf(graph.GraphFile, 'graph', 'graph.json of a seed folder')],
    ['catalog.json', schemaOf(catalog.CatalogFile, 'catalog', 'catalog.json of a seed folder')],
    ['shell-commands.json', schemaOf(shell.ShellCommands, 'shell-commands', shellTitle)],
    ['shell-added.json', schemaOf(shell.ShellAdded, 'shell-added', 'Commands laid over the seed')],
    ['shell-surroundings.json', schemaOf(shell.ShellSurroundings, 'shell-surroundings', around)],
  ])
  schemas.set(
    'task-contract.json',
    schemaOf(TaskContract, 'task-contract', 'A contract that `warrant verify-work` reads'),
  )
  schemas.set('task-claim.json', schemaOf(TaskClaim, 'task-claim', 'What a worker reports'))
  for (const kind of allKinds.filter(isEvent)) {
    const type = z.literal(`warrant.${kind}.v1`)
    const fact = Envelope.extend({ type, data: dataSchemaOf(kind) })
    schemas.set(`facts/${kind}.json`, schemaOf(fact, `fact:${kind}`, kinds[kind].title))
  }
  return schemas
}

function schemaOf(schema: z.ZodType, id: string, title: string): JsonSchema {
  const {
    $schema,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    // What our own code checks says itself what it is.
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }) => {
      const { type } = zodSchema._zod.def
      if (hidden.has(type)) throw new Error(`\`${type}\` is no JSON Schema`)
      // Every key is a text, so this adds nothing.
      delete jsonSchema.propertyNames
    },
  })
  const definitions = Object.entries($defs).filter(([key]) => !key.startsWith(unnamed))
  return {
    $schema,
    $id: `urn:warrant:schema:${id}`,
    title,
    ...plain(rest),
    ...(definitions.length > 0 && { $defs: plain(Object.fromEntries(definitions)) }),
  }
}

// What no JSON Schema can say; `unrepresentable: 'any'` would hide it.
const hidden: ReadonlySet<string> = new Set(
  'bigint date function map nan set symbol transform undefined'.split(' '),
)

const unnamed = '__schema'
const ToUnnamed = z.strictObject({ $ref: z.string().startsWith(`#/$defs/${unnamed}`) })

// The one thing without a name that refers to itself is JSON, and every value of a document is
// JSON.
function plain(schema: object): JsonSchema {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    return ToUnnamed.safeParse(value).success ? {} : value
  })
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}
