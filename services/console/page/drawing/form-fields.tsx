// Fields that several forms have: a note, and for how many days.

interface NoteFieldProps {
  readonly label: string
  readonly note: string
  readonly onInput: (text: string) => void
  readonly isNeeded?: boolean
}

export function NoteField({ label, note, onInput, isNeeded = false }: NoteFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        rows={isNeeded ? 4 : 2}
        maxLength={4_000}
        required={isNeeded}
        value={note}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

interface DaysFieldProps {
  readonly label: string
  /** What each number of days is called. */
  readonly offered: Readonly<Record<number, string>>
  readonly days: number
  readonly onChange: (days: number) => void
}

export function DaysField({ label, offered, days, onChange }: DaysFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {Object.entries(offered).map(([count, text]) => (
          <option value={count} selected={Number(count) === days}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
