// Asking someone else to look at a request: signed, and answering nothing.
import { useSignal } from '@preact/signals'
import { besideLabels } from '#present/console/beside-words'
import type { CardAnswer } from '#schemas/console/reviews'
import { Button } from '../drawing/button.tsx'
import { Form, NoteField, SelectField } from '../drawing/form-fields.tsx'
import { Failed } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { withNote, signAct, signer } from '../operating/acts.ts'
import { announce } from '../shell/announcer.tsx'
import { useDoing } from '../shell/doing.ts'
import { person } from '../shell/session.ts'

const words = besideLabels.handover

/** Who may be asked: those who may answer it still. */
export function othersAsked({ review, waits }: CardAnswer): readonly string[] {
  const id = person.value?.id
  if (!review.confirmers.some((one) => one === id)) return []
  return (waits?.people ?? []).filter((one) => one !== id)
}

interface HandOverProps {
  readonly card: CardAnswer
  readonly onClose: () => void
}

export function HandOverSheet({ card, onClose }: HandOverProps) {
  const others = othersAsked(card)
  const to = useSignal(others[0] ?? '')
  const note = useSignal('')
  const { isBusy, problem, run } = useDoing()
  const submit = async (): Promise<void> => {
    await handedOver(card, { to: to.value, note: note.value.trim() })
    announce(words.done)
    onClose()
  }
  return (
    <Sheet title={words.title} onClose={onClose}>
      <Form onSend={() => void run(submit)}>
        {problem !== null && <Failed code={problem} />}
        <p class="quiet">{words.lead}</p>
        <SelectField
          label={words.to}
          value={to.value}
          options={others.map((id) => [id, id])}
          onChange={(id) => (to.value = id)}
        />
        <NoteField label={words.note} typed={note} />
        <Button is="main" label={words.sign} isOff={isBusy} />
      </Form>
    </Sheet>
  )
}

async function handedOver(
  { intent, review, name }: CardAnswer,
  { to, note }: { readonly to: string; readonly note: string },
): Promise<void> {
  const body = { to, ...withNote(note) }
  await signAct('handover', {
    kind: 'handover',
    path: '/reviews/{intent}/handover',
    in: { intent },
    body,
    content: { ...body, confirmer: signer(), intent: { ...review.intent }, review: name },
  })
}
