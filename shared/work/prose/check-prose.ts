// Whether a text has what its task asks for. Layers go in order: what a text stands on is not
// looked at before its structure holds.
import { documentOf, type ProseDocument } from './document.ts'
import { groundingFindings } from './grounding.ts'
import {
  proseProfiles,
  structuralChecks,
  type GroundingCheck,
  type ProseProfile,
  type StructuralCheck,
  type TaskType,
} from './profiles.ts'
import { structureFindings, type Demanded, type ProseFinding } from './structure.ts'

export type ProseCheck = StructuralCheck | GroundingCheck

export interface ProseToCheck {
  /** Markdown, of at most `textLengthMax` UTF-16 code units. */
  readonly text: string
  /** The checks of a kind of task, in layers; or those that are named, all of them, in order. */
  readonly asked: TaskType | readonly ProseCheck[]
  /** Instead of that of the profile; 0 where checks are named. */
  readonly minWords?: number
  /** Instead of those of the profile; none where checks are named. */
  readonly requiredSections?: readonly string[]
  /** For dates, in milliseconds since 1970. */
  readonly now?: number
}

export interface FoundByCheck extends ProseFinding {
  readonly check: ProseCheck
}

export interface ProseResult {
  /** Whether there are no failures. */
  readonly passed: boolean
  readonly failures: readonly FoundByCheck[]
  readonly warnings: readonly FoundByCheck[]
}

/** Beyond it a text is not read. */
export const textLengthMax = 1_048_576

/** Never throws. */
export function checkProse({ text, asked, now, ...given }: ProseToCheck): ProseResult {
  const document = documentOf(text)
  if (typeof asked !== 'string') {
    const demanded = { minWords: 0, requiredSections: [], ...given }
    const isStructural = (check: ProseCheck): check is StructuralCheck => {
      return structuralChecks.some((each) => each === check)
    }
    return resultOf(
      asked.map((check) => {
        return isStructural(check)
          ? structuralLayer([check], document, demanded)
          : groundingLayer([check], document, now)
      }),
    )
  }
  const profile = proseProfiles[asked]
  const structure = structuralLayer(enforced(profile, given), document, { ...profile, ...given })
  if (structure.failures.length > 0) return resultOf([structure])
  return resultOf([structure, groundingLayer(profile.grounding, document, now)])
}

/** What a line demands is checked, also where the profile does not ask for it. */
export function enforced(
  { structural }: ProseProfile,
  { minWords, requiredSections }: Partial<Demanded>,
): readonly StructuralCheck[] {
  const added: StructuralCheck[] = []
  if (minWords !== undefined) added.push('word_count')
  if (requiredSections !== undefined) added.push('required_sections')
  return [...structural, ...added.filter((check) => !structural.includes(check))]
}

type Layer = Pick<ProseResult, 'failures' | 'warnings'>

function structuralLayer(
  checks: readonly StructuralCheck[],
  document: ProseDocument,
  demanded: Demanded,
): Layer {
  const failures = checks.flatMap((check) => {
    return structureFindings(check, document, demanded).map((found) => ({ check, ...found }))
  })
  return { failures, warnings: [] }
}

function groundingLayer(
  checks: readonly GroundingCheck[],
  document: ProseDocument,
  now: number | undefined,
): Layer {
  const failures: FoundByCheck[] = []
  const warnings: FoundByCheck[] = []
  for (const check of checks) {
    const { fails, findings } = groundingFindings(check, document, now)
    const found = findings.map((one) => ({ check, ...one }))
    for (const one of found) (fails ? failures : warnings).push(one)
  }
  return { failures, warnings }
}

function resultOf(layers: readonly Layer[]): ProseResult {
  const failures = layers.flatMap((layer) => layer.failures)
  const warnings = layers.flatMap((layer) => layer.warnings)
  return { passed: failures.length === 0, failures, warnings }
}
