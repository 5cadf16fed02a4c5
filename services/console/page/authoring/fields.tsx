// Fields that the forms of authors share.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { levelTitle } from '#present/console/overseeing/change-lines'
import { relationTypes, type RelationType } from '#schemas/graph'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  /** Each with what it is called. */
  readonly options: readonly (readonly [string, string])[]
  readonly onChange: (value: string) => void
}

export function ChoiceField({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([id, name]) => (
          <option value={id}>{name}</option>
        ))}
      </select>
    </label>
  )
}

const levels = [0, 1, 2, 3, 4] as const

interface LevelFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (level: number) => void
}

export function LevelField({ label, value, onChange }: LevelFieldProps) {
  return (
    <ChoiceField
      label={label}
      value={String(value)}
      options={levels.map((level) => [String(level), levelTitle(level)] as const)}
      onChange={(level) => onChange(Number(level))}
    />
  )
}

interface RelationFieldProps {
  readonly value: RelationType
  readonly onChange: (type: RelationType) => void
}

export function RelationField({ value, onChange }: RelationFieldProps) {
  return (
    <ChoiceField
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
