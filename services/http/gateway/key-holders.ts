// Whose key it is, by its thumbprint. Those of a catalog are taken once and not for each proof, so
// that proofs with keys of no one cost no more than any other.
import type { Catalog } from '#rules/catalog/catalog'
import { thumbprintOf } from '#messages/warrants/jwk'
import type { Principal } from '#schemas/catalog'

type Holders = ReadonlyMap<string, readonly Principal[]>

const known = new WeakMap<Catalog['principals'], Holders>()

/** Those that prove themselves by that key now. */
export function holdersOf(
  { principals }: Pick<Catalog, 'principals'>,
  jkt: string,
): readonly Principal[] {
  const holders = known.get(principals) ?? allIn(principals)
  known.set(principals, holders)
  return holders.get(jkt) ?? []
}

function allIn(principals: Catalog['principals']): Holders {
  const holders = new Map<string, Principal[]>()
  for (const principal of principals.values()) {
    const last = principal.keys.at(-1)
    if (principal.suspended || last === undefined) continue
    const jkt = thumbprintOf(last)
    const others = holders.get(jkt)
    if (others === undefined) holders.set(jkt, [principal])
    else others.push(principal)
  }
  return holders
}
