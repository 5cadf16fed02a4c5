// A field of several lines with the names that fit at its caret below it: buttons, so that a
// finger, a keyboard and a screen reader find them. Ctrl and the space bar take the first.
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Hostile } from '../../drawing/hostile.tsx'
import type { NamesAtCaret } from './completion.ts'

const words = authorLabels.editing

export interface GoneTo {
  readonly offset: number
}

interface CompletedAreaProps {
  readonly id: string
  readonly text: string
  readonly rows: number
  readonly isCode?: boolean
  readonly isWrong?: boolean
  /** Ids of the texts about it. */
  readonly describedBy?: string | undefined
  /** Where the caret is to go; each new one is gone to once. */
  readonly goTo?: GoneTo | null
  readonly completion: (text: string, caret: number) => NamesAtCaret | null
  readonly onInput: (text: string) => void
  /** What stands before the caret where a concept may stand. */
  readonly onBegun?: (begun: string) => void
}

export function CompletedArea(props: CompletedAreaProps) {
  const { id, text, rows, isCode = false, isWrong = false, describedBy, goTo = null } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const caret = useSignal<number | null>(null)
  const wanted = useRef<number | null>(null)
  const found = caret.value === null ? null : props.completion(text, caret.value)
  const fit = found?.fit ?? []
  const moveTo = (offset: number): void => {
    area.current?.focus()
    area.current?.setSelectionRange(offset, offset)
    caret.value = offset
  }
  useLayoutEffect(() => {
    if (goTo !== null) moveTo(goTo.offset)
  }, [goTo])
  // The browser puts the caret at the end of a text that it did not write itself.
  useLayoutEffect(() => {
    if (wanted.current !== null) moveTo(wanted.current)
    wanted.current = null
  }, [text])
  const noteCaret = ({ currentTarget }: { readonly currentTarget: HTMLTextAreaElement }): void => {
    const { selectionStart, selectionEnd } = currentTarget
    caret.value = selectionStart === selectionEnd ? selectionStart : null
    const next = caret.value === null ? null : props.completion(currentTarget.value, caret.value)
    if (next?.isOfConcepts === true) props.onBegun?.(next.begun)
  }
  const take = (written: string): void => {
    if (found === null) return
    wanted.current = found.from + written.length
    props.onInput(`${text.slice(0, found.from)}${written}${text.slice(found.to)}`)
  }
  const takeFirst = (event: KeyboardEvent): void => {
    const [first] = fit
    if (!event.ctrlKey || event.code !== 'Space' || first === undefined) return
    event.preventDefault()
    take(first.written)
  }
  return (
    <>
      <textarea
        ref={area}
        id={id}
        class={isCode ? 'json-text' : undefined}
        rows={rows}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        wrap={isCode ? 'off' : 'soft'}
        value={text}
        aria-invalid={isWrong}
        aria-describedby={describedBy}
        onInput={(event) => {
          props.onInput(event.currentTarget.value)
          noteCaret(event)
        }}
        onSelect={noteCaret}
        onKeyUp={noteCaret}
        onClick={noteCaret}
        onKeyDown={takeFirst}
      />
      <Fits fit={fit} onTake={take} />
    </>
  )
}

interface FitsProps {
  readonly fit: NamesAtCaret['fit']
  readonly onTake: (written: string) => void
}

function Fits({ fit, onTake }: FitsProps) {
  if (fit.length === 0) return null
  return (
    <ul class="fits" aria-label={words.fits}>
      {fit.map(({ name, written }) => (
        <li>
          <button type="button" class="fit" onClick={() => onTake(written)}>
            <Hostile text={name} max={80} isBrief />
          </button>
        </li>
      ))}
    </ul>
  )
}
