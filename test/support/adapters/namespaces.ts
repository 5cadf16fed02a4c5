// Whether this machine can set programs apart. CI demands it with `WARRANT_NAMESPACES_REQUIRED`;
// elsewhere what needs it is skipped, and the last line of the run counts it.
import { gatePrograms } from '#gates/run/gate-programs'

const { isolation } = await gatePrograms([])

export const isApart = asDemanded(isolation.kind === 'namespaces', process.env)

/** Throws where they are demanded and missing, so that all that needs them fails. */
export function asDemanded(
  isFound: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (!isFound && (environment['WARRANT_NAMESPACES_REQUIRED'] ?? '') !== '') {
    throw new Error('namespaces are required here, and cannot be had')
  }
  return isFound
}
