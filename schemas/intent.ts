// The words of an intent: what a `query` carries in `payload.intent` when an agent means to act;
// and of a delegation, which it carries in `payload.delegation` when another is to act for it. All
// of it is the sender's own word; what they may do is decided elsewhere.
import { z } from 'zod'
import { Narrowing } from './action/warrant.ts'
import { Cardinality, Level } from './graph.ts'
import { ShortText, When } from './values.ts'
import { later } from './later.ts'

const FactName = later(() => z.string().min(1).max(600))

// What reaches a stage was read as JSON, and a message is made of nothing else. Only the type is
// said here: looking at every value once more costs more than all else about an intent.
const anyObject = { type: 'object', additionalProperties: {} } as const
const JsonMap = later(() =>
  z
    .custom<Readonly<Record<string, z.util.JSONType>>>(isPlain, {
      params: { keyword: 'type', type: 'object' },
      abort: true,
    })
    .meta(anyObject),
)

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** More than this no capability stands for, and each one costs a walk through the graph. */
const conceptsMax = 64

// What is repeated in a grounding, a review or a verdict must leave room in that fact for the rest.
const concept = later(() => ShortText.regex(/^\P{Cc}*$/u))
const proseCharactersMax = 8_000
const constraintsCharactersMax = 32_000

// As the refusal is stored: no sentence, and no more of what was sent than its place.
const tooLong = { params: { keyword: 'maxLength', limit: constraintsCharactersMax } }

function isShort(map: z.infer<typeof JsonMap>): boolean {
  return JSON.stringify(map).length <= constraintsCharactersMax
}

// No `custom`: where an optional one is absent, the library makes an issue of it and drops that.
const Json: z.ZodType<z.util.JSONType> = later(() => z.any())
const ShortMap = later(() => z.record(z.string(), Json).refine(isShort, tooLong).meta(anyObject))

/** Whose call is judged where its sender asks about another. */
export const Subject = later(() =>
  z.strictObject({
    /** What the sender takes it for, such as `user`; absent where it asks about itself. */
    type: ShortText.exactOptional(),
    /** A principal of the catalog. */
    id: ShortText,
  }),
)
export type Subject = z.infer<typeof Subject>

/** So many are judged for one search; the next goes on after them. */
export const searchedMax = 200

/** What all of which an evaluation would be an allow is looked for. */
export const Search = later(() =>
  z.strictObject({
    for: z.enum(['subjects', 'resources', 'actions']),
    /** What a subject is called, or the type of the resource; actions are those on that type. */
    type: ShortText,
    /** So many of those that may be meant are passed over, in the order of their ids. */
    from: z.int().min(0).max(10_000_000).exactOptional(),
    /** So many are given at most. */
    limit: z.int().min(0).max(searchedMax).exactOptional(),
  }),
)
export type Search = z.infer<typeof Search>

/** So many are asked in one message. */
export const evaluatedMax = 100

/** One of several questions: whether that one might. */
export const Evaluated = later(() =>
  z.strictObject({
    tool: ShortText,
    args: JsonMap.default({}),
    subject: Subject,
    justification: z.string().max(proseCharactersMax).exactOptional(),
  }),
)
export type Evaluated = z.infer<typeof Evaluated>

export const Intent = later(() =>
  z.strictObject({
    /** The capability of the catalog that the agent means to use. */
    tool: ShortText,
    args: JsonMap.default({}),
    goal: z.string().max(proseCharactersMax).exactOptional(),
    justification: z.string().max(proseCharactersMax).exactOptional(),
    /** These only add to the concepts that the catalog gives the capability. */
    concepts: z.array(concept).max(conceptsMax).exactOptional(),
    cardinality: Cardinality.exactOptional(),
    minDepth: Level.exactOptional(),
    scope: ShortMap.exactOptional(),
    constraints: ShortMap.exactOptional(),
    /** What the answer must know: revisions and a position of the log, such as `c12.g40.345`. */
    freshAt: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,128}$/)
      .exactOptional(),
    onGap: z.enum(['deny', 'learn']).exactOptional(),
    replyBy: z.iso.datetime({ offset: true }).exactOptional(),
    /** Decided and recorded, and nothing is stopped by it. */
    observe: z.boolean().exactOptional(),
    /** It is asked for in addition to an equal request that is open. */
    distinct: z.boolean().exactOptional(),
    /**
     * The name of the delegation on which it rests: then it is judged with all whom it acts for.
     */
    delegation: FactName.exactOptional(),
    /**
     * It is only asked whether this one might: the verdict is observed, whatever `observe` says.
     */
    subject: Subject.exactOptional(),
    /** It is asked of many at once: observed, and recorded as one message. */
    search: Search.exactOptional(),
    /** Several are asked about, each judged by itself; observed, and recorded as one message. */
    evaluations: z.array(Evaluated).min(1).max(evaluatedMax).exactOptional(),
  }),
)
export type Intent = z.infer<typeof Intent>

/** So many delegations may stand one on another. */
export const delegationsMax = 4

/** Who sends it lets its receiver act for it: in this session, within all of this. */
export const Delegation = later(() =>
  z.strictObject({
    capabilities: z.array(ShortText).min(1).max(256),
    constraints: Narrowing.exactOptional(),
    /** A condition on each call, beside those of the catalog. */
    when: When.exactOptional(),
    /** Its last moment. */
    until: z.iso.datetime({ offset: true }),
    /** The name of the delegation that its sender hands on; absent where it lets act for itself. */
    parent: FactName.exactOptional(),
  }),
)
export type Delegation = z.infer<typeof Delegation>
