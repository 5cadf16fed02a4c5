// The buttons of a card. An answer is signed at once by the device; what else can be done with a
// request stands behind one more button.
import { useSignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { besideLabels, answersForText } from '#present/console/beside-words'
import { labels } from '#present/console/labels'
import { reasonNeededText } from '#present/console/problem-text'
import type { CardAnswer, GrantShownAnswer } from '#schemas/console/reviews'
import { countsOnlyTogether } from '../attending/answers-left.ts'
import { Beyond } from '../attending/answers-left-note.tsx'
import { Button } from '../drawing/button.tsx'
import { NoteField, Radios, DaysField, Form, toggled } from '../drawing/form-fields.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { announce } from '../shell/announcer.tsx'
import { goTo } from '../shell/address.ts'
import { codeOf, PageProblem, askServer } from '../shell/requests.ts'
import { HandOverSheet, othersAsked } from '../saying/hand-over.tsx'
import { decideHere, isNoteMissing, keyFor, placesIn, signedByPerson } from './deciding.ts'
import { openNext, putAside } from './inbox-state.ts'
import { Hostile } from '../drawing/hostile.tsx'
import type { BrowserKey } from '../signing/browser-key.ts'
import { canonical } from '#record/canonical'
import { grantPreviewLines } from '#present/action/grant-preview'
import { grantLines } from '#present/story/grant'
import { classIn, draftedGrant } from '#rules/grants/drafted'
import { grantSentence, keepables, keepingAll, type Keepable } from '#present/console/grant-words'
import { checkSigned, signer } from '../operating/acts.ts'
import { useDoing } from '../shell/doing.ts'
import { Sheet } from '../drawing/sheet.tsx'
import { serverNow } from '../shell/clock.ts'
import { session } from '../shell/session.ts'
import { CodeText } from '../drawing/texts.tsx'
import { memberMap } from '../signing/members.ts'

interface AnsweringProps {
  readonly card: CardAnswer
  readonly onChange: () => Promise<void>
}

interface Pending {
  readonly note: Signal<string>
  readonly busy: Signal<'approve' | 'decline' | null>
  readonly problem: Signal<string | null>
  /** Of how many characters it lacks a reason; null where it lacks none. */
  readonly noteMissing: Signal<number | null>
}

export function Answering({ card, onChange }: AnsweringProps) {
  const pending: Pending = {
    note: useSignal(''),
    busy: useSignal<'approve' | 'decline' | null>(null),
    problem: useSignal<string | null>(null),
    noteMissing: useSignal<number | null>(null),
  }
  const isRoutine = useSignal(false)
  const choice = useAnswerWay(card)
  const { busy, problem } = pending
  const again = (): void => {
    isRoutine.value = false
    problem.value = null
    void onChange()
  }
  const press = (approves: boolean): void => {
    void answer({ card, approves, ...wayChosen(card, choice) }, pending, onChange)
  }
  const approve = async (): Promise<void> => {
    const { value: note } = pending.note
    await decideHere({ card, approves: true, note, ...wayChosen(card, choice) })
    announce(labels.answer.approved)
  }
  const isOpen = card.state === 'open' && card.cannot === null
  // The grant for a routine is signed after the answer, when this one is answered.
  if (!isOpen && !isRoutine.value) return <Afterwards />
  return (
    <footer class="foot answering">
      {problem.value !== null && <Failed code={problem.value} onRetry={again} />}
      {card.answersLeft !== undefined && countsOnlyTogether(card) && (
        <Beyond left={card.answersLeft} />
      )}
      <Note card={card} pending={pending} />
      <AnswerAs card={card} choice={choice} />
      <div class="answer-buttons">
        <Button
          label={busy.value === 'decline' ? labels.answer.signing : labels.answer.decline}
          isOff={busy.value !== null}
          onPress={() => press(false)}
        />
        <Button
          is="main"
          label={busy.value === 'approve' ? labels.answer.signing : labels.answer.approve}
          isOff={busy.value !== null || countsOnlyTogether(card)}
          onPress={() => press(true)}
        />
        {card.routine !== undefined && (
          <Button
            is="wide"
            label={labels.answer.routine}
            isOff={busy.value !== null || countsOnlyTogether(card)}
            onPress={() => {
              isRoutine.value = hasNote({ card, approves: true }, pending)
            }}
          />
        )}
      </div>
      <OtherWays card={card} onChange={onChange} />
      {isRoutine.value && <GrantSheet card={card} approve={approve} onClose={again} />}
    </footer>
  )
}

/** What else can be done with it. */
function OtherWays({ card, onChange }: AnsweringProps) {
  const sheet = useSignal<'grant' | 'handover' | null>(null)
  const close = (): void => {
    sheet.value = null
    void onChange()
  }
  return (
    <div class="bunch other-buttons">
      <Button is="text" label={labels.answer.notNow} onPress={() => later(card)} />
      {othersAsked(card).length > 0 && (
        <Button
          is="text"
          label={besideLabels.handover.open}
          onPress={() => (sheet.value = 'handover')}
        />
      )}
      <Button is="text" label={labels.answer.grant} onPress={() => (sheet.value = 'grant')} />
      {sheet.value === 'grant' && <GrantSheet card={card} onClose={close} />}
      {sheet.value === 'handover' && <HandOverSheet card={card} onClose={close} />}
    </div>
  )
}

function Afterwards() {
  return (
    <footer class="foot answering">
      <Button is="wide" label={labels.answer.next} onPress={() => openNext(1)} />
    </footer>
  )
}

function later(card: CardAnswer): void {
  putAside(card.name)
  goTo(['inbox'])
}

interface RequestParts extends AnswerWay {
  readonly card: CardAnswer
  readonly approves: boolean
}

/** Whether it has the reason that it takes; else the field for it takes the focus. */
function hasNote(
  { card, approves }: Pick<RequestParts, 'card' | 'approves'>,
  { note, noteMissing }: Pending,
): boolean {
  const { approving, declining } = card.demands.reason
  const isMissing = isNoteMissing({ card, approves, note: note.value })
  noteMissing.value = isMissing ? (approves ? approving : declining) : null
  if (isMissing) document.getElementById('note')?.focus()
  return !isMissing
}

async function answer(
  { card, approves, instead, key }: RequestParts,
  pending: Pending,
  onChange: () => Promise<void>,
): Promise<void> {
  const { note, busy, problem } = pending
  problem.value = null
  if (!hasNote({ card, approves }, pending)) return
  busy.value = approves ? 'approve' : 'decline'
  try {
    await decideHere({ card, approves, note: note.value, instead, key })
    announce(approves ? labels.answer.approved : labels.answer.declined)
  } catch (error) {
    problem.value = codeOf(error)
    if (!(error instanceof PageProblem)) throw error
  } finally {
    busy.value = null
    await onChange()
  }
}

function Note({ card, pending }: { readonly card: CardAnswer; readonly pending: Pending }) {
  const { note, noteMissing } = pending
  const { approving, declining } = card.demands.reason
  const isNeeded = approving > 0 || declining > 0
  const isOpen = useSignal(isNeeded)
  const missing = noteMissing.value
  if (!isOpen.value && missing === null) {
    return <Button is="text" label={labels.answer.addNote} onPress={() => (isOpen.value = true)} />
  }
  return (
    <NoteField
      id="note"
      label={isNeeded ? labels.answer.note : labels.answer.noteOptional}
      typed={note}
      problem={missing === null ? null : reasonNeededText(missing)}
    />
  )
}

// Whose answer it would be, and what signs it, where there is a choice.

interface AnswerWay {
  /** In whose place; null for the person themselves. */
  readonly instead: string | null
  /** Null where the passkey signs. */
  readonly key: BrowserKey | null
}

interface Choice {
  readonly instead: Signal<string | null | undefined>
  /** Of this browser; null where the review admits none. */
  readonly key: Signal<BrowserKey | null>
  readonly isByKey: Signal<boolean>
}

function useAnswerWay(card: CardAnswer): Choice {
  const choice: Choice = {
    instead: useSignal<string | null | undefined>(undefined),
    key: useSignal<BrowserKey | null>(null),
    isByKey: useSignal(true),
  }
  const isOpen = card.state === 'open' && card.cannot === null
  useEffect(() => {
    if (isOpen) void keyFor(card).then((key) => (choice.key.value = key))
  }, [card.name, isOpen])
  return choice
}

function wayChosen(card: CardAnswer, { instead, key, isByKey }: Choice): AnswerWay {
  const [usual = null] = placesIn(card)
  const chosen = instead.value
  return {
    instead: chosen === undefined ? usual : chosen,
    key: isByKey.value ? key.value : null,
  }
}

interface AnswerAsProps {
  readonly card: CardAnswer
  readonly choice: Choice
}

function AnswerAs({ card, choice }: AnswerAsProps) {
  const { isByKey, key } = choice
  return (
    <>
      <InPlaceOf card={card} choice={choice} />
      {key.value !== null && (
        <label class="answer-as">
          <input
            type="checkbox"
            checked={isByKey.value}
            onChange={(event) => (isByKey.value = event.currentTarget.checked)}
          />
          <span>{besideLabels.browser.sign}</span>
        </label>
      )}
    </>
  )
}

function InPlaceOf({ card, choice }: AnswerAsProps) {
  const places = placesIn(card)
  const { instead } = wayChosen(card, choice)
  if (places.length < 2) {
    return instead === null ? null : (
      <Hostile in="p" class="answer-as" text={answersForText(instead)} max={300} />
    )
  }
  return (
    <Radios
      as="choice"
      legend={besideLabels.answerAs.title}
      name="answer-as"
      options={places.map((is) => ({ is, label: placeLabel(is) }))}
      chosen={instead}
      onChoose={(place) => (choice.instead.value = place)}
    />
  )
}

function placeLabel(place: string | null) {
  if (place === null) return besideLabels.answerAs.own
  return <Hostile text={answersForText(place)} max={300} />
}

// Allowing later calls too: the person sees the condition, its uses, its end and what it would have
// let through, before anything is signed.

interface GrantProps {
  readonly card: CardAnswer
  /** Where it is for a routine: approves the call of the card, before the grant is signed. */
  readonly approve?: () => Promise<void>
  readonly onClose: () => void
}

interface Draft {
  readonly kept: Signal<ReadonlySet<string>>
  readonly uses: Signal<number>
  readonly days: Signal<number>
}

const dayMs = 86_400_000

function GrantSheet({ card, approve, onClose }: GrantProps) {
  const { args, capability } = card.review.terms
  const all = keepables(args)
  const isRoutine = approve !== undefined
  // Once the call is approved its card has none.
  const { value: routine } = useSignal(isRoutine ? card.routine : undefined)
  const draft: Draft = {
    kept: useSignal<ReadonlySet<string>>(new Set(all.map(({ path }) => path))),
    uses: useSignal(isRoutine ? 1_000 : 5),
    days: useSignal(isRoutine ? 30 : 7),
  }
  const shown = useSignal<GrantShownAnswer | null>(null)
  const isApproved = useSignal(false)
  const { isBusy, problem, run } = useDoing()
  const kept = all.filter(({ path }) => draft.kept.value.has(path))
  const words = isRoutine ? labels.grant.routineSign : labels.grant.sign
  const [uses, isDev] = [draft.uses.value, session.value?.dev === true]
  const sentence = grantSentence(capability, { kept: isRoutine ? null : kept, uses, isDev })
  const preview = async (): Promise<void> => {
    shown.value = await previewed(card, draft, routine ?? keepingAll(kept))
  }
  const sign = async ({ id, toSign }: GrantShownAnswer): Promise<void> => {
    if (!isApproved.value) await approve?.()
    isApproved.value = true
    const body = { id, signed: await signedByPerson(toSign) }
    const at = { in: { intent: card.intent } }
    await askServer('grantSubmit', '/reviews/{intent}/grant/submit', { ...at, body })
    onClose()
  }
  const { value: grant } = shown
  return (
    <Sheet title={labels.grant.title} onClose={onClose}>
      {problem !== null && <Failed code={problem} />}
      {grant === null ? (
        <Form onSend={() => void run(preview)}>
          {!isRoutine && <Kept all={all} kept={draft.kept} />}
          <Limits draft={draft} />
          <Notice tone="calm">
            <Hostile text={sentence} max={600} />
          </Notice>
          <Button is="main" label={labels.grant.preview} isOff={isBusy} />
        </Form>
      ) : (
        <>
          <GrantShown shown={grant} sentence={sentence} />
          <div class="answer-buttons">
            <Button label={labels.back} isOff={isBusy} onPress={() => (shown.value = null)} />
            <Button
              is="main"
              label={isBusy ? labels.answer.signing : words}
              isOff={isBusy}
              onPress={() => void run(() => sign(grant))}
            />
          </div>
        </>
      )}
    </Sheet>
  )
}

async function previewed(
  card: CardAnswer,
  { uses: { value: uses }, days }: Draft,
  when: string,
): Promise<GrantShownAnswer> {
  const until = new Date(serverNow() + days.value * dayMs).toISOString()
  const asked = { in: { intent: card.intent }, body: { when, uses, until } }
  const prepared = await askServer('grantPrepare', '/reviews/{intent}/grant/prepare', asked)
  return { ...prepared, grant: checkedGrant(prepared, card, { when, uses, until }) }
}

/** The server's clock is read once more in between. */
const slackMs = 60_000

interface Chosen {
  readonly when: string
  readonly uses: number
  readonly until: string
}

/** The one that the card and what was chosen come to, which is shown; refuses any other. */
function checkedGrant({ toSign, grant }: GrantShownAnswer, card: CardAnswer, chosen: Chosen) {
  const until = Date.parse(grant.until)
  const isLong = until > Date.parse(chosen.until) + slackMs
  const of = { ...chosen, confirmer: signer(), until }
  // In which cell its agent is, the catalog knows.
  const there = { safetyClass: classIn(card.review.shown.safetyClass), cell: null }
  const drafted = draftedGrant(card, of, there)
  if (drafted === null || isLong) throw new PageProblem('other_content')
  const content = Object.fromEntries(memberMap(drafted.grant))
  checkSigned(toSign, { kind: 'grant', content, ofLog: ['cell'] })
  return { ...drafted.grant, ...(grant.cell !== undefined && { cell: grant.cell }) }
}

interface KeptProps extends Pick<Draft, 'kept'> {
  readonly all: readonly Keepable[]
}

function Kept({ all, kept }: KeptProps) {
  const toggle = (path: string) => (kept.value = toggled(kept.value, path))
  return (
    <fieldset class="kept">
      <legend>{labels.grant.when}</legend>
      <p class="quiet small">{labels.grant.whenHint}</p>
      {all.map(({ path, label, value }) => {
        const isKept = kept.value.has(path)
        return (
          <label class="kept-row">
            <input type="checkbox" checked={isKept} onChange={() => toggle(path)} />
            <Hostile in="span" class="quiet small" text={label} max={80} isBrief />
            <span class={isKept ? 'value' : 'quiet'}>
              {isKept ? (
                <Hostile text={canonical(value)} max={80} isBrief />
              ) : (
                labels.grant.anyValue
              )}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

function Limits({ draft: { uses, days } }: { readonly draft: Draft }) {
  return (
    <div class="fields">
      <label class="field">
        <span>{labels.grant.uses}</span>
        <input
          type="number"
          min={1}
          max={1_000_000}
          required
          value={uses.value}
          onInput={(event) => (uses.value = event.currentTarget.valueAsNumber || 1)}
        />
      </label>
      <DaysField label={labels.grant.until} offered={labels.grant.days} days={days} />
    </div>
  )
}

// What a person sees last before they sign a grant: all of its text, and what it would have let
// through.

interface GrantPreviewProps {
  readonly shown: GrantShownAnswer
  readonly sentence: string
}

function GrantShown({ shown, sentence }: GrantPreviewProps) {
  const { id, grant, preview, askedStill } = shown
  return (
    <>
      <h3>{labels.grant.text}</h3>
      <Hostile in="blockquote" text={sentence} max={600} />
      <CodeText lines={grantLines(id, grant)} />
      <h3>{labels.grant.would}</h3>
      <CodeText lines={grantPreviewLines(preview, askedStill)} />
    </>
  )
}
