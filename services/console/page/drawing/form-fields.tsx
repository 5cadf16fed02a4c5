// Fields that several forms have: a text, a note, one of several, for how many days, and a search.
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface FormProps {
  readonly class?: string
  readonly onSend: () => void
  readonly children: ComponentChildren
}

export function Form({ class: name, onSend, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      {children}
    </form>
  )
}

interface TypedProps {
  readonly label: string
  readonly typed: Signal<string>
}

interface TextProps extends TypedProps {
  readonly maxLength: number
  readonly required?: boolean
  /** The id of what it offers. */
  readonly list?: string
  readonly placeholder?: string
  readonly title?: string
  /** Not of words. */
  readonly spellcheck?: false
}

export function TextField({ label, typed, ...input }: TextProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        {...input}
        type="text"
        autoComplete="off"
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
    </label>
  )
}

interface NoteFieldProps extends TypedProps {
  readonly isNeeded?: boolean
  readonly id?: string
  /** Why it is not taken as it is. */
  readonly problem?: string | null
}

export function NoteField({ label, typed, isNeeded = false, id, problem = null }: NoteFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        id={id}
        aria-invalid={problem !== null}
        rows={isNeeded ? 4 : 2}
        maxLength={4_000}
        required={isNeeded}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      {problem !== null && (
        <span class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </label>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  /** Each with what it is called. */
  readonly options: readonly (readonly [string, string])[]
  readonly onChange: (value: string) => void
}

export function SelectField({ label, value, options, onChange }: SelectProps) {
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

interface DaysFieldProps {
  readonly label: string
  /** What each number of days is called. */
  readonly offered: Readonly<Record<number, string>>
  readonly days: Signal<number>
}

export function DaysField({ label, offered, days }: DaysFieldProps) {
  return (
    <SelectField
      label={label}
      value={String(days.value)}
      options={Object.entries(offered)}
      onChange={(count) => (days.value = Number(count))}
    />
  )
}

interface RadiosProps<Of> {
  readonly as: 'choice' | 'segments'
  readonly legend: string
  /** Of the group, for the browser. */
  readonly name: string
  readonly options: readonly { readonly is: Of; readonly label: ComponentChildren }[]
  readonly chosen: Of
  /** Which of them cannot be chosen now. */
  readonly isOff?: (is: Of) => boolean
  readonly onChoose: (is: Of) => void
}

export function Radios<Of>(props: RadiosProps<Of>) {
  const { as, legend, name, options, chosen, isOff, onChoose } = props
  return (
    <fieldset class={as}>
      <legend>{legend}</legend>
      {options.map(({ is, label }) => (
        <label>
          <input
            type="radio"
            name={name}
            checked={is === chosen}
            disabled={isOff?.(is) === true}
            onChange={() => onChoose(is)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The field by which a list is searched; its label is for those who do not see the list. */
export function SearchField({ label, typed }: TypedProps) {
  return (
    <label class="search">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
    </label>
  )
}

/** What is ticked, once one of it was pressed; at most so many. */
export function toggled(
  ticked: ReadonlySet<string> | null,
  one: string,
  max = Infinity,
): ReadonlySet<string> {
  const next = new Set(ticked)
  if (!next.delete(one) && next.size < max) next.add(one)
  return next
}
