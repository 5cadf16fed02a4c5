// A value written as JSON, checked while it is typed by the same schema that the server reads it
// with; what is wrong is shown with its line, and the line can be gone to.
import { useRef } from 'preact/hooks'
import type { z } from 'zod'
import { parseJson } from '#core/kernel/json'
import { mistakeText, notJsonText, placeText } from '#present/console/overseeing/mistake-text'
import { stoppedAt, placeIn, type TextPlace } from './json-place.ts'

export interface Mistake {
  readonly text: string
  readonly at: TextPlace | null
}

const mistakesMax = 5

export type CheckedJson<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] }

export function checkedJson<T>(text: string, schema: z.ZodType<T>): CheckedJson<T> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    return { ok: false, mistakes: [{ text: notJsonText, at: stoppedAt(text, error) }] }
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const mistakes = parsed.error.issues.slice(0, mistakesMax).map((issue) => {
    const [key] = issue.code === 'unrecognized_keys' ? issue.keys : []
    const path = key === undefined ? issue.path : [...issue.path, key]
    return { text: mistakeText(issue), at: placeIn(text, path) }
  })
  return { ok: false, mistakes }
}

interface JsonFieldProps {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly rows?: number
  readonly checked: CheckedJson<unknown>
  readonly onInput: (text: string) => void
}

export function JsonField({ id, label, text, rows = 14, checked, onInput }: JsonFieldProps) {
  const mistakes = checked.ok ? [] : checked.mistakes
  const area = useRef<HTMLTextAreaElement>(null)
  const goTo = ({ line, column }: TextPlace): void => {
    const lines = text.split('\n').slice(0, line - 1)
    const offset = lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    area.current?.focus()
    area.current?.setSelectionRange(offset, offset)
  }
  return (
    <div class="json">
      <label class="field" for={id}>
        <span>{label}</span>
      </label>
      <textarea
        ref={area}
        id={id}
        class="json-text"
        rows={rows}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        wrap="off"
        value={text}
        aria-invalid={mistakes.length > 0}
        aria-describedby={mistakes.length > 0 ? `${id}-mistakes` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {mistakes.length > 0 && (
        <ul id={`${id}-mistakes`} class="mistakes" aria-live="polite">
          {mistakes.map(({ text: what, at }) => (
            <li>
              {at !== null && (
                <button type="button" class="text-button" onClick={() => goTo(at)}>
                  {placeText(at)}
                </button>
              )}{' '}
              {what}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
