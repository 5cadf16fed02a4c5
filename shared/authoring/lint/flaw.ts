// What is wrong with a graph or a catalog and stops nothing: it is sound, and yet something in it
// can never count, or no one will ever come by it.
import type { Ground } from '#schemas/facts'
import type { RelationType } from '#schemas/graph'
import type { Graph } from '#knowledge/graph/revision'

/** In the order in which a check lists them. */
export const flawCodes = [
  'concept_unknown',
  'capability_ungrounded',
  'concepts_missing',
  'existence_missing',
  'level_hollow',
  'level_dormant',
  'level_placeholder',
  'edge_gated',
  'edge_unmet',
  'policy_misplaced',
  'policy_gated',
  'policy_unreached',
  'policy_cardinality',
  'policy_unasked',
  'part_unreached',
  'keys_gone',
  'confirmation_unanswerable',
  'confirmation_sessionless',
  'capability_unpermitted',
  'capability_misnamed',
  'argument_unsent',
  'result_unredacted',
  'role_unread',
  'role_unheld',
  'condition_misread',
  'text_unfilled',
  'thing_unlisted',
  'text_unread',
  'confirmed_elsewhere',
  'part_alone',
  'acts_vouched',
  'acts_unbounded',
] as const

export type FlawCode = (typeof flawCodes)[number]

export interface Flaw {
  readonly code: FlawCode
  readonly where: FlawPlace
  readonly what: string
  readonly fix: string
}

/** How the gaps of a grounding are closed, in words: core has none of its own for that. */
export type Fixes = (graph: Graph, ground: Ground) => readonly { readonly text: string }[]

/** As much of it as there is: a capability, or a primitive and what of it. */
export interface FlawPlace {
  readonly capability?: string
  readonly principal?: string
  readonly primitive?: string
  readonly level?: number
  readonly edge?: { readonly type: RelationType; readonly target: string }
  readonly policy?: string
}
