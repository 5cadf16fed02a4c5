// One entry as a form that its JSON Schema makes: a field for each member, with what the schema
// says of it. What is needed or set stands first, everything else under one heading.
import { useMemo } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Details } from '../../drawing/texts.tsx'
import { membersIn, type CheckedJson, type Mistake, checkedJson, placeIn } from './checked-json.ts'
import { type ConditionState, ConditionStateShown } from './checked-condition.tsx'
import { entryFields, keptMembers, type EntryField, type EntrySchema } from './entry-schema.ts'
import { CompletedArea } from './completed-area.tsx'
import { completionInLines, namesAbout } from './completion.ts'
import { Hint, JsonText } from './json-text.tsx'
import { useNames } from './names.tsx'

const words = authorLabels.editing

interface EntryFormProps {
  readonly text: string
  readonly schema: EntrySchema
  readonly checked: CheckedJson<unknown>
  /** Members that stay as they are. */
  readonly fixed: readonly string[]
  /** Whether it was tried to put it into the change set: then all that is wrong is shown. */
  readonly isTried: boolean
  readonly condition: ConditionState
  readonly onInput: (text: string) => void
}

export function EntryForm(props: EntryFormProps) {
  const { text, schema, checked, fixed, isTried, condition, onInput } = props
  const members = membersIn(text) ?? new Map<string, unknown>()
  const fields = entryFields(schema, members)
  const set = (name: string, value: unknown): void => {
    const next = new Map(members)
    if (value === undefined) next.delete(name)
    else next.set(name, value)
    onInput(JSON.stringify(Object.fromEntries(keptMembers(schema, next)), null, 2))
  }
  // What is shown first stays where it is while it is filled in.
  const first = useMemo(() => new Set(members.keys()), [])
  const isFirst = ({ name, isNeeded }: EntryField) => isNeeded || first.has(name)
  const shown = (field: EntryField) => (
    <EntryFieldShown
      key={field.name}
      field={field}
      value={members.get(field.name)}
      isFixed={fixed.includes(field.name)}
      isTried={isTried}
      mistakes={mistakesOf(checked, field.name)}
      condition={field.name === 'when' ? condition : null}
      onChange={(value) => set(field.name, value)}
    />
  )
  const others = fields.filter((field) => !isFirst(field))
  return (
    <>
      {fields.filter(isFirst).map(shown)}
      {others.length > 0 && (
        <Details label={words.others} isOpen={others.length < fewFields}>
          {others.map(shown)}
        </Details>
      )}
    </>
  )
}

const fewFields = 6

function mistakesOf(checked: CheckedJson<unknown>, name: string): readonly Mistake[] {
  return checked.ok ? [] : checked.mistakes.filter(({ path }) => path[0] === name)
}

// One field of an entry, drawn by its kind, with what its schema says of it and what is wrong.

interface EntryFieldProps {
  readonly field: EntryField
  readonly value: unknown
  readonly isFixed: boolean
  readonly isTried: boolean
  readonly mistakes: readonly Mistake[]
  /** Of a condition in CEL, what the server says of it. */
  readonly condition: ConditionState | null
  /** Undefined takes the member away. */
  readonly onChange: (value: unknown) => void
}

function EntryFieldShown(props: EntryFieldProps) {
  const isTouched = useSignal(false)
  const mistakes = isTouched.value || props.isTried ? props.mistakes : []
  const onChange = (value: unknown): void => {
    isTouched.value = true
    props.onChange(value)
  }
  const { kind } = props.field
  if (kind === 'json') return <JsonMember {...props} mistakes={mistakes} onChange={onChange} />
  return <PlainField {...props} mistakes={mistakes} onChange={onChange} />
}

function PlainField(props: EntryFieldProps) {
  const { field, value, mistakes, condition, onChange } = props
  const { name, kind } = field
  const hint = kind === 'lines' ? `${field.hint} ${words.lines}` : field.hint
  const id = `entry-${name}`
  const isWrong = mistakes.length > 0 || condition?.is === 'wrong'
  const ids = [
    hint !== '' && `${id}-hint`,
    condition !== null && `${id}-state`,
    mistakes.length > 0 && `${id}-mistakes`,
  ]
  const described = { id, 'aria-describedby': ids.filter(Boolean).join(' ') || undefined }
  const input = <Input {...props} described={{ ...described, 'aria-invalid': isWrong }} />
  return (
    <div class="entry-field">
      {kind === 'tick' ? (
        <label class="tick">
          <input
            {...described}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked || undefined)}
          />
          {name}
        </label>
      ) : (
        <label class="field" for={id}>
          {name}
        </label>
      )}
      <Hint id={`${id}-hint`} text={hint} />
      {kind !== 'tick' && input}
      {condition !== null && (
        <ConditionStateShown id={`${id}-state`} when={textOf(value)} state={condition} />
      )}
      {mistakes.length > 0 && (
        <p id={`${id}-mistakes`} class="field-problem">
          {mistakes.map(({ text }) => text).join(' ')}
        </p>
      )}
    </div>
  )
}

