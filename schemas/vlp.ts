// The words of VLP/1.1: the envelope of a message as it stands on the wire, and what a check may
// say of it. Strict in types, open to properties it does not know; it never changes what it reads.
import { z } from 'zod'
import { later } from './later.ts'

export const vlpProtocol = 'VLP/1.1'

export const VlpType = later(() =>
  z.enum(['claim', 'evidence', 'query', 'response', 'correction', 'notice', 'session_context']),
)
export type VlpType = z.infer<typeof VlpType>

export const ProvenanceKind = later(() =>
  z.enum(['url', 'hash', 'document', 'api', 'snapshot', 'log', 'excerpt', 'other']),
)

export const SafetyLevel = later(() => z.enum(['safe', 'review', 'block']))
export type SafetyLevel = z.infer<typeof SafetyLevel>

const OpenMap = later(() => z.record(z.string(), z.unknown()))
const NullableText = later(() => z.string().nullable().exactOptional())

// JSON Schema counts characters in code points, and zod's own `min` in UTF-16 units.
function text(charactersMin: number) {
  return z
    .string()
    .refine((value) => Array.from(value).length >= charactersMin)
    .meta({ minLength: charactersMin })
}

export const ProvenanceItem = later(() =>
  z.union([
    z.string(),
    z.looseObject({
      ref: z.string(),
      kind: ProvenanceKind.exactOptional(),
      hash: z.string().exactOptional(),
      excerpt: z.string().exactOptional(),
      fetched_at: z.string().exactOptional(),
    }),
  ]),
)
export type ProvenanceItem = z.infer<typeof ProvenanceItem>

const VlpSafety = later(() =>
  z.looseObject({
    level: SafetyLevel,
    issues: z.array(
      z.looseObject({ code: z.string().exactOptional(), detail: z.string().exactOptional() }),
    ),
    requires_human: z.boolean().exactOptional(),
  }),
)

export const VlpMessage = later(() =>
  z.looseObject({
    id: text(3),
    protocol: z.literal(vlpProtocol),
    type: VlpType,
    timestamp: text(10),
    sender: text(1),
    content: z.union([z.string(), OpenMap]),
    confidence: z.number().min(0).max(1),
    session_id: NullableText,
    // Any integer, as JSON Schema means it: zod's own `int` stops at 2^53 - 1.
    seq: z
      .number()
      .min(0)
      .refine(Number.isInteger)
      .meta({ type: 'integer' })
      .nullable()
      .exactOptional(),
    receiver: NullableText,
    topic: NullableText,
    provenance: z.array(ProvenanceItem).exactOptional(),
    constraints: z.array(z.string()).exactOptional(),
    safety: VlpSafety.exactOptional(),
    refers_to: z.union([z.string(), z.array(z.string()), z.null()]).exactOptional(),
    keywords: z.array(z.string()).exactOptional(),
    payload: OpenMap.nullable().exactOptional(),
    _extras: OpenMap.exactOptional(),
  }),
)
export type VlpMessage = z.infer<typeof VlpMessage>

export const VlpOutcome = later(() => z.enum(['pass', 'review', 'fail']))
export type VlpOutcome = z.infer<typeof VlpOutcome>

export const VlpSeverity = later(() => z.enum(['error', 'warning', 'info']))
export type VlpSeverity = z.infer<typeof VlpSeverity>

export const VlpIssueCode = later(() =>
  z.enum([
    'schema_invalid',
    'evidence_missing_refers_to',
    'evidence_missing_provenance',
    'response_missing_refers_to',
    'correction_missing_refers_to',
    'safety_block',
    'missing_provenance_high_confidence',
    'safety_review',
    'requires_human',
    'low_integrity_gate',
    'refers_to_unresolved',
    'refers_to_self',
    'seq_gap',
    'seq_duplicate',
    'session_unknown',
    'duplicate_id',
    'provenance_empty_ref',
    'timestamp_invalid',
    'session_id_invalid',
    'computed_field_spoofed',
  ]),
)
export type VlpIssueCode = z.infer<typeof VlpIssueCode>

/** Why bytes or a value are not JSON that is read. */
export const JsonFaultCode = later(() =>
  z.enum([
    'too_large',
    'too_deep',
    'too_many_values',
    'not_utf8',
    'not_json',
    'duplicate_key',
    'unsafe_key',
    'lone_surrogate',
    'number_out_of_range',
    'number_inexact',
  ]),
)
export type JsonFaultCode = z.infer<typeof JsonFaultCode>

/** How the identifier that a message came under lies by the time of the log. */
export const IdentifierCause = later(() => z.enum(['clock_ahead', 'stale_identifier']))
export type IdentifierCause = z.infer<typeof IdentifierCause>

/** What the sentence about an issue is made of; no text of the message, and no sentence. */
export const VlpIssueParams = later(() =>
  z.strictObject({
    /** The keyword of JSON Schema that is not met, and what it expects. */
    keyword: z.string().optional(),
    expected: z.record(z.string(), z.json()).optional(),
    fault: JsonFaultCode.optional(),
    /** Where one code stands for several things, which of them it is. */
    cause: z
      .enum([
        'old_protocol',
        'other_session',
        'not_reached',
        'session_closed',
        'session_overlong',
        'cites_too_many',
        ...IdentifierCause.options,
        'first_missing',
      ])
      .optional(),
  }),
)
export type VlpIssueParams = z.infer<typeof VlpIssueParams>

export const VlpIssue = later(() =>
  z.strictObject({
    code: VlpIssueCode,
    severity: VlpSeverity,
    /** A JSON pointer into the message; the empty one means all of it. */
    path: z.string(),
    params: VlpIssueParams,
  }),
)
export type VlpIssue = z.infer<typeof VlpIssue>
