// The last step before something is signed: what it is, why, exactly which content, and one
// button.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { workLabels } from '#present/console/overseeing/work-labels'
import { Button } from '../drawing/button.tsx'
import { Form, NoteField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { Details } from '../drawing/texts.tsx'
import { announce } from '../shell/announcer.tsx'
import { useDoing } from '../shell/doing.ts'
import { session } from '../shell/session.ts'
import { canSignHere } from './acts.ts'
import { ProblemNote } from './room.tsx'

interface SignSheetProps {
  readonly title: string
  readonly lead: string
  /** What the button says. */
  readonly sign: string
  readonly isGrave?: boolean
  /** What the field for a note says. */
  readonly note?: string
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
  const { title, lead, sign, isGrave = false, textLabel, canAct = true, content } = props
  const note = useSignal('')
  const { isBusy, problem, run } = useDoing()
  const submit = async (): Promise<void> => {
    await props.act(note.value.trim())
    announce(props.done)
    props.onClose()
  }
  return (
    <Sheet title={title} onClose={props.onClose}>
      <Form onSend={() => void run(submit)}>
        {problem !== null && <ProblemNote code={problem} />}
        {lead !== '' && <p class="sheet-lead">{lead}</p>}
        {props.children}
        {canAct && (
          <NoteField
            label={textLabel ?? props.note ?? workLabels.sign.note}
            typed={note}
            isNeeded={textLabel !== undefined}
          />
        )}
        <SignedContent content={content(note.value.trim())} />
        {canAct && !canSignHere() && <Notice tone="warm">{workLabels.sign.noPasskey}</Notice>}
        <Button
          is={isGrave ? 'grave' : 'main'}
          label={isBusy ? workLabels.sign.signing : sign}
          isOff={isBusy || !canAct || !canSignHere()}
        />
      </Form>
    </Sheet>
  )
}

/** For who wants to see it: the canonical content, and the log that it is for. */
function SignedContent({ content }: { readonly content: unknown }) {
  return (
    <Details label={workLabels.sign.content}>
      <Hostile in="pre" class="code" text={JSON.stringify(content, null, 2)} max={6_000} />
      <p class="quiet small">
        {workLabels.sign.log} <code>{session.value?.log ?? '—'}</code>
      </p>
    </Details>
  )
}
