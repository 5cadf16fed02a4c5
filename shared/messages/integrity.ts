// How much of a message's word is backed, in integer hundredths so that no rounding decides at a
// threshold. The sender's own figures are never looked at.
import type { VlpMessage, VlpOutcome } from '#schemas/vlp'
import { isBlank } from './text.ts'

const base = 50
const perProvenance = 12
const perKnownConstraint = 9
const perUnknownConstraint = 10
const passMin = 75
const reviewMin = 50

/** What counts towards integrity. Repeats count each time, as in the published formula. */
export interface Backing {
  readonly provenance: number
  readonly known: number
  readonly unknown: number
}

/**
 * Counts provenance that says something, and constraints by the catalog's list. An empty list makes
 * none unknown. A blank constraint binds no one: it is never known, whatever the list says.
 */
export function backingOf(message: VlpMessage, knownConstraints: readonly string[]): Backing {
  let provenance = 0
  for (const item of message.provenance ?? []) {
    if (!isBlank(typeof item === 'string' ? item : item.ref)) provenance += 1
  }
  const constraints = message.constraints ?? []
  if (constraints.length === 0) return { provenance, known: 0, unknown: 0 }
  const listed = new Set(knownConstraints)
  let known = 0
  let unknown = 0
  for (const constraint of constraints) {
    if (!isBlank(constraint) && (listed.size === 0 || listed.has(constraint))) known += 1
    else if (listed.size > 0) unknown += 1
  }
  return { provenance, known, unknown }
}

export function integrityOf({ provenance, known, unknown }: Backing): number {
  const sum =
    base + perProvenance * provenance + perKnownConstraint * known - perUnknownConstraint * unknown
  return Math.min(100, Math.max(0, sum))
}

export function gateOf(integrity: number): VlpOutcome {
  if (integrity >= passMin) return 'pass'
  return integrity >= reviewMin ? 'review' : 'fail'
}
