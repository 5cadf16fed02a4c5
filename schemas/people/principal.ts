// The words of the catalog about who there is: what each is called, what it signs with, whose agent
// it is, and which groups there are.
import { z } from 'zod'
import { Evaluates } from '../rules/matcher.ts'
import { Id } from '../rules/terms.ts'
import { DoorName } from '../values.ts'
import { Passkey } from './passkey.ts'
import { later } from '../later.ts'

/** The public half: 32 bytes in base64url, in the one spelling that has no spare bits set. */
export const PublicKeyText = later(() =>
  z.string().regex(/^ed25519:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/),
)

/** Who an issuer of OpenID Connect says that someone is: its `iss` and the `sub` of that person. */
export const Identity = later(() =>
  z.strictObject({
    issuer: z.string().min(1).max(1024),
    subject: z.string().min(1).max(255),
  }),
)
export type Identity = z.infer<typeof Identity>

export const Principal = later(() =>
  z.strictObject({
    id: Id.describe('What it is called in the log, in names of its messages too.'),
    roles: z.array(Id).default([]).describe('What it may do by the rules, such as `writer`.'),
    attributes: z
      .record(z.string(), z.string())
      .default({})
      .describe('What is known of it, such as its own account; rules read them.'),
    owner: Id.optional().describe(
      'Whose agent this is. A principal with an owner speaks for that owner.',
    ),
    keys: z
      .array(PublicKeyText)
      .max(16)
      .default([])
      .describe('What its signatures verify with; without one none of its answers count.'),
    suspended: z.boolean().default(false).describe('Whether all that it asks is refused.'),
    via: z
      .array(DoorName)
      .min(1)
      .max(16)
      .optional()
      .describe('The doors that speak for it, such as `http`; absent means that none does.'),
    passkeys: z
      .array(Passkey)
      .min(1)
      .max(16)
      .optional()
      .describe('What it signs with in a browser, where `consoles` has one.'),
    identities: z
      .array(Identity)
      .min(1)
      .max(16)
      .optional()
      .describe('By which it signs in; absent means that it cannot. No two principals share one.'),
    moving: z
      .literal(true)
      .optional()
      .describe('Whether it is on its way to another cell: what it asks from then on is denied.'),
    evaluates: Evaluates.optional().describe(
      'About whom it may ask what they might do; absent means about itself alone.',
    ),
  }),
)
export type Principal = z.infer<typeof Principal>

export const Group = later(() => z.strictObject({ id: Id, members: z.array(Id).default([]) }))
export type Group = z.infer<typeof Group>
