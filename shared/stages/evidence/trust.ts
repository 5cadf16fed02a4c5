// Whose word counts for an agent, by its catalog, and to whom it must be addressed.
import type { Catalog } from '#rules/catalog/catalog'

/** Who listens, and the catalog by which. */
export interface Addressee {
  readonly catalog: Catalog
  readonly ref: { readonly agent: string }
}

/** The agent itself, or a group of the catalog that it belongs to. */
export function isReceiver({ ref, catalog }: Addressee, receiver: string | null): boolean {
  if (receiver === null) return false
  return (
    receiver === ref.agent || catalog.groups.get(receiver)?.members.includes(ref.agent) === true
  )
}

/** Whether it is trusted for the callback, or for the capability. */
export function isFor(
  what: string,
  callback: string | null,
  capability: string | undefined,
): boolean {
  return what === '*' || what === callback || what === capability
}

/** Whom the catalog trusts for one of these, and for what else. */
export function trustedSenders(
  { catalog, ref }: Addressee,
  isWanted: (what: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const { trustedEvidence, principals } = catalog
  const trusted = new Map<string, readonly string[]>()
  for (const { sender } of trustedEvidence) {
    // No one backs itself, whatever the catalog trusts it for.
    if (sender === ref.agent || principals.get(sender)?.suspended !== false) continue
    const all = trustedEvidence.flatMap((one) => (one.sender === sender ? one.for : []))
    if (all.some(isWanted)) trusted.set(sender, all)
  }
  return trusted
}