interface Described {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

interface InputProps extends Omit<EntryFieldProps, 'mistakes' | 'isTried'> {
  readonly described: Described
}

function Input({ field, value, isFixed, condition, described, onChange }: InputProps) {
  const { kind, name, isNeeded, min, max } = field
  const textIn = (text: string): void => onChange(text === '' && !isNeeded ? undefined : text)
  switch (kind) {
    case 'choice':
      return <Choice field={field} value={value} described={described} onInput={textIn} />
    case 'number':
      return (
        <input
          {...described}
          type="number"
          min={min}
          max={max}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            onChange(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
          }}
        />
      )
    case 'long':
      return (
        <textarea
          {...described}
          class={condition === null ? undefined : 'json-text json-wrapped'}
          rows={2}
          spellcheck={condition === null}
          value={textOf(value)}
          onInput={(event) => textIn(event.currentTarget.value)}
        />
      )
    case 'lines':
      return <Lines field={field} value={value} described={described} onChange={onChange} />
    default:
      return (
        <Named name={name} id={described.id}>
          {(list) => (
            <input
              {...described}
              type="text"
              readOnly={isFixed}
              list={list}
              autocapitalize="off"
              autocomplete="off"
              value={textOf(value)}
              onInput={(event) => textIn(event.currentTarget.value)}
            />
          )}
        </Named>
      )
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

interface ChoiceProps {
  readonly field: EntryField
  readonly value: unknown
  readonly described: Described
  readonly onInput: (text: string) => void
}

function Choice({ field, value, described, onInput }: ChoiceProps) {
  const { options, usual, isNeeded } = field
  const isSet = isNeeded || usual !== null
  return (
    <select
      {...described}
      value={textOf(value) || (usual ?? '')}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      {!isSet && <option value="">{words.absent}</option>}
      {options.map((option) => (
        <option value={option.value}>
          {option.hint === '' ? option.value : `${option.value}: ${option.hint}`}
        </option>
      ))}
    </select>
  )
}

interface NamedProps {
  readonly name: string
  readonly id: string
  readonly children: (list: string | undefined) => ComponentChildren
}

/** A field whose text is one of the names that are there, or a new one. */
function Named({ name, id, children }: NamedProps) {
  const { known } = useNames()
  const names = namesAbout(name, known)
  if (names.length === 0) return <>{children(undefined)}</>
  return (
    <>
      {children(`${id}-names`)}
      <datalist id={`${id}-names`}>
        {names.map((each) => (
          <option value={each}>{each}</option>
        ))}
      </datalist>
    </>
  )
}

interface LinesProps {
  readonly field: EntryField
  readonly value: unknown
  readonly described: Described
  readonly onChange: (value: readonly string[]) => void
}

const linesMax = 6

/** A list of texts, one in each line. */
function Lines({ field: { name, schema }, value, described, onChange }: LinesProps) {
  const { known, look } = useNames()
  const text = useSignal(Array.isArray(value) ? value.map(String).join('\n') : '')
  const { items } = schema
  const allowed = typeof items === 'object' && !Array.isArray(items) ? (items.enum ?? []) : []
  const names = [...allowed.map(String), ...namesAbout(name, known)]
  const count = text.value.split('\n').length
  return (
    <CompletedArea
      id={described.id}
      describedBy={described['aria-describedby']}
      isWrong={described['aria-invalid']}
      text={text.value}
      rows={Math.min(linesMax, Math.max(2, count))}
      completion={(typed, caret) => completionInLines(typed, caret, { member: name, names })}
      onInput={(next) => {
        text.value = next
        onChange(
          next
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        )
      }}
      onBegun={look}
    />
  )
}

/** What has a shape of its own is written as JSON, checked at its places. */
function JsonMember({ field, value, mistakes, onChange }: EntryFieldProps) {
  const { name, hint, schema } = field
  const text = useSignal(value === undefined ? '' : JSON.stringify(value, null, 2))
  const checked = text.value === '' ? whole : checkedJson(text.value, anything)
  return (
    <div class="entry-field">
      <JsonText
        id={`entry-${name}`}
        label={name}
        hint={`${hint} ${words.json}`}
        text={text.value}
        rows={Math.min(linesMax, Math.max(2, text.value.split('\n').length))}
        schema={schema}
        checked={checked.ok && mistakes.length > 0 ? placed(text.value, mistakes) : checked}
        onInput={(next) => {
          text.value = next
          const read = checkedJson(next, anything)
          // What is no JSON stands there as a text, which no such member may be.
          if (next.trim() === '') onChange(undefined)
          else onChange(read.ok ? read.value : next)
        }}
      />
    </div>
  )
}

const anything = z.unknown()
const whole: CheckedJson<unknown> = { ok: true, value: undefined }

function placed(text: string, mistakes: readonly Mistake[]): CheckedJson<unknown> {
  const all = mistakes.map((one) => ({ ...one, at: placeIn(text, one.path.slice(1)) }))
  return { ok: false, mistakes: all }
}
