// What a thread that judges hooks is started with.
import { z } from 'zod'

export const PoolData = z.strictObject({
  folders: z.strictObject({ shell: z.string(), hooks: z.string() }),
  key: z.instanceof(Uint8Array),
  readable: z.union([z.literal('project'), z.array(z.string()).readonly()]),
})
export type PoolData = z.infer<typeof PoolData>
