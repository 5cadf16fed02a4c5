// Who is at the browser: signing in, the session, and the passkeys that an administrator enrols.
import { z } from 'zod'
import { SigningGrade } from './signing.ts'

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
export const ConsoleRight = z.enum(['confirmer', 'auditor', 'operator', 'author'])
export type ConsoleRight = z.infer<typeof ConsoleRight>

/** How someone can sign in here. */
const SignInWay = z.enum(['passkey', 'link', 'issuer'])

/** Answered to anyone: who is signed in, and else how one does. */
export const ConsoleSession = z.strictObject({
  realm: z.string(),
  log: z.string().nullable(),
  /** Up to where this server has read the log, and its clock then. */
  position: z.int(),
  now: Instant,
  /** For passkeys; null where the catalog knows no console at this address. */
  rpId: z.string().nullable(),
  ways: z.array(SignInWay),
  person: z
    .strictObject({
      id: PersonId,
      rights: z.array(ConsoleRight),
      by: SignInWay,
      /** What each write sends as `x-csrf-token`. */
      csrf: z.string(),
      endsAt: Instant,
      idleEndsAt: Instant,
      /** By which the person may sign, as the catalog has it. */
      passkeys: z.array(z.strictObject({ id: Bytes })),
      keys: z.int(),
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

export const PasskeySignIn = z.strictObject({
  credential: Bytes,
  clientData: Bytes,
  authenticatorData: Bytes,
  value: Bytes,
})
export type PasskeySignIn = z.infer<typeof PasskeySignIn>

/** Of a link that `warrant console link` or `enrol` made. */
export const LinkBody = z.strictObject({ secret: Secret })

/** Where to sign out at the issuer; null where no issuer signed the person in. */
export const SignedOutThere = z.strictObject({ issuer: z.string().nullable() })

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
  credential: Bytes,
  clientData: Bytes,
  /** With the key that was made. */
  attestation: Bytes,
})
export type PasskeyMade = z.infer<typeof PasskeyMade>

/** What the person compares with what the administrator sees. */
export const EnrolmentAnswer = z.strictObject({
  person: PersonId,
  fingerprint: z.string(),
  /** `waiting` until the administrator signs the change of the catalog. */
  state: z.enum(['waiting', 'enrolled', 'ended']),
})
export type EnrolmentAnswer = z.infer<typeof EnrolmentAnswer>

/** A key that stays in this browser, for decisions alone; the passkey signs for it. */
export const BrowserKeyBody = z.strictObject({
  key: z.string().regex(/^ed25519:[A-Za-z0-9_-]{43}$/),
  /** At most seven days from now. */
  forMs: z.int().min(60_000).max(604_800_000),
})
export type BrowserKeyBody = z.infer<typeof BrowserKeyBody>

/** By what a confirmation lets people sign. */
export const Demands = z.strictObject({
  grade: SigningGrade,
  reason: z.enum(['decline', 'always']).nullable(),
})
export type Demands = z.infer<typeof Demands>
