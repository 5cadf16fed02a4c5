// A thing that calls are about, as the catalog lists it: so that it can be searched for, and so
// that rules need not believe a caller what it is.
import { z } from 'zod'
import { Id } from './terms.ts'
import { later } from '../later.ts'

const propertiesCharactersMax = 8_000

const Properties = later(() =>
  z
    .record(z.string(), z.json())
    .refine((map) => JSON.stringify(map).length <= propertiesCharactersMax, {
      message: `the properties are longer than ${propertiesCharactersMax} characters`,
    }),
)

export const Resource = later(() =>
  z.strictObject({
    id: Id.regex(/^[^:]+:./su, 'write `<type>:<id>`, such as `record:101`').describe(
      'Its type and its own id, such as `record:101`. A type has no colon.',
    ),
    /** What rules read as `args.resource.properties`, whatever who asks says of it. */
    properties: Properties.default({}),
  }),
)
export type Resource = z.infer<typeof Resource>
