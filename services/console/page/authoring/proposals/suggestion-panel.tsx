// What a model proposes for a question, to be accepted as it is or to start from.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { candidateLines } from '#present/proposal'
import type { SuggestedAnswer } from '#schemas/console/turned'
import { Hostile } from '../../drawing/hostile.tsx'

const words = authorLabels.proposals

interface SuggestionPanelProps {
  readonly suggestion: SuggestedAnswer
  readonly onAccept: () => void
  readonly onTake: () => void
}

export function SuggestionPanel({ suggestion, onAccept, onTake }: SuggestionPanelProps) {
  return (
    <section class="framed panel">
      <h2>
        {words.suggestion} {words.suggestionBy} <Hostile text={suggestion.by} max={80} isBrief />
      </h2>
      <pre class="code">
        <Hostile text={candidateLines(suggestion.candidate).join('\n')} max={2_000} />
      </pre>
      <div class="bunch below">
        <button type="button" class="button button-main" onClick={onAccept}>
          {words.accept}
        </button>
        <button type="button" class="button" onClick={onTake}>
          {words.take}
        </button>
      </div>
    </section>
  )
}
