// What stands around the content of every fact that is no message. Golden logs are read by this for
// ever: a change is a new version and an upcaster.
import { z } from 'zod'
import { DoorName } from './values.ts'
import { later } from './later.ts'

/** Version 00 of W3C Trace Context; ids of zeros alone are invalid there. */
export const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * What stands around the content: a CloudEvents 1.0 event with the extensions `basis`,
 * `traceparent` and `via`.
 */
export const Envelope = later(() =>
  z.strictObject({
    specversion: z.literal('1.0'),
    id: z.string(),
    type: z.string().regex(/^warrant\.[a-z]+\.v[0-9]+$/),
    source: z.string().min(1),
    time: z.iso.datetime({ offset: true }),
    datacontenttype: z.literal('application/json'),
    /** The position up to which everything was known to the author, in decimal. */
    basis: z.string().regex(/^(0|[1-9][0-9]{0,15})$/),
    /** That of the message which opened the intent, if it has one. */
    traceparent: z.string().regex(traceparentPattern).optional(),
    /** The door that bound it in the name of its author, where one did. */
    via: DoorName.optional(),
    data: z.unknown(),
  }),
)
export type Envelope = z.infer<typeof Envelope>
