// The steps of a standing as a table, the latest first: what each was scored for, and the ways to
// its contract and to the fact. The step that the address names is marked.
import { useEffect, useRef } from 'preact/hooks'
import { standingLabels } from '#present/work/standing-labels'
import { scoredText, standingText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { StandingRow, StepShown } from '#schemas/operations/standings'
import { Exact } from '../auditing/exact.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { linkTo } from '../shell/address.ts'
import { linkToContract, linkToStanding } from './links.ts'

const { chart, steps: words } = standingLabels

interface StandingStepsProps {
  readonly steps: readonly StepShown[]
  readonly at: string | null
  readonly standing: StandingRow
}

export function StandingSteps({ steps, at, standing }: StandingStepsProps) {
  const { agent, cell } = standing
  return (
    <section class="block">
      <h2>{words.title}</h2>
      <table class="framed table table-of-two">
        <caption class="unseen">{words.caption}</caption>
        <thead>
          <tr>
            {[words.at, words.when, words.what, words.before, words.after, words.ways].map(
              (name) => (
                <th scope="col">{name}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {steps.toReversed().map((step) => {
            const moment = momentText({ position: step.position, cell })
            return (
              <StepLine
                key={moment}
                step={step}
                agent={agent}
                moment={moment}
                isHere={moment === at}
              />
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

interface StepLineProps {
  readonly step: StepShown
  readonly agent: string
  readonly moment: string
  readonly isHere: boolean
}

function StepLine({ step, agent, moment, isHere }: StepLineProps) {
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isHere) row.current?.scrollIntoView({ block: 'center' })
  }, [isHere])
  const { appendedAt, before, after, contract } = step
  return (
    <tr ref={row} class={isHere ? 'row-here' : undefined}>
      <th scope="row" class="number">
        <a href={linkToStanding(agent, moment)} aria-current={isHere ? 'true' : undefined}>
          {moment}
        </a>
      </th>
      <td data-label={words.when}>
        <Exact at={appendedAt} />
      </td>
      <td data-label={words.what} class="standing-what">
        <What step={step} />
      </td>
      <td data-label={words.before} class="number">
        {standingText(before)}
      </td>
      <td data-label={words.after} class="number strong">
        {standingText(after)}
      </td>
      <td data-label={words.ways}>
        {contract !== null && (
          <a href={linkToContract(contract.address, contract.attempt)}>
            {chart.contract}
            <span class="unseen"> {moment}</span>
          </a>
        )}{' '}
        <a href={linkTo(['log', moment])}>
          {chart.fact}
          <span class="unseen"> {moment}</span>
        </a>
      </td>
    </tr>
  )
}

function What({ step: { scored, reinstated } }: { readonly step: StepShown }) {
  if (scored !== null) return <>{scoredText(scored)}</>
  if (reinstated === null) return <>{`${chart.reinstated}: ${words.byTime}`}</>
  return (
    <>
      {chart.reinstated} {words.by} <Hostile text={reinstated.by} max={80} isBrief />:{' '}
      <Hostile text={reinstated.reason} max={200} />
    </>
  )
}
