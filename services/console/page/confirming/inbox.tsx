// The inbox, and beside it the card of the request that the address names. On a phone the one takes
// the place of the other.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { standsHereText, answersForText } from '#present/console/beside-words'
import { titleOf } from '#present/console/name-words'
import { lineArguments, lineState } from '#present/console/row-text'
import { weightOf, cardTexts } from '#present/console/card-text'
import type { InboxRow, CardAnswer } from '#schemas/console/reviews'
import { together } from '../attending/answers-left.ts'
import { AnswersLeftNotes } from '../attending/answers-left-note.tsx'
import { Button } from '../drawing/button.tsx'
import { toggled, NoteField } from '../drawing/form-fields.tsx'
import { Empty, Failed } from '../drawing/notice.tsx'
import { LongList } from '../drawing/long-list.tsx'
import { goTo, place, linkTo } from '../shell/address.ts'
import { onKeys } from '../shell/keys.ts'
import { onGathered } from '../shell/live.ts'
import { ReviewCard } from './card.tsx'
import {
  inboxProblem,
  inboxOrder,
  isLoaded,
  loadTo,
  openCount,
  openNext,
  readInbox,
  isSetAside,
} from './inbox-state.ts'
import { Hostile } from '../drawing/hostile.tsx'
import { Countdown } from '../drawing/moment.tsx'
import { consoleProblemText } from '#present/console/problem-text'
import { Sheet } from '../drawing/sheet.tsx'
import { askServer, codeOf } from '../shell/requests.ts'
import { checkReview } from '../signing/challenge.ts'
import { ArgumentList, Warnings } from './card-body.tsx'
import { decideHere, isNoteMissing, keyFor, placesIn, type DecidingHere } from './deciding.ts'

const rowHeight = 108
const gatherMs = 200
const bulkMax = 50

function followInbox(): () => void {
  void readInbox()
  return onGathered(gatherMs, readInbox)
}

/** `j` and `k`, as in lists that people know, go through what the inbox shows. */
function followKeys(): () => void {
  return onKeys((key) => {
    if (key === 'j') openNext(1)
    if (key === 'k') openNext(-1)
    if (key === 'Escape' && place.value.path[0] === 'reviews') goTo(['inbox'])
  })
}

export function InboxView() {
  useEffect(followInbox, [])
  useEffect(followKeys, [])
  const chosen = useSignal<ReadonlySet<string> | null>(null)
  const isComparing = useSignal(false)
  const count = chosen.value?.size ?? 0
  const compared = together.value ?? (isComparing.value ? [...(chosen.value ?? [])] : null)
  const [view, intent] = place.value.path
  const isOpen = view === 'reviews' && intent !== undefined
  const toggle = (id: string) => (chosen.value = toggled(chosen.value, id, bulkMax))
  return (
    <div class={isOpen ? 'split split-open' : 'split'}>
      <div class="column split-list">
        <header class="fixed ends list-head">
          <h1>{labels.views.inbox}</h1>
          {openCount.value > 1 && (
            <div class="bunch">
              {count > 0 && (
                <Button
                  is="small"
                  label={`${labels.inbox.compare} (${count})`}
                  onPress={() => (isComparing.value = true)}
                />
              )}
              <Button
                is="text"
                label={chosen.value === null ? labels.inbox.select : labels.inbox.selectNone}
                onPress={() => (chosen.value = chosen.value === null ? new Set() : null)}
              />
            </div>
          )}
        </header>
        {inboxProblem.value !== null && (
          <Failed code={inboxProblem.value} onRetry={() => void readInbox()} />
        )}
        <AnswersLeftNotes />
        <Lines intent={intent} chosen={chosen.value} onToggle={toggle} />
      </div>
      <section class="column split-detail">
        {isOpen ? (
          <ReviewCard key={intent} intent={intent} />
        ) : (
          <p class="choose">{labels.inbox.choose}</p>
        )}
      </section>
      {compared !== null && (
        <Bulk
          intents={compared}
          onClose={() => {
            isComparing.value = false
            chosen.value = together.value = null
            void readInbox()
          }}
        />
      )}
    </div>
  )
}

