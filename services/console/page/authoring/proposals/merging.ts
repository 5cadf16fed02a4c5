// Questions that mean the same made into one: one name stays, and each other is refused as a name
// of its own, or becomes known as the same. Each is a ruling of its own.
import type { ChangeBody } from '#schemas/console/authoring'
import type { Primitive } from '#schemas/graph'
import type { Candidate, Template } from '#schemas/learning'
import { candidateOf, changeFor, type AnswerDraft, type OpenQuestion } from './question.ts'
import type { RulingDraft } from './ruling.ts'

/** What becomes of a name that does not stay. */
export type Fate = 'refused' | 'known'

export interface Merging {
  readonly questions: readonly OpenQuestion[]
  /** The name that stays: one that is asked about, or one that is known. */
  readonly kept: string
  /** By the id of the question; absent means refused. */
  readonly fates: ReadonlyMap<string, Fate>
  /** What is written of the name that stays, where it is asked about. */
  readonly draft: AnswerDraft
  /** What the graph has of the name that stays; null where it has none. */
  readonly known: Primitive | null
}

export type MergeStep = Omit<RulingDraft, 'note'>

/** Whether one of these can stand for another: only names that are unknown yet. */
export function canMerge(questions: readonly OpenQuestion[]): boolean {
  const all = questions.filter(({ data, state }) => {
    return data.template.kind === 'EXISTENCE' && state !== 'agreed'
  })
  return all.length > 0 && all.length === questions.length && namesToKeep(questions).length > 1
}

/** Those that are asked about first, and then those that are known. */
export function namesToKeep(questions: readonly OpenQuestion[]): readonly string[] {
  const asked = questions.map(({ data }) => askedName(data.template))
  const known = questions.flatMap(({ data: { template } }) => {
    return template.kind === 'EXISTENCE' ? (template.candidates ?? []) : []
  })
  return [...new Set([...asked, ...known])]
}

export function askedName(template: Template): string {
  return 'primitive' in template ? template.primitive : ''
}

/** The name that stays first, since it is what the others come to; null while something lacks. */
export function mergeSteps(merging: Merging): readonly MergeStep[] | null {
  const { questions, kept, fates } = merging
  const isKept = ({ data }: OpenQuestion): boolean => askedName(data.template) === kept
  const first = questions.filter(isKept)
  const steps: MergeStep[] = []
  for (const question of [...first, ...questions.filter((one) => !isKept(one))]) {
    const becomesKnown = isKept(question) || fates.get(question.proposal) === 'known'
    const candidate = becomesKnown ? candidateFor(question.data.template, merging) : null
    if (candidate !== null) steps.push({ question, ruling: 'modified', candidate })
    else if (becomesKnown) return null
    else steps.push({ question, ruling: 'rejected' })
  }
  return steps
}

/** Null where not all that is asked can be answered by it. */
export function candidateFor(template: Template, { draft, known }: Merging): Candidate | null {
  if (known === null) return candidateOf(template, draft)
  if (template.kind !== 'EXISTENCE') return null
  const levels = template.levels.map((level) => {
    const { properties = {} } = known.depths.find((depth) => depth.level === level) ?? {}
    return { level, properties }
  })
  const isEmpty = levels.some(({ level, properties }) => {
    return level > 0 && Object.keys(properties).length === 0
  })
  return isEmpty ? null : { levels: [{ name: template.primitive, levels }], edge: null }
}

/** All that becomes known by them, for a preview; null where nothing does. */
export function mergeChange(steps: readonly MergeStep[]): ChangeBody | null {
  const operations = steps.flatMap(({ question, candidate }) => {
    const change = candidate === undefined ? null : changeFor(question.data.template, candidate)
    return change?.of === 'graph' ? change.operations : []
  })
  return operations.length === 0 ? null : { of: 'graph', operations }
}
