// What a person sees last before they sign a grant: its text, the condition in full, and what it
// would have let through.
import { canonical } from '#record/canonical'
import { labels } from '#present/console/labels'
import type { GrantShownAnswer } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { memberMap } from '../signing/members.ts'

interface GrantPreviewProps {
  readonly shown: GrantShownAnswer
  readonly sentence: string
  readonly onBack: () => void
  readonly onSign: () => void
}

export function GrantShown({ shown, sentence, onBack, onSign }: GrantPreviewProps) {
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
