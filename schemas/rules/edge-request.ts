// The words by which a request at a proxy is a call of a capability.
import { z } from 'zod'
import { later } from '../later.ts'

const segment = String.raw`(?:[A-Za-z0-9._~@:!$*+,=-]+|\{[A-Za-z][A-Za-z0-9_]*\})`

/** A request at a proxy that is a call of the capability. */
export const EdgeRequest = later(() =>
  z.strictObject({
    method: z.string().regex(/^[A-Z]{1,32}$/),
    /** As OpenAPI writes it: `/todos/{id}`. */
    path: z
      .string()
      .max(1024)
      .regex(new RegExp(String.raw`^(?:/|(?:/${segment})+)$`)),
    /** The host that clients name, without a port; absent means any. */
    host: z
      .string()
      .regex(/^[a-z0-9.-]{1,253}$/)
      .optional(),
  }),
)
export type EdgeRequest = z.infer<typeof EdgeRequest>
