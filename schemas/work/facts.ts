// What the log has of verified work: that a verifier has begun, what it found, and how a suspended
// agent may work again. Golden logs are read by these for ever.
import { z } from 'zod'
import { Digest, Signature } from '../values.ts'
import { isolationParts } from './contract.ts'
import { later } from '../later.ts'

const Instant = later(() => z.iso.datetime({ offset: true }))
const Name = later(() => z.string().max(600))

/** In the order in which they are looked at. After one that fails no further one is. */
export const gateNames = [
  'files',
  'tests',
  'lint',
  'syntax',
  'structure',
  'sources',
  'links',
  'council',
] as const

export const gateOutcomes = ['pass', 'fail', 'skipped', 'inconclusive', 'error'] as const

export const layerNames = ['deterministic', 'structural', 'grounding', 'council'] as const

export const scoreRules = [
  'schema_invalid',
  'verified_first',
  'verified_retry',
  'refuted',
  'unverified',
  'blocked_with_need',
  'blocked_without_need',
  'failed_with_reason',
  'failed_without_reason',
] as const

const GateFinding = later(() =>
  z.strictObject({
    code: z.string(),
    about: z.string().optional(),
    line: z.int().optional(),
  }),
)

const GateRecord = later(() =>
  z.strictObject({
    gate: z.enum(gateNames),
    outcome: z.enum(gateOutcomes),
    code: z.string().optional(),
    findings: z.array(GateFinding),
    warnings: z.array(GateFinding),
    evidence: z.record(z.string(), z.json()),
  }),
)

/** What a verifier found when it looked. It cannot be derived, and replay reads it back. */
export const WorkFound = later(() =>
  z.strictObject({
    /** What was judged; null where there was nothing, or too much, to be copied. */
    work: z
      .strictObject({
        digest: Digest,
        files: z.int().min(0),
        bytes: z.int().min(0),
        leftOut: z.array(
          z.strictObject({
            path: z.string(),
            why: z.enum([
              'link_outside',
              'link_to_folder',
              'link_dangling',
              'special_file',
              'submodule',
              'unreadable',
              'unsafe_path',
            ]),
          }),
        ),
      })
      .nullable(),
    /** What held of the programs of gates; null where none was run. */
    isolation: z
      .strictObject({
        kind: z.enum(['namespaces', 'process']),
        held: z.array(z.enum(isolationParts)),
      })
      .nullable(),
    gates: z.array(GateRecord),
  }),
)
export type WorkFound = z.infer<typeof WorkFound>

/** A contract: its address, its message, and the digest of its canonical text. */
const ContractRef = later(() => z.strictObject({ address: Name, name: Name, digest: Digest }))

/** No one runs the same attempt before the last moment of the one who has begun. */
export const VerificationStartData = later(() =>
  z.strictObject({
    contract: ContractRef,
    /** The message of the claim. */
    claim: Name,
    attempt: z.int().min(1),
    number: z.int().min(1),
    until: Instant,
  }),
)
export type VerificationStartData = z.infer<typeof VerificationStartData>

/** How a contract ended: `attempts` are used up, or the `time` for the next claim has passed. */
export const contractEndings = ['verified', 'blocked', 'failed', 'attempts', 'time'] as const

/** Why a contract that ended moves no standing. */
const unmovedCauses = ['no_claim', 'issuer_not_listed', 'own_side'] as const

const Ended = later(() =>
  z.strictObject({
    how: z.enum(contractEndings),
    /** From −1 to 1; null where the contract moves no standing. */
    score: z.number().min(-1).max(1).nullable(),
    rule: z.enum(scoreRules).nullable(),
    /** How much of the new standing the score is, or why it moves none. */
    standing: z.union([
      z.strictObject({ alpha: z.number().min(0).max(1) }),
      z.strictObject({ unmoved: z.enum(unmovedCauses) }),
    ]),
  }),
)

export const VerificationData = later(() =>
  WorkFound.extend({
    contract: ContractRef,
    issuer: z.string(),
    worker: z.string(),
    attempt: z.int().min(1),
    /** The message of the claim; null where none came in time. */
    claim: Name.nullable(),
    /** What the worker reports; null where that cannot be read. */
    status: z.enum(['success', 'blocked', 'failed']).nullable(),
    /** The messages of evidence that the claim refers to. */
    sources: z.array(Name),
    verification: z.enum(['verified', 'refuted', 'unverified']),
    gateFailed: z.enum(gateNames).nullable(),
    layerFailed: z.enum(layerNames).nullable(),
    /** Null where another attempt may follow. */
    ended: Ended.nullable(),
  }),
)
export type VerificationData = z.infer<typeof VerificationData>

/** A suspended agent may work again: a person signs for that, or the catalog's time has passed. */
export const ReinstatementData = later(() =>
  z.union([
    z.strictObject({
      agent: z.string(),
      by: z.string(),
      reason: z.string().min(1).max(4000),
      signature: Signature.optional(),
    }),
    z.strictObject({
      agent: z.string(),
      /** The fact that suspended it, so long ago. */
      suspendedBy: Name,
      afterMs: z.int().min(1),
    }),
  ]),
)
export type ReinstatementData = z.infer<typeof ReinstatementData>
