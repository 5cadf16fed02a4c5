// Which version of the rules this program knows. It covers the fold, the deciders and the bytes of
// what they derive: a change of meaning is a new version, and never an edit of an old one.
import { Fault } from '../kernel/fault.ts'

export const newestRules = 1

/** Throws a Fault `rules_unknown` where the catalog asks for rules that this program has not. */
export function refuseUnknownRules({ rules }: { readonly rules: number }): void {
  if (rules <= newestRules) return
  const known = `versions up to ${String(newestRules)}`
  const message = `the catalog asks for rules version ${rules}, and this program has ${known}`
  throw new Fault('rules_unknown', `${message}: use a newer one`)
}
