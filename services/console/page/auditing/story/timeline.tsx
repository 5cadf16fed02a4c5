// The story of an intent, step by step, with how long each step took. The step that the address
// names is marked; the graph is then drawn as of that moment.
import { useEffect, useRef } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import type { Story } from '#present/story/story'
import type { StoryStep } from '#present/story/reported'
import { duration } from '#present/wording'
import { momentText } from '#schemas/console/positions'
import { Hostile } from '../../drawing/hostile.tsx'
import { linkTo, place } from '../../shell/address.ts'
import { Exact } from '../exact.tsx'
import { MarkedText } from '../marked-text.tsx'
import { linkToIntent } from './intent-link.ts'

interface TimelineProps {
  readonly intent: string
  readonly story: Story
  /** Whose log has it, where there are several. */
  readonly cell: number | undefined
}

export function Timeline({ intent, story: { steps }, cell }: TimelineProps) {
  const at = place.value.query.get('at')
  return (
    <ol class="timeline">
      {steps.map((step, index) => (
        <Step
          key={step.position}
          intent={intent}
          step={step}
          moment={momentText({ position: step.position, cell })}
          before={steps[index - 1] ?? null}
          isHere={momentText({ position: step.position, cell }) === at}
        />
      ))}
    </ol>
  )
}

interface StepProps {
  readonly intent: string
  readonly step: StoryStep
  readonly moment: string
  readonly before: StoryStep | null
  readonly isHere: boolean
}

function Step({ intent, step, moment, before, isHere }: StepProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHere) row.current?.scrollIntoView({ block: 'center' })
  }, [isHere])
  const { title, details, tone, appendedAt } = step
  const gone = before === null ? null : appendedAt - before.appendedAt
  return (
    <li
      ref={row}
      class={`step step-${tone}${isHere ? ' step-here' : ''}`}
      aria-current={isHere ? 'step' : undefined}
    >
      <p class="quiet small">
        <Exact at={appendedAt} />
        {gone !== null && (
          <span title={auditLabels.story.since}>
            {' '}
            {auditLabels.story.after} {duration(gone)}
          </span>
        )}
      </p>
      <h2 class="step-title">
        <MarkedText text={title} max={400} />
      </h2>
      {details.length > 0 && (
        <ul class="tight quiet">
          {details.map((detail) => (
            <li>
              <MarkedText text={detail} max={600} />
            </li>
          ))}
        </ul>
      )}
      {step.void !== null && (
        <p class="step-void">
          {auditLabels.fact.void}: <Hostile text={step.void} max={300} />
        </p>
      )}
      <p class="bunch small below">
        <a href={linkTo(['log', moment])}>
          {auditLabels.story.fact} {moment}
        </a>
        <a href={linkToIntent(intent, 'graph', { at: moment })}>{auditLabels.story.graphThen}</a>
      </p>
    </li>
  )
}
