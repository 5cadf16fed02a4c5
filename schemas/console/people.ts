// Who is at the browser: signing in, the session, and the passkeys that a policy admin enrols.
import { z } from 'zod'
import { Passkey } from '../people/passkey.ts'
import { Signature } from '../values.ts'
import { LogPositions } from './positions.ts'

const Instant = z.iso.datetime()
/** Bytes as base64url without padding. */
const Bytes = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+$/)
/** A one-time link has it in its fragment: what it is for, and who signed it. */
const Secret = z
  .string()
  .max(4096)
  .regex(/^[A-Za-z0-9_-]{20,3000}\.[A-Za-z0-9_-]{20,1000}$/)
const PersonId = z.string().min(1).max(256)

/** What a person of the console may do, beside what everyone there may. */
const Right = z.enum(['confirmer', 'auditor', 'operator', 'author'])

/** How someone can sign in here. */
const SignInWay = z.enum(['passkey', 'link', 'issuer'])

/** Answered to anyone: who is signed in, and else how one does. */
export const ConsoleSession = z.strictObject({
  realm: z.string(),
  log: z.string().nullable(),
  /** Up to where this server has read the log, and its clock then. */
  position: LogPositions,
  now: Instant,
  /** Of a log that `warrant dev` began, for one person on one machine; absent elsewhere. */
  dev: z.literal(true).optional(),
  /** For passkeys; null where the catalog knows no console at this address. */
  rpId: z.string().nullable(),
  ways: z.array(SignInWay),
  person: z
    .strictObject({
      id: PersonId,
      rights: z.array(Right),
      by: SignInWay,
      /** What each write sends as `x-csrf-token`. */
      csrf: z.string(),
      endsAt: Instant,
      idleEndsAt: Instant,
      /** By which the person may sign, as the catalog has it. */
      passkeys: z.array(z.strictObject({ id: Bytes })),
      keys: z.int(),
      /** Where traces are shown, with `{trace}` in place of the id; null where no one said. */
      traces: z.string().nullable(),
    })
    .nullable(),
})
export type ConsoleSession = z.infer<typeof ConsoleSession>

/** What `navigator.credentials.get` takes, in the spelling of its JSON. */
export const PasskeyAsked = z.strictObject({
  challenge: Bytes,
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(z.strictObject({ type: z.literal('public-key'), id: Bytes })),
})
export type PasskeyAsked = z.infer<typeof PasskeyAsked>

/** What a browser gives back for it. */
export const PasskeySignIn = z.strictObject({ assertion: Signature })

/** Of a link that `warrant console link` or `enrol` made. */
export const LinkBody = z.strictObject({ secret: Secret })

/** Where to sign out at the issuer; null where no issuer signed the person in. */
export const SignedOutThere = z.strictObject({ issuer: z.string().nullable() })
export type SignedOutThere = z.infer<typeof SignedOutThere>

/** What `navigator.credentials.create` takes, in the spelling of its JSON. */
export const PasskeyToMake = z.strictObject({
  challenge: Bytes,
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: Bytes, name: PersonId, displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('required'),
  }),
  excludeCredentials: z.array(z.strictObject({ type: z.literal('public-key'), id: Bytes })),
})
export type PasskeyToMake = z.infer<typeof PasskeyToMake>

export const PasskeyMade = z.strictObject({
  secret: Secret,
  clientData: Bytes,
  /** With the key that was made. */
  authenticatorData: Bytes,
  /** What its owner calls it, such as the device that it is on. */
  label: z.string().min(1).max(64).optional(),
})
export type PasskeyMade = z.infer<typeof PasskeyMade>

/** What the person compares with what the policy admin sees. */
export const EnrolmentAnswer = z.strictObject({
  person: PersonId,
  /** `begun` until a passkey is made, `waiting` until a policy admin signs it in. */
  state: z.enum(['begun', 'waiting', 'enrolled']),
  fingerprint: z.string().nullable(),
  /** As it would stand in the catalog. */
  passkey: Passkey.nullable(),
})
export type EnrolmentAnswer = z.infer<typeof EnrolmentAnswer>
