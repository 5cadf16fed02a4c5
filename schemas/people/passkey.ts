// The words of the catalog about what people sign with in a browser: their passkeys, and the
// consoles at which these count.
import { z } from 'zod'
import { bytesText, CredentialId, DoorName } from '../values.ts'
import { later } from '../later.ts'

/** The algorithms of COSE: EdDSA with Ed25519, ES256, and RS256. */
export const PasskeyAlgorithm = later(() => z.literal([-8, -7, -257]))
export type PasskeyAlgorithm = z.infer<typeof PasskeyAlgorithm>

/** A passkey of a principal: its signatures count where one by a key file does. */
export const Passkey = later(() =>
  z.strictObject({
    /** No two principals share one. */
    id: CredentialId,
    /** The public half, as a COSE_Key. */
    key: bytesText(1_024),
    algorithm: PasskeyAlgorithm,
    /** Whether it may be copied to other devices, as its authenticator said when it was made. */
    backupEligible: z.boolean(),
    /** Whether it was copied then. */
    backedUp: z.boolean(),
    /** What its owner calls it, such as the device that it is on. */
    label: z.string().min(1).max(64).optional(),
  }),
)
export type Passkey = z.infer<typeof Passkey>

/** Where people sign with passkeys: one server, and where browsers find it. */
export const Console = later(() =>
  z.strictObject({
    id: DoorName,
    /** The host that its passkeys are for, or a domain above it. */
    rpId: z
      .string()
      .max(253)
      .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/),
    /** Such as `https://console.example.org`; without TLS only `http://localhost` and a port. */
    origins: z
      .array(
        z
          .string()
          .max(300)
          .regex(/^(?:https:\/\/[a-z0-9.-]+|http:\/\/localhost)(?::[1-9][0-9]{0,4})?$/),
      )
      .min(1)
      .max(16),
  }),
)
export type Console = z.infer<typeof Console>
