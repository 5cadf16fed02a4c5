// A text in JSON with names that fit at its caret, and below it what is wrong, each by its line,
// which can be gone to.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { placeText } from '#present/console/overseeing/mistake-text'
import type { CheckedJson, TextPlace } from './checked-json.ts'
import { CompletedArea, type GoneTo } from './completed-area.tsx'
import { completionInJson } from './completion.ts'
import type { EntrySchema } from './entry-schema.ts'
import { useNames } from './names.tsx'
import { Button } from '../../drawing/button.tsx'

interface JsonTextProps {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly text: string
  readonly rows?: number
  readonly schema: EntrySchema
  readonly checked: CheckedJson<unknown>
  readonly onInput: (text: string) => void
}

export function JsonText(props: JsonTextProps) {
  const { id, label, hint = '', text, rows = 14, schema, checked, onInput } = props
  const { known, look } = useNames()
  const goingTo = useSignal<GoneTo | null>(null)
  const mistakes = checked.ok ? [] : checked.mistakes
  const ids = [hint !== '' && `${id}-hint`, mistakes.length > 0 && `${id}-mistakes`]
  const completion = useMemo(
    () => (typed: string, caret: number) => completionInJson(typed, caret, { schema, known }),
    [schema, known],
  )
  return (
    <div class="json">
      <label class="field" for={id}>
        <span>{label}</span>
      </label>
      <Hint id={`${id}-hint`} text={hint} />
      <CompletedArea
        id={id}
        text={text}
        rows={rows}
        isCode
        isWrong={mistakes.length > 0}
        describedBy={ids.filter(Boolean).join(' ')}
        goTo={goingTo.value}
        completion={completion}
        onInput={(next) => {
          goingTo.value = null
          onInput(next)
        }}
        onBegun={look}
      />
      {mistakes.length > 0 && (
        <ul id={`${id}-mistakes`} class="notice notice-bad mistakes" aria-live="polite">
          {mistakes.map(({ text: what, at }) => (
            <li>
              {at !== null && (
                <Button
                  is="text"
                  label={placeText(at)}
                  onPress={() => (goingTo.value = { offset: offsetOf(text, at) })}
                />
              )}{' '}
              {what}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function offsetOf(text: string, { line, column }: TextPlace): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}

// What a schema says of a field; what it names as it is written stands as code.

interface HintProps {
  readonly id: string
  readonly text: string
}

export function Hint({ id, text }: HintProps) {
  if (text === '') return null
  return (
    <p id={id} class="hint">
      {text.split('`').map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}
    </p>
  )
}
