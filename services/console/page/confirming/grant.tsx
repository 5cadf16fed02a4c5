// Allowing later calls too: the person sees the condition, its uses, its end and what it would have
// let through, before anything is signed.
import { useSignal, type Signal } from '@preact/signals'
import { canonical, type Json } from '#record/canonical'
import { grantSentence, keepables, keepingAll, type Keepable } from '#present/console/grant-words'
import { labels } from '#present/console/labels'
import type { CardAnswer, GrantShownAnswer } from '#schemas/console/reviews'
import { Button } from '../drawing/button.tsx'
import { useDoing } from '../shell/doing.ts'
import { DaysField, Form, toggled } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { serverNow } from '../shell/clock.ts'
import { askServer, PageProblem } from '../shell/requests.ts'
import { signedByPasskey } from './deciding.ts'
import { MomentShown } from '../drawing/moment.tsx'
import { memberMap } from '../signing/members.ts'
import type { Signable } from '../signing/challenge.ts'
import { person } from '../shell/session.ts'

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
    const body = { id, signed: await signedByPasskey(toSign) }
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
  { intent, review }: CardAnswer,
  { uses: { value: uses }, days }: Draft,
  kept: readonly Keepable[],
): Promise<GrantShownAnswer> {
  const until = new Date(serverNow() + days.value * dayMs).toISOString()
  const when = keepingAll(kept)
  const asked = { in: { intent }, body: { when, uses, until } }
  const answer = await askServer('grantPrepare', '/reviews/{intent}/grant/prepare', asked)
  const { capability } = review.terms
  signedShows(answer.toSign, { kind: 'grant', members: { when, uses, capability } })
  return answer
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

// Whether what is to be signed has what the person was shown. Members that only the log knows, such
// as who signs, may stand beside; what was shown may not be missing or otherwise.

interface ShownThen {
  /** Which kind of fact it is, as its name says. */
  readonly kind: string
  readonly members: Json
}

function signedShows({ of, data }: Signable, { kind, members }: ShownThen): void {
  const [, , named] = of.name.split('.')
  const content = memberMap(data)
  const isShown = [...memberMap(members)].every(([key, value]) => {
    return canonical(content.get(key) ?? null) === canonical(value)
  })
  const isMine = content.get('confirmer') === person.value?.id
  if (named !== kind || !isShown || !isMine) throw new PageProblem('other_content')
}
