// What is checked of a text, by the kind of task that it answers. A number or a section that a
// profile names is always checked.
import type { taskTypes } from '#schemas/work/contract'

export const structuralChecks = [
  'word_count',
  'no_empty_sections',
  'required_sections',
  'sources_list',
  'has_steps',
] as const
export const groundingChecks = [
  'url_reachable',
  'citations_present',
  'numbers_consistent',
  'cross_refs_resolve',
  'dates_valid',
] as const

export type StructuralCheck = (typeof structuralChecks)[number]
export type GroundingCheck = (typeof groundingChecks)[number]

export type TaskType = (typeof taskTypes)[number]

export interface ProseProfile {
  /** In the order in which they are reported. */
  readonly structural: readonly StructuralCheck[]
  readonly grounding: readonly GroundingCheck[]
  readonly minWords: number
  readonly requiredSections: readonly string[]
}

export const proseProfiles: Readonly<Record<TaskType, ProseProfile>> = {
  research: {
    structural: ['word_count', 'sources_list', 'no_empty_sections', 'required_sections'],
    grounding: ['url_reachable', 'citations_present'],
    minWords: 200,
    requiredSections: ['summary', 'sources'],
  },
  analysis: {
    structural: ['word_count', 'required_sections', 'no_empty_sections'],
    grounding: ['numbers_consistent'],
    minWords: 150,
    requiredSections: ['findings', 'conclusion'],
  },
  strategy: {
    structural: ['required_sections', 'no_empty_sections', 'word_count'],
    grounding: ['cross_refs_resolve'],
    minWords: 100,
    requiredSections: ['objective', 'approach', 'risks'],
  },
  writing: {
    structural: ['word_count', 'no_empty_sections'],
    grounding: [],
    minWords: 50,
    requiredSections: [],
  },
  planning: {
    structural: ['required_sections', 'has_steps', 'no_empty_sections', 'word_count'],
    grounding: ['dates_valid'],
    minWords: 50,
    requiredSections: ['tasks', 'timeline'],
  },
  custom: { structural: [], grounding: [], minWords: 0, requiredSections: [] },
}
