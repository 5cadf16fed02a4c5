// An open question of learning as the page holds it, and what is written for it: a form of texts
// that becomes a candidate.
import type { ChangeBody } from '#schemas/console/authoring'
import type { ReleasedHeld, SuggestedAnswer } from '#schemas/console/turned'
import type { GraphOperation, RelationType } from '#schemas/graph'
import type { Candidate, Template } from '#schemas/learning'
import type { ProposalRow } from '#schemas/operations/proposals'

export type OpenQuestion = ProposalRow

/** The held intents that are shown as waiting for it. */
export function releasedWith({ releases }: OpenQuestion): readonly ReleasedHeld[] {
  return releases
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
