// Asking someone else to look at a request: signed, and answering nothing.
import { useSignal } from '@preact/signals'
import { besideLabels } from '#present/console/beside-words'
import type { CardAnswer } from '#schemas/console/reviews'
import { NoteField } from '../drawing/form-fields.tsx'
import { Failed } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { signAct, signer } from '../operating/acts.ts'
import { announce } from '../shell/announcer.tsx'
import { askServer, codeOf } from '../shell/requests.ts'
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
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    isBusy.value = true
    problem.value = null
    try {
      await handedOver(card, { to: to.value, note: note.value.trim() })
      announce(words.done)
      onClose()
    } catch (error) {
      problem.value = codeOf(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Sheet title={words.title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {problem.value !== null && <Failed code={problem.value} />}
        <p class="quiet">{words.lead}</p>
        <label class="field">
          <span>{words.to}</span>
          <select onChange={(event) => (to.value = event.currentTarget.value)}>
            {others.map((id) => (
              <option value={id} selected={id === to.value}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <NoteField label={words.note} note={note.value} onInput={(text) => (note.value = text)} />
        <button type="submit" class="button button-main" disabled={isBusy.value}>
          {words.sign}
        </button>
      </form>
    </Sheet>
  )
}

async function handedOver(
  { intent, review, name }: CardAnswer,
  { to, note }: { readonly to: string; readonly note: string },
): Promise<void> {
  const body = { to, ...(note !== '' && { note }) }
  const at = { in: { intent } }
  await signAct({
    kind: 'handover',
    prepare: () =>
      askServer('handoverPrepare', '/reviews/{intent}/handover/prepare', { ...at, body }),
    content: () => ({ ...body, confirmer: signer(), intent: { ...review.intent }, review: name }),
    ofLog: [],
    submit: (signed) =>
      askServer('handoverSubmit', '/reviews/{intent}/handover/submit', {
        ...at,
        body: { ...body, signed },
      }),
  })
}
