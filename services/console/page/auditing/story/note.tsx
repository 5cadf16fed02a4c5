// Noting something about an intent or a position: a signed text that its story and the search show.
import { useSignal } from '@preact/signals'
import { jsonOf } from '#record/canonical'
import { auditLabels } from '#present/auditing/audit-labels'
import type { NoteData } from '#schemas/people/said'
import { signAct, signerShown } from '../../operating/acts.ts'
import { SignSheet } from '../../operating/sign-sheet.tsx'
import { Button } from '../../drawing/button.tsx'

const words = auditLabels.note

type About = NoteData['about']

interface NoteDownProps {
  readonly about: About
  /** Of a position, where there are several. */
  readonly cell?: number | undefined
}

export function NoteDown({ about, cell }: NoteDownProps) {
  const isOpen = useSignal(false)
  return (
    <>
      <Button is="small" label={words.add} onPress={() => (isOpen.value = true)} />
      {isOpen.value && (
        <NoteSheet about={about} cell={cell} onClose={() => (isOpen.value = false)} />
      )}
    </>
  )
}

interface NoteSheetProps extends NoteDownProps {
  readonly onClose: () => void
}

function NoteSheet({ about, cell, onClose }: NoteSheetProps) {
  const content = (text: string) => ({ about: jsonOf(about), by: signerShown(), text })
  const act = (text: string) => {
    const body = { about: jsonOf(about), text, ...(cell !== undefined && { cell }) }
    return signAct('note', { kind: 'note', path: '/notes', body, content: content(text) })
  }
  return (
    <SignSheet
      title={words.title}
      lead={words.lead}
      sign={words.sign}
      textLabel={words.text}
      done={words.done}
      content={content}
      act={act}
      onClose={onClose}
    />
  )
}
