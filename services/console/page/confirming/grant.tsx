// Allowing later calls too: the person sees the condition, its uses, its end and what it would have
// let through, before anything is signed.
import { useSignal, type Signal } from '@preact/signals'
import { canonical } from '#record/canonical'
import { grantPreviewLines } from '#present/action/grant-preview'
import { grantLines } from '#present/story/grant'
import { classIn, draftedGrant } from '#rules/grants/drafted'
import { grantSentence, keepables, keepingAll, type Keepable } from '#present/console/grant-words'
import { labels } from '#present/console/labels'
import type { CardAnswer, GrantShownAnswer } from '#schemas/console/reviews'
import { checkSigned, signer } from '../operating/acts.ts'
import { Button } from '../drawing/button.tsx'
import { useDoing } from '../shell/doing.ts'
import { DaysField, Form, toggled } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { serverNow } from '../shell/clock.ts'
import { session } from '../shell/session.ts'
import { askServer, PageProblem } from '../shell/requests.ts'
import { signedByPerson } from './deciding.ts'
import { CodeText } from '../drawing/texts.tsx'
import { memberMap } from '../signing/members.ts'

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

export function GrantSheet({ card, approve, onClose }: GrantProps) {
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
  const { value: answer } = shown
  return (
    <Sheet title={labels.grant.title} onClose={onClose}>
      {problem !== null && <Failed code={problem} />}
      {answer === null ? (
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
          <GrantShown shown={answer} sentence={sentence} />
          <div class="answer-buttons">
            <Button label={labels.back} isOff={isBusy} onPress={() => (shown.value = null)} />
            <Button
              is="main"
              label={isBusy ? labels.answer.signing : words}
              isOff={isBusy}
              onPress={() => void run(() => sign(answer))}
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
  const answer = await askServer('grantPrepare', '/reviews/{intent}/grant/prepare', asked)
  return { ...answer, grant: checkedGrant(answer, card, { when, uses, until }) }
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
