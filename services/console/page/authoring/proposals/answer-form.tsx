// What a person writes for a question: a text for each level that is missing, or an edge.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { levelTitle } from '#present/console/overseeing/change-lines'
import type { Template, RulingWord } from '#schemas/learning'
import { relationTypes, type RelationType } from '#schemas/graph'
import {
  suggestionOf,
  type AnswerDraft,
  type EdgeDraft,
  type OpenQuestion,
  type RulingDraft,
} from '#present/console/overseeing/open-question'
import { SelectField } from '../../drawing/form-fields.tsx'
import { jsonOf, type JsonMap } from '#record/canonical'
import { withNote, signAct, signer } from '../../operating/acts.ts'

const words = authorLabels.proposals

interface AnswerFormProps {
  readonly template: Template
  readonly draft: AnswerDraft
  readonly onChange: (draft: AnswerDraft) => void
}

export function AnswerForm({ template, draft, onChange }: AnswerFormProps) {
  const { texts, edge } = draft
  if (edge !== null) {
    return (
      <EdgeFields
        template={template}
        edge={edge}
        onChange={(next) => onChange({ ...draft, edge: next })}
      />
    )
  }
  const levels = 'levels' in template ? template.levels : []
  return (
    <>
      {levels.map((level) => (
        <label class="field">
          <span>
            {words.level} {levelTitle(level)}
          </span>
          <textarea
            rows={2}
            maxLength={4_000}
            required
            value={texts.get(level) ?? ''}
            onInput={(event) => {
              const next = new Map(texts).set(level, event.currentTarget.value)
              onChange({ ...draft, texts: next })
            }}
          />
        </label>
      ))}
    </>
  )
}

interface EdgeFieldsProps {
  readonly template: Template
  readonly edge: EdgeDraft
  readonly onChange: (edge: EdgeDraft) => void
}

function EdgeFields({ template, edge, onChange }: EdgeFieldsProps) {
  const isConstraint = template.kind === 'CONSTRAINT'
  const names =
    template.kind === 'REACHABILITY'
      ? [template.primitive, ...template.others]
      : isConstraint
        ? template.primitives
        : []
  const choices = names.map((name) => [name, name] as const)
  return (
    <div class="fields">
      <SelectField
        label={words.source}
        options={choices}
        value={edge.source}
        onChange={(source) => onChange({ ...edge, source })}
      />
      <LevelField
        label={words.sourceLevel}
        value={edge.sourceLevel}
        onChange={(sourceLevel) => onChange({ ...edge, sourceLevel })}
      />
      {!isConstraint && (
        <RelationField value={edge.type} onChange={(type) => onChange({ ...edge, type })} />
      )}
      {isConstraint ? (
        <label class="field">
          <span>{words.target}</span>
          <input
            type="text"
            maxLength={256}
            required
            value={edge.target}
            onInput={(event) => onChange({ ...edge, target: event.currentTarget.value })}
          />
        </label>
      ) : (
        <SelectField
          label={words.target}
          options={choices}
          value={edge.target}
          onChange={(target) => onChange({ ...edge, target })}
        />
      )}
      <LevelField
        label={words.targetLevel}
        value={edge.targetLevel}
        onChange={(targetLevel) => onChange({ ...edge, targetLevel })}
      />
    </div>
  )
}

const allLevels = [0, 1, 2, 3, 4] as const

interface LevelFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (level: number) => void
}

function LevelField({ label, value, onChange }: LevelFieldProps) {
  return (
    <SelectField
      label={label}
      value={String(value)}
      options={allLevels.map((level) => [String(level), levelTitle(level)] as const)}
      onChange={(level) => onChange(Number(level))}
    />
  )
}

interface RelationFieldProps {
  readonly value: RelationType
  readonly onChange: (type: RelationType) => void
}

function RelationField({ value, onChange }: RelationFieldProps) {
  return (
    <SelectField
      label={authorLabels.proposals.type}
      value={value}
      options={relationTypes.map((type) => [type, type] as const)}
      onChange={(text) => {
        const found = relationTypes.find((one) => one === text)
        if (found !== undefined) onChange(found)
      }}
    />
  )
}

// A ruling on a question: what the person was shown, the word, and what it puts there, signed.

/** All that is signed but whether the signer is an owner, which the log knows. */
export function rulingContent(draft: RulingDraft): JsonMap {
  const { question, ruling } = draft
  const { suggestion: _, ...body } = bodyOf(draft)
  const accepted = ruling === 'accepted' ? suggestionOf(question) : null
  return {
    ...body,
    confirmer: signer(),
    proposal: question.name,
    ...(accepted !== null && { suggestion: { name: accepted.name, digest: accepted.digest } }),
  }
}

function bodyOf({ question, ruling, candidate, note }: RulingDraft): JsonMap {
  const suggestion = ruling === 'accepted' ? suggestionOf(question) : null
  return {
    ruling,
    digest: question.data.digest,
    releases: releasesIn(question, ruling),
    ...(candidate !== undefined && { candidate: jsonOf(candidate) }),
    ...(suggestion !== null && { suggestion: suggestion.name }),
    ...withNote(note),
  }
}

/** Only what puts something there lets anything go on. */
function releasesIn(question: OpenQuestion, ruling: RulingWord) {
  if (ruling === 'skipped' || ruling === 'rejected') return []
  return question.releases.map(({ intent, digest }) => ({ intent, digest }))
}

export function signRuling(draft: RulingDraft): Promise<void> {
  return signAct('ruling', {
    kind: 'ruling',
    path: '/proposals/{proposal}',
    in: { proposal: draft.question.proposal },
    body: bodyOf(draft),
    content: rulingContent(draft),
    ofLog: ['byOwner'],
  })
}
