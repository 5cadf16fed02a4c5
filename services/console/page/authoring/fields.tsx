// Fields that the forms of authors share.
import type { Signal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { levelTitle } from '#present/console/overseeing/change-lines'
import { relationTypes, type RelationType } from '#schemas/graph'

interface TextFieldProps {
  readonly label: string
  readonly value: Signal<string>
  readonly isNeeded?: boolean
  readonly isFixed?: boolean
}

export function TextField({ label, value, isNeeded = false, isFixed = false }: TextFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        maxLength={1_000}
        required={isNeeded}
        readOnly={isFixed}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </label>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: Signal<number>
  readonly max: number
}

export function NumberField({ label, value, max }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        required
        min={1}
        max={max}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.valueAsNumber || 1)}
      />
    </label>
  )
}

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
