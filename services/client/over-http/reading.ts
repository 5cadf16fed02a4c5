// What a server answers, as a program reads it. A member that is not known here is left out, but
// for the terms of an allow: what bounds a call must not be overlooked.
import { z } from 'zod'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Frame, FrameMode } from '#firewall/frame'
import type { FirewallWarning } from '#firewall/warnings'
import { waitedFor } from '#schemas/waits'
import type { DriverKind } from '#ports/tools'
import { RestsOn } from '#schemas/action/grant'
import { Terms } from '#schemas/facts'
import { Gap } from '#schemas/graph'
import { ReasonCode, ReasonParams, Recover } from '#schemas/reasons'
import { SafetyClass } from '#schemas/rules/terms'
import { VlpMessage } from '#schemas/vlp'

const Decided = z.object({
  state: z.literal('decided'),
  intent: z.string(),
  verdict: z.string(),
  position: z.int().min(1),
  outcome: z.enum(['allow', 'deny']),
  reasons: z.array(z.object({ code: ReasonCode, recover: Recover, params: ReasonParams.strip() })),
  gaps: z.array(Gap),
  terms: Terms.nullable(),
  observed: z.boolean(),
  confirmedBy: z.array(z.string()),
  grants: z.array(RestsOn).exactOptional(),
  origin: z.object({
    source: z.string(),
    time: z.string(),
    basis: z.int().min(0),
    appendedAt: z.number(),
    callbacks: z.int().min(0),
  }),
})
type Decided = z.infer<typeof Decided>

const Waiting = z.object({
  state: z.literal('waiting'),
  intent: z.string(),
  waits: z.object({
    for: z.enum(waitedFor),
    people: z.array(z.string()),
    quorum: z.int().min(0),
    needed: z.int().min(0),
    agreed: z.array(z.string()),
    reason: z.boolean(),
    until: z.number().nullable(),
  }),
})

/** How an intent stands. */
export const StandingShown = z.discriminatedUnion('state', [Decided, Waiting])

export function verdictFrom(decided: Decided): Verdict {
  const { state: _, verdict: name, ...verdict } = decided
  return { ...verdict, name }
}

/** An event of the stream of verdicts. */
export const DecidedEvent = Decided

export const CallerShown = z.object({
  principal: z.string(),
  realm: z.string(),
  era: z.int().min(1).default(1),
  log: z.string().nullable(),
})

export const InLog = z.object({
  address: z.string(),
  name: z.string(),
  position: z.int().min(1),
})

export const PublishedMessage = InLog.extend({ appendedAt: z.number(), message: VlpMessage })

export const StartTerms = z.object({ terms: z.object({ argsDigest: z.string() }) })

export const Offered = z.object({
  cards: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: z.array(z.string()),
      safety: SafetyClass,
      hasSchema: z.boolean(),
      score: z.number(),
    }),
  ),
  matched: z.int(),
  filtered: z.int(),
  suspended: z.int(),
  isAmbiguous: z.boolean(),
  between: z.array(z.string()),
  routing: z.string().nullable(),
  model: z.string().nullable(),
})

const frameModes = ['summary', 'table', 'handle_only', 'raw'] as const satisfies FrameMode[]
const warningCodes = [
  'chars',
  'depth',
  'field_dropped',
  'field_redacted',
  'mode',
  'rows',
] as const satisfies FirewallWarning['code'][]

const ShownFrame: z.ZodType<Frame> = z.object({
  mode: z.enum(frameModes),
  facts: z.array(z.string()).exactOptional(),
  table: z.array(z.json()).exactOptional(),
  raw: z.json().exactOptional(),
  handle: z.object({ rows: z.number() }).nullable(),
  warnings: z.array(z.object({ code: z.enum(warningCodes), path: z.string() })),
})

export const CallShown = z.object({
  intent: z.string(),
  capability: z.string(),
  verdict: z.string(),
  frame: ShownFrame,
  handle: z.object({ id: z.string(), expiresAt: z.string() }).nullable(),
})

export const ExpansionShown = z.object({ frame: ShownFrame })

const driverKinds = {
  local: 'local',
  http: 'http',
  mcp: 'mcp',
  shell: 'shell',
} as const satisfies {
  readonly [Kind in DriverKind]: Kind
}

export const WouldCall = z.object({
  intent: z.string(),
  capability: z.string(),
  driver: z.enum(driverKinds),
  args: z.json(),
  constraints: z.json(),
  useBy: z.string(),
  would: z.json(),
})

export const MintedWarrant = z.object({ token: z.string() })

/** A part of a result that streams. */
export const Part = z.json()
