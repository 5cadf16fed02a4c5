// Noting something about an intent or a position: a signed text that its story and the search show.
import { useSignal } from '@preact/signals'
import { jsonOf } from '#record/canonical'
import { auditLabels } from '#present/auditing/audit-labels'
import type { NoteData } from '#schemas/people/said'
import { signAct, signer } from '../../operating/acts.ts'
import { SignSheet } from '../../operating/sign-sheet.tsx'
import { askServer } from '../../shell/requests.ts'
import { person } from '../../shell/session.ts'

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
      <button type="button" class="button button-small" onClick={() => (isOpen.value = true)}>
        {words.add}
      </button>
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
  return (
    <SignSheet
      title={words.title}
      lead={words.lead}
      sign={words.sign}
      textLabel={words.text}
      done={words.done}
      content={(text) => ({ about, by: person.value?.id ?? '', text })}
      act={(text) => {
        const content = { about: jsonOf(about), text }
        const body = { ...content, ...(cell !== undefined && { cell }) }
        return signAct({
          kind: 'note',
          ofLog: [],
          content: () => ({ ...content, by: signer() }),
          prepare: () => askServer('notePrepare', '/notes/prepare', { body }),
          submit: (signed) =>
            askServer('noteSubmit', '/notes/submit', { body: { ...body, signed } }),
        })
      }}
      onClose={onClose}
    />
  )
}
