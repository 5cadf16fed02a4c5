// What a request to the HTTP server may carry, and what it is answered. The server parses by the
// first, and a test holds its answers to the second.
import { z } from 'zod'
import { Intent } from '../intent.ts'
import { DecisionData } from '../review.ts'
import { VlpMessage } from '../vlp.ts'

const Text = z.string().min(1)
/** Any JSON. */
const Any = z.unknown().meta({})

export const SessionId = Text.max(256).regex(/^\P{Cc}*$/u)

// Searches and evaluations have routes of their own, which answer with what was found.
export const AskBody = Intent.omit({ search: true, evaluations: true }).extend({
  session: SessionId.optional().describe('The session that it is part of'),
  routing: Text.max(600).optional().describe('`routing` of the shortlist that it was picked from'),
})

export const OutcomeBody = z.strictObject({
  outcome: z.enum(['succeeded', 'failed', 'unknown']),
  code: Text.max(64).optional().describe('What distinguishes failures, such as `ENOSPC`'),
  detail: Text.max(4000).optional(),
})

export const WithdrawBody = z.strictObject({ note: Text.max(4000).optional() })

export const DecisionBody = z.strictObject({
  name: Text.max(600).describe('The name that its signature covers'),
  data: DecisionData.required({ signature: true }),
})

const Receiver = Text.max(256).describe('The agent that is addressed')

export const SessionMessageBody = z.union([
  z.strictObject({
    receiver: Receiver,
    content: z.union([Text.max(60_000), z.record(z.string(), Any)]),
  }),
  z.strictObject({
    receiver: Receiver,
    result: z.strictObject({
      tool: Text.max(256),
      args: z.record(z.string(), Any),
      value: Any,
      error: z.boolean().optional(),
      untrusted: z.array(z.string().max(1024)).max(256).optional(),
      answers: Text.max(600).describe('The name of the verdict or message that it answers'),
    }),
  }),
])

export const SignedMessageBody = z.strictObject({
  address: Text.max(256).describe('`<agent>.<session>.<id>`, which its signature covers'),
  message: VlpMessage,
})

export const ShortlistBody = z.strictObject({
  goal: Text.max(8000),
  session: SessionId.optional(),
  max: z.int().min(1).max(20).optional(),
  budget: z.int().min(1).max(100_000).optional(),
  namespaces: z.array(Text.max(256)).max(64).optional(),
  tags: z.array(Text.max(256)).max(64).optional(),
  exclude: z.array(Text.max(256)).max(64).optional(),
})

export const HookEventBody = z
  .record(z.string(), Any)
  .describe('The event as the coding agent sends it to a hook')

export const HookAnswer = z
  .record(z.string(), Any)
  .describe('As that agent reads it; with `?as=command`: `stdout`, `stderr` and `exit`')

export const ReasonAnswer = z.looseObject({
  code: z.string(),
  recover: z.enum(['never', 'fix', 'learn', 'ask', 'wait']),
  params: z.record(z.string(), Any),
  text: z.string().describe('The reason in English'),
})

export const TermsAnswer = z.looseObject({
  capability: z.string(),
  argsDigest: z.string(),
  constraints: z.record(z.string(), Any),
  scope: z.record(z.string(), Any),
  useBy: z.string().describe('The last moment at which it may be started'),
})

export const DecidedAnswer = z.strictObject({
  intent: z.string().describe('The address: `<agent>.<session>.<id>`'),
  state: z.literal('decided'),
  outcome: z.enum(['allow', 'deny']),
  reasons: z.array(ReasonAnswer).describe('In order of precedence; empty for an allow'),
  gaps: z.array(z.record(z.string(), Any)).describe('What is not known'),
  terms: TermsAnswer.nullable().describe('What an allow permits, once'),
  observed: z.boolean(),
  confirmedBy: z.array(z.string()),
  verdict: z.string().describe('The name of the fact'),
  position: z.int().min(1),
  origin: z
    .strictObject({
      source: z.string(),
      time: z.string(),
      basis: z.int().min(0),
      appendedAt: z.number(),
      callbacks: z.int().min(0),
    })
    .describe('Who drew it up, when and from what'),
  grants: z
    .array(z.record(z.string(), Any))
    .optional()
    .describe('The grants that answered for people'),
  forModel: z.string().nullable().describe('Of a denial: for the language model that asked'),
})

export const WaitingAnswer = z.strictObject({
  intent: z.string(),
  state: z.literal('waiting'),
  waits: z.looseObject({
    for: z.string(),
    people: z.array(z.string()),
    until: z.number().nullable(),
    text: z.string(),
  }),
  links: z.strictObject({
    self: z.string().describe('Where the verdict will be'),
    approve: z.string().optional().describe('The command by which people answer'),
  }),
  forModel: z.string(),
})

export const IntentAnswer = z.discriminatedUnion('state', [DecidedAnswer, WaitingAnswer])

export const StartedAnswer = z.strictObject({ intent: z.string(), terms: TermsAnswer })

export const IntentOnlyAnswer = z.strictObject({ intent: z.string() })

export const PublishedAnswer = z.strictObject({
  address: z.string(),
  name: z.string(),
  position: z.int().min(1),
})

export const MessageAnswer = z.strictObject({
  address: z.string(),
  name: z.string(),
  position: z.int().min(1),
  appendedAt: z.number().describe('By the log’s clock, in milliseconds since 1970'),
  message: VlpMessage,
})

export const CallerAnswer = z.strictObject({
  principal: z.string(),
  door: z.string(),
  realm: z.string(),
  era: z.int().min(1).describe('The era whose name an answer is signed for'),
  log: z.string().nullable().describe('The log’s identity, which a signature covers'),
})

export const OfferAnswer = z.looseObject({
  cards: z.array(z.record(z.string(), Any)),
  routing: z.string().nullable().describe('Give it to `POST /v1/intents`'),
})

export const ProblemAnswer = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  retry: z.enum(['never', 'soon']),
  reason: z.string().optional(),
})

export const SessionAnswer = z.strictObject({
  principal: z.string(),
  csrf: z.string().describe('What a page of this server sends in `x-csrf-token` with each write'),
  endsAt: z.iso.datetime(),
  idleEndsAt: z.iso.datetime().describe('The end where nothing more is done'),
})

export const SignedOutAnswer = z.strictObject({
  issuer: z.string().nullable().describe('Where the person signs out at the issuer, too'),
})
