// Faults of gateways: what each code means, and what to do.
import type { FaultEntry } from '../faults/entry.ts'

export const gatewayFaults = {
  gateway_only: {
    retry: 'never',
    means: 'A gateway carries the capability out, so the agent’s own program may not.',
    fix: 'Call it through the gateway: `call` of the client, or `warrant call`.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>
