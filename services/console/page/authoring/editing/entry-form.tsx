// One entry as a form that its JSON Schema makes: a field for each member, with what the schema
// says of it. What is needed or set stands first, everything else under one heading.
import { useMemo } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { membersIn, type CheckedJson, type Mistake } from './checked-json.ts'
import type { ConditionState } from './checked-condition.tsx'
import { entryFields, keptMembers, type EntryField, type EntrySchema } from './entry-schema.ts'
import { EntryFieldShown } from './entry-field.tsx'

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
        <details class="details" open={others.length < fewFields}>
          <summary>{words.others}</summary>
          {others.map(shown)}
        </details>
      )}
    </>
  )
}

const fewFields = 6

function mistakesOf(checked: CheckedJson<unknown>, name: string): readonly Mistake[] {
  return checked.ok ? [] : checked.mistakes.filter(({ path }) => path[0] === name)
}
