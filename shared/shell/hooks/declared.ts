// What a log declares of the calls of coding agents: what it does not is neither bound nor shown,
// until its seeds are applied again.
import type { Capability } from '#schemas/catalog'

export type Declaring = ReadonlyMap<string, Pick<Capability, 'argsSchema'>>

/** The names of the arguments of a capability; none where the log has no such capability. */
export function declaredArguments(capabilities: Declaring, id: string): readonly string[] {
  const properties = capabilities.get(id)?.argsSchema['properties']
  const isNamed = typeof properties === 'object' && properties !== null
  return isNamed && !Array.isArray(properties) ? Object.keys(properties) : []
}

/** Whether a capability that may write has not all by which what it writes is bound and shown. */
export function lacksMembers(declared: ReadonlySet<string>): boolean {
  return ['input', 'excerpt', 'whole'].some((name) => !declared.has(name))
}
