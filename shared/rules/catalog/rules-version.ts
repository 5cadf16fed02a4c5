// The versions of the rules, each with what it changed. They cover the fold, the deciders and the
// bytes of what they derive: a change of meaning is a new version, and never an edit of an old one.
import { Fault } from '#record/fault'

/** In which version each change came: a log under an older one goes on without it. */
const since = {
  /** An equal open request is refused, and an intent may say that it is `distinct`. */
  equalRequests: 2,
  /** An intent may rest on a delegation, and is then judged with all whom it acts for. */
  delegations: 3,
  /** An intent may name the subject that is judged, and is then only an evaluation. */
  evaluations: 4,
  /** An intent may be a search: then each is judged that could be meant. */
  searches: 5,
  /** Where only people are missing, the verdict on an observed intent says that none was asked. */
  observedAsksNoOne: 5,
  /** A query may open a contract, and a claim may be one of its work. */
  contracts: 6,
  /** Conversions of conditions take the whole text as CEL's grammar has it, or refuse. */
  strictConversions: 7,
  /** Patterns of schemas run in RE2, in linear time; one that RE2 lacks refuses. */
  linearPatterns: 7,
  /** A number that a double cannot hold is refused by name. */
  exactNumbers: 7,
  /** A void answer under an entitled person's name opens the next number of the review. */
  spoiltAnswers: 7,
  /** A request that brings the reason that an open one lacks takes its place. */
  replacedRequests: 7,
  /** No drill counts, nor an answer to one, and no catalog names who may be shown any. */
  withoutDrills: 7,
  /** An intent that has twice cost a worker its deadline is denied for it. */
  setAside: 7,
  /** An identifier that is a ULID must be near the log's time: an era says its latest. */
  boundedIdentifiers: 8,
  /** Conditions read what the agent did in the session before. */
  earlierActs: 9,
  /** What people agreed to before is known only while they could still be asked. */
  standingConfirmers: 9,
  /** A value of which people's own words speak only to bar it is not known. */
  barredValues: 9,
  /** An amount that people write in words is one. */
  numberWords: 9,
  /** A text of the owner's own that people point to may hold a value. */
  ownTexts: 9,
  /** A denial for its arguments has the names that the schema does not know. */
  argumentNames: 9,
} as const

export type RulesChange = keyof typeof since

export const newestRules = 9

/** Whether the rules that the catalog names have that change. */
export function hasRules({ rules }: { readonly rules: number }, change: RulesChange): boolean {
  return rules >= since[change]
}

/** Throws a Fault `rules_unknown` where the catalog asks for rules that this program has not. */
export function refuseUnknownRules({ rules }: { readonly rules: number }): void {
  if (rules <= newestRules) return
  const known = `versions up to ${String(newestRules)}`
  const message = `the catalog asks for rules version ${rules}, and this program has ${known}`
  throw new Fault('rules_unknown', `${message}: use a newer one`)
}
