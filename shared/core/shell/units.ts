// The simple commands of one command, each with what it comes to, and whether together they send a
// secret out.

export interface Unit {
  readonly concepts: Set<string>
  /** A secret stands in its own arguments or input. */
  holdsSecret: boolean
}

/**
 * Whether a secret that one reads can reach the network by another. Two commands that only stand
 * side by side may hand it over by a file or a variable; what asks a fixed service counts where the
 * secret is piped into it.
 */
export function secretSent(units: readonly Unit[], isPiped: boolean): boolean {
  return units.some((one) => {
    const goes = one.concepts.has('network.send') || one.concepts.has('network.fetch')
    const asks = one.concepts.has('network.query')
    if (!goes && !asks) return false
    if (one.holdsSecret) return true
    if (!goes && !isPiped) return false
    return units.some((other) => other !== one && other.concepts.has('secret.read'))
  })
}
