// One intent: what came of it in a line, and the ways to look at it. Which way, and as of which
// moment, stands in the address, so that each is a link.
import { useEffect } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import { filtersIn, queryOfFilters } from '#present/auditing/filters'
import { labels } from '#present/console/labels'
import { standingLabels } from '#present/work/standing-labels'
import { Hostile } from '../../drawing/hostile.tsx'
import { Failed } from '../../drawing/notice.tsx'
import { linkTo, place } from '../../shell/address.ts'
import { onEvent } from '../../shell/live.ts'
import { linkToStanding } from '../../standings/links.ts'
import { DeriveView } from '../deriving/derive-view.tsx'
import { useAnswer } from '../reading.ts'
import { MarkedText } from '../marked-text.tsx'
import { linkToIntent, storyTabs } from './intent-link.ts'
import { intentSeen, type IntentSeen } from './story-read.ts'
import { NoteDown } from './note.tsx'
import { StoryGraph } from './story-graph.tsx'
import { Timeline } from './timeline.tsx'
import { TraceLink } from './trace-link.tsx'
import { Why } from './why.tsx'

export function IntentView({ intent }: { readonly intent: string }) {
  const { answer: read, problem, again } = useAnswer(intent, () => intentSeen(intent))
  useEffect(() => {
    return onEvent((event) => {
      if (event?.intent === intent) again()
    })
  }, [intent])
  const back = linkTo(['log'], queryOfFilters(filtersIn(place.value.query)))
  return (
    <div class="scroll">
      <div class="story">
        <a class="back" href={back}>
          <span aria-hidden="true">←</span> {auditLabels.views.log}
        </a>
        {problem !== null && <Failed code={problem} onRetry={again} />}
        {read === null ? (
          <>
            <h1 class="unseen">{auditLabels.story.title}</h1>
            {problem === null && <p class="loading">{labels.loading}</p>}
          </>
        ) : (
          <StoryView intent={intent} read={read} />
        )}
      </div>
    </div>
  )
}

interface StoryViewProps {
  readonly intent: string
  readonly read: IntentSeen
}

function StoryView({ intent, read }: StoryViewProps) {
  const { story, agent, standsBy, trace } = read
  const [, , named] = place.value.path
  const tab = storyTabs.find((one) => one === named) ?? 'timeline'
  const evidence = `/console/api/intents/${encodeURIComponent(intent)}/evidence`
  return (
    <article aria-labelledby="story-title">
      <header class="head">
        <p>
          <span class={`verdict verdict-${story.outcome}`}>
            {auditLabels.story.outcome[story.outcome]}
          </span>
        </p>
        <h1 id="story-title">
          <MarkedText text={story.summary} max={400} />
        </h1>
        <p class="quiet small value">
          <Hostile text={intent} max={300} />
        </p>
        <p class="bunch">
          <a class="button button-small" href={evidence} download>
            {auditLabels.story.evidence}
          </a>
          {agent !== null && (
            <a class="button button-small" href={linkTo(['log'], { agent })}>
              {auditLabels.story.ofAgent}
            </a>
          )}
          {standsBy !== null && (
            <a class="button button-small" href={linkToStanding(standsBy)}>
              {standingLabels.ofAgent}
            </a>
          )}
          <NoteDown about={{ intent }} />
          {trace !== null && <TraceLink trace={trace} />}
        </p>
      </header>
      <nav class="tabs" aria-label={auditLabels.story.tabList}>
        {storyTabs.map((one) => (
          <a href={linkToIntent(intent, one)} aria-current={one === tab ? 'page' : undefined}>
            {auditLabels.story.tabs[one]}
          </a>
        ))}
      </nav>
      {tab === 'timeline' && <Timeline intent={intent} story={story} cell={read.answer.cell} />}
      {tab === 'graph' && <StoryGraph intent={intent} read={read} />}
      {tab === 'why' && <Why read={read} />}
      {tab === 'derive' && <DeriveView intent={intent} />}
    </article>
  )
}
