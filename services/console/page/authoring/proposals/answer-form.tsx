// What a person writes for a question: a text for each level that is missing, or an edge.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { levelTitle } from '#present/console/overseeing/change-lines'
import { relationTypes } from '#schemas/graph'
import type { Template } from '#schemas/learning'
import type { AnswerDraft, EdgeDraft } from './question.ts'

const words = authorLabels.proposals
const levelsAll = [0, 1, 2, 3, 4] as const

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
  return (
    <div class="fields">
      <Names
        label={words.source}
        names={names}
        value={edge.source}
        onChange={(source) => onChange({ ...edge, source })}
      />
      <LevelField
        label={words.sourceLevel}
        value={edge.sourceLevel}
        onChange={(sourceLevel) => onChange({ ...edge, sourceLevel })}
      />
      {!isConstraint && (
        <label class="field">
          <span>{words.type}</span>
          <select
            value={edge.type}
            onChange={({ currentTarget }) => {
              const type = relationTypes.find((one) => one === currentTarget.value)
              if (type !== undefined) onChange({ ...edge, type })
            }}
          >
            {relationTypes.map((type) => (
              <option value={type}>{type}</option>
            ))}
          </select>
        </label>
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
        <Names
          label={words.target}
          names={names}
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

interface NamesProps {
  readonly label: string
  readonly names: readonly string[]
  readonly value: string
  readonly onChange: (name: string) => void
}

function Names({ label, names, value, onChange }: NamesProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {names.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

interface LevelFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (level: number) => void
}

function LevelField({ label, value, onChange }: LevelFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {levelsAll.map((level) => (
          <option value={level}>{levelTitle(level)}</option>
        ))}
      </select>
    </label>
  )
}
