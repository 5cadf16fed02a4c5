// Allowing later calls too: the person sees the condition, its uses, its end and what it would have
// let through, before anything is signed.
import { useSignal, type Signal } from '@preact/signals'
import { canonical, jsonOf } from '#record/canonical'
import { grantSentence, keepables, keepingAll, type Keepable } from '#present/console/grant-words'
import { labels } from '#present/console/labels'
import type { CardAnswer, GrantShownAnswer } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { Sheet } from '../drawing/sheet.tsx'
import { serverNow } from '../shell/clock.ts'
import { askServer, codeOf } from '../shell/requests.ts'
import { signedByPasskey } from './deciding.ts'
import { signedShows } from './signed-shows.ts'
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
  readonly shown: Signal<GrantShownAnswer | null>
  readonly problem: Signal<string | null>
}

const dayMs = 86_400_000
const daysOffered = [1, 7, 30] as const

export function GrantSheet({ card, onClose }: GrantProps) {
  const { args, capability } = card.review.terms
  const all = keepables(args)
  const draft: Draft = {
    kept: useSignal<ReadonlySet<string>>(new Set(all.map(({ path }) => path))),
    uses: useSignal(5),
    days: useSignal(7),
    shown: useSignal<GrantShownAnswer | null>(null),
    problem: useSignal<string | null>(null),
  }
  const kept = all.filter(({ path }) => draft.kept.value.has(path))
  const { shown, problem } = draft
  return (
    <Sheet title={labels.grant.title} onClose={onClose}>
      {problem.value !== null && <Failed code={problem.value} />}
      {shown.value === null ? (
        <form onSubmit={(event) => void showPreview(event, card, { draft, kept })}>
          <Kept all={all} draft={draft} />
          <Limits draft={draft} />
          <Notice tone="calm">
            <Hostile text={grantSentence(capability, { kept, uses: draft.uses.value })} max={600} />
          </Notice>
          <button type="submit" class="button button-main">
            {labels.grant.preview}
          </button>
        </form>
      ) : (
        <GrantShown
          shown={shown.value}
          sentence={grantSentence(capability, { kept, uses: draft.uses.value })}
          onBack={() => (shown.value = null)}
          onSign={() => void sign(card, draft, onClose)}
        />
      )}
    </Sheet>
  )
}

async function showPreview(
  event: Event,
  card: CardAnswer,
  { draft, kept }: { readonly draft: Draft; readonly kept: readonly Keepable[] },
): Promise<void> {
  event.preventDefault()
  const { uses, days, shown, problem } = draft
  problem.value = null
  const until = new Date(serverNow() + days.value * dayMs).toISOString()
  const body = { when: keepingAll(kept), uses: uses.value, until }
  try {
    const path = '/reviews/{intent}/grant/prepare'
    const answer = await askServer('grantPrepare', path, { in: { intent: card.intent }, body })
    signedShows(answer.toSign, {
      kind: 'grant',
      members: jsonOf({
        when: body.when,
        uses: body.uses,
        capability: card.review.terms.capability,
      }),
    })
    shown.value = answer
  } catch (error) {
    problem.value = codeOf(error)
  }
}

async function sign(
  card: CardAnswer,
  { shown, problem }: Draft,
  onClose: () => void,
): Promise<void> {
  const answer = shown.value
  if (answer === null) return
  problem.value = null
  try {
    const signed = await signedByPasskey(answer.toSign)
    const path = '/reviews/{intent}/grant/submit'
    const body = { id: answer.id, signed }
    await askServer('grantSubmit', path, { in: { intent: card.intent }, body })
    onClose()
  } catch (error) {
    problem.value = codeOf(error)
  }
}

function Kept({ all, draft }: { readonly all: readonly Keepable[]; readonly draft: Draft }) {
  const toggle = (path: string): void => {
    const next = new Set(draft.kept.value)
    if (!next.delete(path)) next.add(path)
    draft.kept.value = next
  }
  return (
    <fieldset class="kept">
      <legend>{labels.grant.when}</legend>
      <p class="quiet small">{labels.grant.whenHint}</p>
      {all.map(({ path, label, value }) => {
        const isKept = draft.kept.value.has(path)
        return (
          <label class="kept-row">
            <input type="checkbox" checked={isKept} onChange={() => toggle(path)} />
            <span class="quiet small">
              <Hostile text={label} max={80} isBrief />
            </span>
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
      <label class="field">
        <span>{labels.grant.until}</span>
        <select onChange={(event) => (days.value = Number(event.currentTarget.value))}>
          {daysOffered.map((count) => (
            <option value={count} selected={count === days.value}>
              {labels.grant.days[count]}
            </option>
          ))}
        </select>
      </label>
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
      <blockquote>
        <Hostile text={sentence} max={600} />
      </blockquote>
      <p>
        <code>
          <Hostile text={grant.when} max={2_000} />
        </code>
      </p>
      <p>
        {labels.grant.until} <MomentShown at={grant.until} />
      </p>
      <h3>{labels.grant.would}</h3>
      <dl class="facts">
        {(['asked', 'fits', 'declined', 'beyond'] as const).map((name) => (
          <div>
            <dt>{labels.grant.counts[name]}</dt>
            <dd>{canonical(counts.get(name) ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <div class="answer-buttons">
        <button type="button" class="button" onClick={onBack}>
          {labels.back}
        </button>
        <button type="button" class="button button-main" onClick={onSign}>
          {labels.grant.sign}
        </button>
      </div>
    </>
  )
}
