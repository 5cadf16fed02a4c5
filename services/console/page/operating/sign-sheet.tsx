// The last step before something is signed: what it is, why, exactly which content, and one
// button.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { workLabels } from '#present/console/overseeing/work-labels'
import { NoteField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { announce } from '../shell/announcer.tsx'
import { codeOf } from '../shell/requests.ts'
import { session } from '../shell/session.ts'
import { canSignHere } from './acts.ts'
import { ProblemNote } from './room.tsx'

interface SignSheetProps {
  readonly title: string
  readonly lead: string
  /** What the button says. */
  readonly sign: string
  readonly isGrave?: boolean
  /** What the field for a note says, where it takes what is signed, and may not be empty. */
  readonly textLabel?: string
  /** Whether this person may sign such a thing at all. */
  readonly canAct?: boolean
  readonly done: string
  /** The content as it will be signed with that note. */
  readonly content: (note: string) => unknown
  readonly act: (note: string) => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

export function SignSheet(props: SignSheetProps) {
  const {
    title,
    lead,
    sign,
    isGrave = false,
    textLabel,
    canAct = true,
    done,
    content,
    act,
    onClose,
    children,
  } = props
  const note = useSignal('')
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    isBusy.value = true
    problem.value = null
    try {
      await act(note.value.trim())
      announce(done)
      onClose()
    } catch (error) {
      problem.value = codeOf(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {problem.value !== null && <ProblemNote code={problem.value} />}
        {lead !== '' && <p class="sheet-lead">{lead}</p>}
        {children}
        {canAct && (
          <NoteField
            note={note.value}
            onInput={(text) => (note.value = text)}
            label={textLabel ?? workLabels.sign.note}
            isNeeded={textLabel !== undefined}
          />
        )}
        <SignedContent content={content(note.value.trim())} />
        {canAct && !canSignHere() && <Notice tone="warm">{workLabels.sign.noPasskey}</Notice>}
        <button
          type="submit"
          class={`button button-main${isGrave ? ' button-grave' : ''}`}
          disabled={isBusy.value || !canAct || !canSignHere()}
        >
          {isBusy.value ? workLabels.sign.signing : sign}
        </button>
      </form>
    </Sheet>
  )
}

/** For who wants to see it: the canonical content, and the log that it is for. */
function SignedContent({ content }: { readonly content: unknown }) {
  return (
    <details class="details">
      <summary>{workLabels.sign.content}</summary>
      <pre class="code">
        <Hostile text={JSON.stringify(content, null, 2)} max={6_000} />
      </pre>
      <p class="quiet small">
        {workLabels.sign.log} <code>{session.value?.log ?? '—'}</code>
      </p>
    </details>
  )
}
