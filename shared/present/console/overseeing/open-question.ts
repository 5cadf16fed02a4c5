// An open question of learning as a page holds it, and what is written for it: a form of texts
// that becomes a candidate.
import type { ChangeBody } from '#schemas/console/authoring'
import type { SuggestedAnswer } from '#schemas/console/turned'
import type { GraphOperation, RelationType, Primitive } from '#schemas/graph'
import type { Candidate, RulingWord, Template } from '#schemas/learning'
import type { ProposalRow } from '#schemas/operations/proposals'
import { caseFold } from '#record/case-fold'
import { nearest } from '#record/quote'

export type OpenQuestion = ProposalRow

/** What is signed of it. */
export interface RulingDraft {
  readonly question: OpenQuestion
  readonly ruling: RulingWord
  /** Of `modified`. */
  readonly candidate?: Candidate
  readonly note: string
}

/** The latest of a model that can be used; null where none has one. */
export function suggestionOf({ suggestions }: OpenQuestion): SuggestedAnswer | null {
  return suggestions.at(-1) ?? null
}

export interface EdgeDraft {
  readonly source: string
  readonly target: string
  readonly type: RelationType
  readonly sourceLevel: number
  readonly targetLevel: number
}

export interface AnswerDraft {
  /** By level, of the one primitive that levels are asked of. */
  readonly texts: ReadonlyMap<number, string>
  readonly edge: EdgeDraft | null
}

export function emptyAnswer(template: Template): AnswerDraft {
  return { texts: new Map(), edge: edgeFor(template) }
}

function edgeFor(template: Template): EdgeDraft | null {
  const at = { sourceLevel: 1, targetLevel: 1 }
  switch (template.kind) {
    case 'EXISTENCE':
    case 'DEPTH':
    case 'RELATIONAL':
      return null
    case 'REACHABILITY': {
      const { primitive, others } = template
      return { source: primitive, target: others[0] ?? '', type: 'APPLIES_TO', ...at }
    }
    case 'CONSTRAINT': {
      const source = template.primitives[0] ?? ''
      return { source, target: '', type: 'CONSTRAINED_BY', ...at }
    }
  }
}

/** What a text of a level is put under. */
const property = 'description'

/** Null while something is not filled in. */
export function candidateOf(template: Template, { texts, edge }: AnswerDraft): Candidate | null {
  if (edge !== null) {
    const { source, target } = edge
    return source.trim() === '' || target.trim() === '' ? null : { levels: [], edge }
  }
  if (!('levels' in template)) return null
  const levels = template.levels.map((level) => {
    return { level, properties: { [property]: (texts.get(level) ?? '').trim() } }
  })
  if (levels.some(({ properties }) => properties[property] === '')) return null
  return { levels: [{ name: template.primitive, levels }], edge: null }
}

/** A candidate as texts that can be changed. */
export function answerFrom({ levels, edge }: Candidate): AnswerDraft {
  const texts = levels.flatMap(({ levels: all }) =>
    all.map(({ level, properties }) => {
      const { [property]: text, ...rest } = properties
      const isPlain = typeof text === 'string' && Object.keys(rest).length === 0
      return [level, isPlain ? text : JSON.stringify(properties)] as const
    }),
  )
  return { texts: new Map(texts), edge }
}

/** The operations that it becomes, for a preview: the server draws up its own. */
export function changeFor(template: Template, { levels, edge }: Candidate): ChangeBody {
  const adds = template.kind === 'EXISTENCE'
  const described = levels.flatMap(({ name, levels: all }): GraphOperation[] => [
    ...(adds ? [{ op: 'add' as const, name }] : []),
    ...all.map(({ level, properties }) => ({ op: 'describe' as const, name, level, properties })),
  ])
  if (edge === null) return { of: 'graph', operations: described }
  const { source, target, type, sourceLevel, targetLevel } = edge
  const relatum = { type, target, targetDepth: targetLevel, metadata: {}, policies: [] }
  const relate = { op: 'relate' as const, name: source, level: sourceLevel, relatum }
  return { of: 'graph', operations: [...described, relate] }
}

// Which open questions look alike: they ask for the same of names that are a few keystrokes apart,
// or that one of them lists as what the other may be. People see them together; each is ruled on
// by itself.

/** Only what is filled in alike can be answered alike: levels of one primitive. */
function levelsAsked({ template }: { readonly template: Template }): string | null {
  if (template.kind !== 'EXISTENCE' && template.kind !== 'DEPTH') return null
  return `${template.kind} ${template.levels.join(' ')}`
}

function areNear(one: Template, other: Template): boolean {
  const [name, second] = [askedName(one), askedName(other)]
  if (nearest([name], second).length > 0) return true
  const [longer, shorter] = [caseFold(name), caseFold(second)].toSorted(
    (a, b) => b.length - a.length,
  )
  // A plural, or one word of several.
  return (shorter ?? '').length > 2 && (longer ?? '').split(/[\s_-]+/).includes(shorter ?? '')
}

/** Groups of two or more, in the order in which they were asked. */
export function alikeIn(open: readonly OpenQuestion[]): readonly (readonly OpenQuestion[])[] {
  const groups: OpenQuestion[][] = []
  for (const one of open) {
    const wanted = levelsAsked(one.data)
    if (wanted === null || one.state === 'agreed') continue
    const group = groups.find((all) => {
      return all.some(({ data: { template } }) => {
        return levelsAsked({ template }) === wanted && areNear(template, one.data.template)
      })
    })
    if (group === undefined) groups.push([one])
    else group.push(one)
  }
  return groups.filter((group) => group.length > 1)
}

// Questions that mean the same made into one: one name stays, and each other is refused as a name
// of its own, or becomes known as the same. Each is a ruling of its own.

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
