// Allowing later calls too: the person sees the condition, its uses, its end and what it would have
// let through, before anything is signed.
import { useSignal, type Signal } from '@preact/signals'
import { canonical } from '#record/canonical'
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
import { askServer, PageProblem } from '../shell/requests.ts'
import { signedByPerson } from './deciding.ts'
import { MomentShown } from '../drawing/moment.tsx'
import { memberMap } from '../signing/members.ts'

interface GrantProps {
  readonly card: CardAnswer
  readonly onClose: () => void
}

interface Draft {
  readonly kept: Signal<ReadonlySet<string>>
  readonly uses: Signal<number>
  readonly days: Signal<number>
}

const dayMs = 86_400_000

export function GrantSheet({ card, onClose }: GrantProps) {
  const { args, capability } = card.review.terms
  const all = keepables(args)
  const draft: Draft = {
    kept: useSignal<ReadonlySet<string>>(new Set(all.map(({ path }) => path))),
    uses: useSignal(5),
    days: useSignal(7),
  }
  const shown = useSignal<GrantShownAnswer | null>(null)
  const { problem, run } = useDoing()
  const kept = all.filter(({ path }) => draft.kept.value.has(path))
  const sentence = grantSentence(capability, { kept, uses: draft.uses.value })
  const preview = async (): Promise<void> => {
    shown.value = await previewed(card, draft, kept)
  }
  const sign = async ({ id, toSign }: GrantShownAnswer): Promise<void> => {
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
          <Kept all={all} kept={draft.kept} />
          <Limits draft={draft} />
          <Notice tone="calm">
            <Hostile text={sentence} max={600} />
          </Notice>
          <Button is="main" label={labels.grant.preview} />
        </Form>
      ) : (
        <GrantShown
          shown={answer}
          sentence={sentence}
          onBack={() => (shown.value = null)}
          onSign={() => void run(() => sign(answer))}
        />
      )}
    </Sheet>
  )
}

async function previewed(
  card: CardAnswer,
  { uses: { value: uses }, days }: Draft,
  kept: readonly Keepable[],
): Promise<GrantShownAnswer> {
  const until = new Date(serverNow() + days.value * dayMs).toISOString()
  const when = keepingAll(kept)
  const asked = { in: { intent: card.intent }, body: { when, uses, until } }
  const answer = await askServer('grantPrepare', '/reviews/{intent}/grant/prepare', asked)
  checkGrant(answer, card, { when, uses, until })
  return answer
}

/** The server's clock is read once more in between. */
const slackMs = 60_000

interface Chosen {
  readonly when: string
  readonly uses: number
  readonly until: string
}

/** Refuses any other grant than the one that the card and what was chosen come to. */
function checkGrant({ toSign, grant }: GrantShownAnswer, card: CardAnswer, chosen: Chosen): void {
  const until = Date.parse(grant.until)
  const isLong = until > Date.parse(chosen.until) + slackMs
  const of = { ...chosen, confirmer: signer(), until }
  // In which cell its agent is, the catalog knows.
  const there = { safetyClass: classIn(card.review.shown.safetyClass), cell: null }
  const drafted = draftedGrant(card, of, there)
  if (drafted === null || isLong) throw new PageProblem('other_content')
  const content = Object.fromEntries(memberMap(drafted.grant))
  checkSigned(toSign, { kind: 'grant', content, ofLog: ['cell'] })
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

// What a person sees last before they sign a grant: its text, the condition in full, and what it
// would have let through.

interface GrantPreviewProps {
  readonly shown: GrantShownAnswer
  readonly sentence: string
  readonly onBack: () => void
  readonly onSign: () => void
}

function GrantShown({ shown, sentence, onBack, onSign }: GrantPreviewProps) {
  const { grant, preview } = shown
  const counts = memberMap(preview)
  return (
    <>
      <h3>{labels.grant.text}</h3>
      <Hostile in="blockquote" text={sentence} max={600} />
      <p>
        <Hostile in="code" text={grant.when} max={2_000} />
      </p>
      <p>
        {labels.grant.until} <MomentShown at={grant.until} />
      </p>
      <h3>{labels.grant.would}</h3>
      <dl class="facts stack">
        {(['asked', 'fits', 'declined', 'beyond'] as const).map((name) => (
          <div>
            <dt>{labels.grant.counts[name]}</dt>
            <dd>{canonical(counts.get(name) ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <div class="answer-buttons">
        <Button label={labels.back} onPress={onBack} />
        <Button is="main" label={labels.grant.sign} onPress={onSign} />
      </div>
    </>
  )
}
