// The steps of a standing as a line over the levels. Each point is a link to what moved it; the
// table below says the same.
import { chartText, standingChart } from '#present/work/standing-chart'
import { standingLabels } from '#present/work/standing-labels'
import { standingLevelText, scoredText, standingText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { StepShown } from '#schemas/operations/standings'
import { linkTo } from '../shell/address.ts'
import { linkToContract } from './links.ts'

const words = standingLabels.chart

interface DrawnStandingProps {
  readonly steps: readonly StepShown[]
  /** The moment of the step that is marked. */
  readonly at: string | null
  readonly cell: number | undefined
}

export function DrawnStanding({ steps, at, cell }: DrawnStandingProps) {
  const chart = standingChart(steps)
  const { width, height, left, right, begins, points, path, bounds, ends } = chart
  return (
    <figure
      class="framed standing-line"
      aria-labelledby="standing-line-title"
      aria-describedby="standing-line-text"
    >
      <svg viewBox={`0 0 ${width} ${height}`}>
        <title id="standing-line-title">{words.title}</title>
        <desc id="standing-line-text">{chartText(steps, standingText)}</desc>
        <g aria-hidden="true">
          {bounds.map(({ value, level, y }) => (
            <>
              <path class="standing-bound" d={`M${left} ${y}H${right}`} />
              <text x={left - 6} y={y + 4} text-anchor="end">
                {value}
              </text>
              <text x={right + 8} y={y - 5}>
                {standingLevelText(level)}
              </text>
            </>
          ))}
          {ends.map(({ value, y }) => (
            <text x={left - 6} y={y + 4} text-anchor="end">
              {value < 0 ? `−${-value}` : value}
            </text>
          ))}
          <path class="standing-path" d={path} />
          {begins !== null && <circle class="standing-begin" cx={begins.x} cy={begins.y} r="3" />}
        </g>
        {steps.map((step, index) => {
          const { x = 0, y = 0 } = points[index] ?? {}
          const moment = momentText({ position: step.position, cell })
          return (
            <a
              key={step.position}
              href={linkOf(step, moment)}
              aria-label={stepLabel(step)}
              aria-current={moment === at ? 'true' : undefined}
              class={moment === at ? 'standing-step standing-here' : 'standing-step'}
            >
              <title>{stepLabel(step)}</title>
              <circle class="standing-reach" cx={x} cy={y} r="12" />
              {step.scored === null ? (
                <path class="standing-back" d={`M${x} ${y - 7}l7 7l-7 7l-7-7z`} />
              ) : (
                <circle class={`standing-${toneOf(step)}`} cx={x} cy={y} r="5" />
              )}
            </a>
          )
        })}
      </svg>
    </figure>
  )
}

/** To its contract, or to the fact that let it work again. */
function linkOf({ contract }: StepShown, moment: string): string {
  if (contract === null) return linkTo(['log', moment])
  return linkToContract(contract.address, contract.attempt)
}

function stepLabel({ scored, after }: StepShown): string {
  const what = scored === null ? words.reinstated : scoredText(scored)
  return `${what}. ${standingText(after)}`
}

function toneOf({ before, after }: StepShown): 'up' | 'down' {
  return after < before ? 'down' : 'up'
}
