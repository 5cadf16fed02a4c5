// Several requests answered in one go, each shown with all that it would do, and each signed by
// itself: what is unticked stays open.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { cardTexts } from '#present/console/card-text'
import { answersForText } from '#present/console/beside-words'
import { labels } from '#present/console/labels'
import { consoleProblemText } from '#present/console/problem-text'
import type { CardAnswer } from '#schemas/console/reviews'
import { Button } from '../drawing/button.tsx'
import { NoteField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Countdown } from '../drawing/moment.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { askServer, codeOf } from '../shell/requests.ts'
import { checkReview } from '../signing/challenge.ts'
import { ArgumentList } from './card-body.tsx'
import { decideHere, isNoteMissing, keyFor, placesIn, type DecidingHere } from './deciding.ts'

interface BulkProps {
  readonly intents: readonly string[]
  readonly onClose: () => void
}

interface Item {
  readonly intent: string
  readonly card: CardAnswer | null
  /** Whether it could be answered when it was read. */
  readonly isOpen: boolean
  readonly isTicked: boolean
  /** A code of what went wrong, or `done`. */
  readonly came: string | null
}

async function readItem(intent: string): Promise<Item> {
  try {
    const card = await askServer('card', '/inbox/{intent}', { in: { intent } })
    await checkReview(card.review)
    const isOpen = card.state === 'open' && card.cannot === null
    const came = isOpen ? null : (card.cannot ?? 'no_review')
    return { intent, card, isOpen, isTicked: isOpen, came }
  } catch (error) {
    return { intent, card: null, isOpen: false, isTicked: false, came: codeOf(error) }
  }
}

export function Bulk({ intents, onClose }: BulkProps) {
  const items = useSignal<readonly Item[]>([])
  const note = useSignal('')
  const isBusy = useSignal(false)
  useEffect(() => {
    void Promise.all(intents.map(readItem)).then((read) => (items.value = read))
  }, [])
  const change = (intent: string, changed: Partial<Item>): void => {
    items.value = items.value.map((one) => (one.intent === intent ? { ...one, ...changed } : one))
  }
  const answer = async (approves: boolean): Promise<void> => {
    isBusy.value = true
    for (const { card, intent, isTicked } of items.value) {
      if (!isTicked || card === null) continue
      const together = items.value.flatMap((one) => (one.isTicked ? (one.card?.name ?? []) : []))
      const came = await answered({ card, approves, note: note.value, together })
      change(intent, { came, isTicked: came !== 'done' })
      if (came !== 'done') break
    }
    isBusy.value = false
  }
  return (
    <Sheet title={labels.bulk.title} onClose={onClose}>
      <p class="quiet">{labels.bulk.lead}</p>
      <ul class="stack bulk">
        {items.value.map((item) => (
          <BulkItem item={item} onTick={(isTicked) => change(item.intent, { isTicked })} />
        ))}
      </ul>
      {isAllDone(items.value) ? (
        <Button is="main" label={labels.bulk.close} onPress={onClose} />
      ) : (
        <>
          <NoteField label={labels.answer.noteOptional} typed={note} />
          <div class="answer-buttons">
            <Button
              label={labels.bulk.decline}
              isOff={isBusy.value}
              onPress={() => void answer(false)}
            />
            <Button
              is="main"
              label={labels.bulk.approve}
              isOff={isBusy.value}
              onPress={() => void answer(true)}
            />
          </div>
        </>
      )}
    </Sheet>
  )
}

function isAllDone(items: readonly Item[]): boolean {
  return items.length > 0 && items.every(({ isOpen, came }) => !isOpen || came === 'done')
}

async function answered(deciding: Omit<DecidingHere, 'instead' | 'key'>): Promise<string> {
  if (isNoteMissing(deciding)) return 'reason_needed'
  const { card } = deciding
  try {
    const [instead = null] = placesIn(card)
    await decideHere({ ...deciding, instead, key: await keyFor(card) })
    return 'done'
  } catch (error) {
    return codeOf(error)
  }
}

interface BulkItemProps {
  readonly item: Item
  readonly onTick: (isTicked: boolean) => void
}

function BulkItem({ item, onTick }: BulkItemProps) {
  const { card, came, isOpen, isTicked } = item
  if (card === null) return <li class="framed bulk-item">{consoleProblemText(came ?? '')}</li>
  const texts = cardTexts(card)
  const [instead = null] = placesIn(card)
  return (
    <li class={`framed bulk-item line-${texts.weight}`}>
      <div class="bulk-head">
        <input
          type="checkbox"
          aria-labelledby={`title-${item.intent}`}
          checked={isTicked}
          disabled={!isOpen || came === 'done'}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
        <span class="grow tight">
          <span class="ends ends-text">
            <strong id={`title-${item.intent}`}>
              <Hostile text={texts.title} max={80} isBrief />
            </strong>
            <Countdown until={card.review.decideBy} />
          </span>
          <span class="quiet small">
            <Hostile text={texts.lead} max={200} isBrief />. {texts.weightText}
          </span>
          {instead !== null && (
            <Hostile in="span" class="small" text={answersForText(instead)} max={200} isBrief />
          )}
        </span>
      </div>
      {[...texts.warnings, ...texts.questions.map(({ asks }) => asks), texts.justification].map(
        (line) => line !== null && <Hostile in="p" class="small" text={line} max={300} />,
      )}
      <ArgumentList rows={texts.arguments} hasLast={card.lastApproved !== null} />
      {came !== null && (
        <output class={came === 'done' ? 'quiet small' : 'field-problem'}>
          {came === 'done' ? labels.bulk.done : consoleProblemText(came)}
        </output>
      )}
    </li>
  )
}
