// Asking someone else to look at a request: signed, and answering nothing.
import { useSignal } from '@preact/signals'
import { besideLabels } from '#present/console/beside-words'
import type { CardAnswer } from '#schemas/console/reviews'
import { SelectField } from '../drawing/form-fields.tsx'
import { signAct, signerShown, withNote } from '../operating/acts.ts'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { person } from '../shell/session.ts'

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
  const { intent, review, name } = card
  const others = othersAsked(card)
  const to = useSignal(others[0] ?? '')
  const body = (note: string) => ({ to: to.value, ...withNote(note) })
  const asker = { confirmer: signerShown(), intent: { ...review.intent }, review: name }
  const content = (note: string) => ({ ...body(note), ...asker })
  const act = (note: string) =>
    signAct('handover', {
      kind: 'handover',
      path: '/reviews/{intent}/handover',
      in: { intent },
      body: body(note),
      content: content(note),
    })
  return (
    <SignSheet {...besideLabels.handover} content={content} act={act} onClose={onClose}>
      <SelectField
        label={besideLabels.handover.to}
        value={to.value}
        options={others.map((id) => [id, id])}
        onChange={(id) => (to.value = id)}
      />
    </SignSheet>
  )
}
