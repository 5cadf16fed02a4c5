// Whether this machine can set programs apart. CI demands it with `WARRANT_NAMESPACES_REQUIRED`;
// elsewhere what needs it is skipped, and the last line of the run counts it.
import { gatePrograms } from '#adapters/work/gate-programs'

const { isolation } = await gatePrograms([])

export const isApart = isolation.kind === 'namespaces'

if (!isApart && (process.env['WARRANT_NAMESPACES_REQUIRED'] ?? '') !== '') {
  throw new Error('namespaces are required here, and cannot be had')
}
