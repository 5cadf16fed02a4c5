// What one agent has earned: where it stands, the steps as a line and as a table, its open
// contracts, and letting it work again. The address names the step that is marked.
import { useSignal } from '@preact/signals'
import { duration } from '#present/wording'
import { standingLabels } from '#present/work/standing-labels'
import {
  probationText,
  stepsBeforeText,
  standingText,
  standingLevelText,
  levelTone,
  scoredText,
} from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { OperationAnswer } from '#schemas/operations/table'
import type { StandingRow, StepShown } from '#schemas/operations/standings'
import { chartText, standingChart } from '#present/work/standing-chart'
import { MarkedText, Hostile } from '../drawing/hostile.tsx'
import { Button } from '../drawing/button.tsx'
import { Notice } from '../drawing/notice.tsx'
import { BackLink } from '../drawing/ways.tsx'
import { useReading, Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { hasRight } from '../shell/session.ts'
import { ContractItem } from './contract-line.tsx'
import { linkToStanding, isOfWork, linkToContract } from './links.ts'
import { Exact } from '../drawing/moment.tsx'
import { Table, type Column } from '../drawing/table.tsx'
import { signAct, signerShown } from '../operating/acts.ts'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { Section, Pair } from '../drawing/texts.tsx'

const words = standingLabels

export function AgentStanding({ agent }: { readonly agent: string }) {
  const reading = useReading(
    `standing ${agent}`,
    () => askServer('standing', '/standings/{agent}', { in: { agent } }),
    isOfWork,
  )
  const isReinstating = useSignal(false)
  return (
    <>
      <BackLink to={linkTo(['operating', 'standings'])} label={words.back} />
      <Hostile in="h2" class="title" text={agent} max={200} />
      <Read reading={reading}>
        {(answer) => (
          <StandingOf answer={answer} onReinstate={() => (isReinstating.value = true)} />
        )}
      </Read>
      {isReinstating.value && (
        <ReinstateSheet
          agent={agent}
          onClose={() => {
            isReinstating.value = false
            void reading.again()
          }}
        />
      )}
    </>
  )
}

interface StandingOfProps {
  readonly answer: OperationAnswer<'standing'>
  readonly onReinstate: () => void
}

function StandingOf({ answer, onReinstate }: StandingOfProps) {
  const { standing, steps, before, open } = answer
  const { value, level, probation, scored, cell } = standing
  const at = place.value.query.get('at') ?? null
  return (
    <>
      {standing.suspendedBy !== null && <Suspended answer={answer} onReinstate={onReinstate} />}
      <dl class="pairs list-note">
        <Pair name={words.columns.value} class="number strong">
          {standingText(value)}
        </Pair>
        <Pair name={words.columns.level}>
          <LevelState level={level} />
        </Pair>
        <Pair name={words.columns.probation}>{probationText(probation)}</Pair>
        <Pair name={words.columns.scored} class="number">
          {scored}
        </Pair>
      </dl>
      {steps.length > 0 && (
        <>
          <DrawnStanding steps={steps} at={at} cell={cell} />
          {before > 0 && <p class="quiet small">{stepsBeforeText(before)}</p>}
          <StandingSteps steps={steps} at={at} standing={standing} />
        </>
      )}
      <Section title={words.open}>
        {open.length === 0 && <p class="quiet">{words.openNone}</p>}
        <ul class="stack">
          {open.map((row) => (
            <ContractItem key={row.contract} row={row} />
          ))}
        </ul>
      </Section>
    </>
  )
}

function Suspended({ answer, onReinstate }: StandingOfProps) {
  const { standing, reinstateAfterMs } = answer
  const { agent, suspendedBy, cell } = standing
  if (suspendedBy === null) return null
  const moment = momentText({ ...suspendedBy, cell })
  const may = hasRight('operator') && signerShown() !== agent
  return (
    <Notice tone="warm">
      <p>
        {words.suspended} {words.suspendedBy} <a href={linkToStanding(agent, moment)}>{moment}</a>.
      </p>
      <p>
        {reinstateAfterMs === null ? (
          words.onlyPeople
        ) : (
          <MarkedText text={`${words.comesBack} ${duration(reinstateAfterMs)}.`} max={200} />
        )}
      </p>
      {may && <Button is="small" label={words.reinstate.act} of={agent} onPress={onReinstate} />}
    </Notice>
  )
}

// The level of a standing, as a word with a colour.

export function LevelState({ level }: Pick<StandingRow, 'level'>) {
  return <span class={`state state-${levelTone(level)}`}>{standingLevelText(level)}</span>
}

// The steps of a standing as a line over the levels. Each point is a link to what moved it; the
// table below says the same.

interface DrawnStandingProps {
  readonly steps: readonly StepShown[]
  /** The moment of the step that is marked. */
  readonly at: string | null
  readonly cell: number | undefined
}

function DrawnStanding({ steps, at, cell }: DrawnStandingProps) {
  const drawn = standingChart(steps)
  const { width, height, left, right, begins, points, path, bounds, ends } = drawn
  return (
    <figure
      class="framed standing-line"
      aria-labelledby="standing-line-title"
      aria-describedby="standing-line-text"
    >
      <svg viewBox={`0 0 ${width} ${height}`}>
        <title id="standing-line-title">{chart.title}</title>
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
  const what = scored === null ? chart.reinstated : scoredText(scored)
  return `${what}. ${standingText(after)}`
}

function toneOf({ before, after }: StepShown): 'up' | 'down' {
  return after < before ? 'down' : 'up'
}

// The steps of a standing as a table, the latest first: what each was scored for, and the ways to
// its contract and to the fact. The step that the address names is marked.

const { chart, steps: step } = standingLabels

interface StandingStepsProps {
  readonly steps: readonly StepShown[]
  readonly at: string | null
  readonly standing: StandingRow
}

function StandingSteps({ steps, at, standing: { agent, cell } }: StandingStepsProps) {
  const momentOf = ({ position }: StepShown) => momentText({ position, cell })
  const isHere = (one: StepShown) => momentOf(one) === at
  const columns: readonly Column<StepShown>[] = [
    {
      label: step.at,
      class: 'number',
      cell: (one) => (
        <a
          href={linkToStanding(agent, momentOf(one))}
          aria-current={isHere(one) ? 'true' : undefined}
        >
          {momentOf(one)}
        </a>
      ),
    },
    { label: step.when, cell: ({ appendedAt }) => <Exact at={appendedAt} /> },
    { label: step.what, class: 'standing-what', cell: (one) => <What step={one} /> },
    { label: step.before, class: 'number', cell: ({ before }) => standingText(before) },
    { label: step.after, class: 'number strong', cell: ({ after }) => standingText(after) },
    { label: step.ways, cell: (one) => <StepWays step={one} moment={momentOf(one)} /> },
  ]
  return (
    <Section title={step.title}>
      <Table
        columns={columns}
        rows={steps.toReversed()}
        keyOf={momentOf}
        caption={step.caption}
        isOfTwo
        isHere={isHere}
      />
    </Section>
  )
}

function What({ step: { scored, reinstated } }: { readonly step: StepShown }) {
  if (scored !== null) return <>{scoredText(scored)}</>
  if (reinstated === null) return <>{`${chart.reinstated}: ${step.byTime}`}</>
  return (
    <>
      {chart.reinstated} {step.by} <Hostile text={reinstated.by} max={80} isBrief />:{' '}
      <Hostile text={reinstated.reason} max={200} />
    </>
  )
}

interface StepWaysProps {
  readonly step: StepShown
  readonly moment: string
}

function StepWays({ step: { contract }, moment }: StepWaysProps) {
  const about = <span class="unseen"> {moment}</span>
  return (
    <>
      {contract !== null && (
        <a href={linkToContract(contract.address, contract.attempt)}>
          {chart.contract}
          {about}
        </a>
      )}{' '}
      <a href={linkTo(['log', moment])}>
        {chart.fact}
        {about}
      </a>
    </>
  )
}

// Letting an agent work again that its standing has suspended: with a reason, signed by a policy
// admin.

interface ReinstateSheetProps {
  readonly agent: string
  readonly onClose: () => void
}

function ReinstateSheet({ agent, onClose }: ReinstateSheetProps) {
  const { act, lead, reason: textLabel, done } = words.reinstate
  const content = (reason: string) => ({ agent, by: signerShown(), reason })
  const path = '/standings/{agent}/reinstate'
  return (
    <SignSheet
      title={`${act} ${agent}`}
      lead={lead.replaceAll('`', '')}
      sign={act}
      textLabel={textLabel}
      done={done}
      content={content}
      act={(reason) =>
        signAct('reinstate', {
          kind: 'reinstatement',
          path,
          in: { agent },
          body: { reason },
          content: content(reason),
        })
      }
      onClose={onClose}
    />
  )
}