interface LinesProps {
  readonly intent: string | undefined
  readonly chosen: ReadonlySet<string> | null
  readonly onToggle: (intent: string) => void
}

function Lines({ intent, chosen, onToggle }: LinesProps) {
  if (!isLoaded.value)
    return inboxProblem.value === null ? <p class="loading">{labels.loading}</p> : null
  if (openCount.value === 0) {
    return <Empty title={labels.inbox.empty} lead={labels.inbox.emptyLead} />
  }
  const all = inboxOrder.value
  return (
    <LongList
      count={openCount.value}
      rowHeight={rowHeight}
      label={labels.views.inbox}
      onReach={loadTo}
      row={(index) => {
        const row = all[index]
        if (row === undefined)
          return <div class="framed marked line line-skeleton">{labels.inbox.skeleton}</div>
        const isChosen = chosen === null ? null : chosen.has(row.intent)
        return (
          <InboxLine
            row={row}
            isHere={row.intent === intent}
            isChosen={isChosen}
            onToggle={() => onToggle(row.intent)}
          />
        )
      }}
    />
  )
}

// One request in the inbox: what, by whom, with what, and how long there is to answer.

interface InboxLineProps {
  readonly row: InboxRow
  readonly isHere: boolean
  /** Null where none is being chosen. */
  readonly isChosen: boolean | null
  readonly onToggle: () => void
}

function InboxLine({ row, isHere, isChosen, onToggle }: InboxLineProps) {
  const { weight } = weightOf(row.safetyClass)
  const state = lineState(row)
  const why = standsHereText(row)
  return (
    <div class={`framed marked line line-${weight}${isHere ? ' line-here' : ''}`}>
      {isChosen !== null && (
        <label class="choose-one">
          <input type="checkbox" checked={isChosen} onChange={onToggle} />
          <span class="unseen">{titleOf(row.capability)}</span>
        </label>
      )}
      <a
        class="link line-link"
        href={linkTo(['reviews', row.intent])}
        aria-current={isHere || undefined}
      >
        <span class="ends ends-text">
          <Hostile
            in="span"
            class="one-line line-title"
            text={titleOf(row.capability)}
            max={60}
            isBrief
          />
          <Countdown until={row.decideBy} />
        </span>
        <Hostile in="span" class="one-line line-args" text={lineArguments(row)} max={110} isBrief />
        <span class="quiet small one-line">
          <Hostile text={row.agent} max={40} isBrief />
          {state !== null && <span> · {state}</span>}
          {why !== null && (
            <span class="strong">
              {' · '}
              <Hostile text={why} max={80} isBrief />
            </span>
          )}
          {isSetAside(row) && <span class="tag">{labels.inbox.setAside}</span>}
        </span>
      </a>
    </div>
  )
}

// Several requests answered in one go, each shown with all that it would do, and each signed by
// itself: what is unticked stays open.

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

function Bulk({ intents, onClose }: BulkProps) {
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
      const ticked = items.value.flatMap((one) => (one.isTicked ? (one.card?.name ?? []) : []))
      const came = await answered({ card, approves, note: note.value, together: ticked })
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
      <Warnings texts={texts} />
      <ArgumentList rows={texts.arguments} hasLast={card.lastApproved !== null} />
      {texts.questions.map(({ asks }) => (
        <Hostile in="p" class="small strong" text={asks} max={300} />
      ))}
      {texts.justification !== null && (
        <p class="small">
          <span class="quiet">{labels.card.reason}: </span>
          <Hostile text={texts.justification} max={300} />
        </p>
      )}
      {came !== null && (
        <output class={came === 'done' ? 'quiet small' : 'field-problem'}>
          {came === 'done' ? labels.bulk.done : consoleProblemText(came)}
        </output>
      )}
    </li>
  )
}
