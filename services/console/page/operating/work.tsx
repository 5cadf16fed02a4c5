// Whether the work goes on: how far this server has read, how much waits for each stage and since
// when, and what needs someone.
import { behindText, stageText } from '#present/console/overseeing/work-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import type { FaultsAnswer, OpenAnswer, WorkersAnswer } from '#schemas/console/operating'
import { countBetween } from '#schemas/console/positions'
import { Ago } from '../drawing/moment.tsx'
import { linkTo } from '../shell/address.ts'
import { setServerTime } from '../shell/clock.ts'
import { askServer } from '../shell/requests.ts'
import { useReading, type Reread } from './reading.ts'
import { Read } from './room.tsx'

const { reads, stages } = workLabels

async function readWorkers(): Promise<WorkersAnswer> {
  const answer = await askServer('workers', '/workers')
  setServerTime(answer.now)
  return answer
}

interface WorkProps {
  readonly open: Reread<OpenAnswer>
  readonly faults: Reread<FaultsAnswer>
}

export function Work({ open, faults }: WorkProps) {
  const reading = useReading('workers', readWorkers)
  return (
    <Read reading={reading}>
      {(answer) => (
        <>
          <ul class="figures">
            <Figure
              label={reads.open}
              value={open.value?.count}
              to={linkTo(['operating', 'open'])}
            />
            <Figure
              label={reads.unanswerable}
              value={open.value?.unanswerable}
              to={linkTo(['operating', 'open'], { only: 'unanswerable' })}
              isBad
            />
            <Figure
              label={reads.faults}
              value={faults.value?.faults.filter((fault) => fault.open).length}
              to={linkTo(['operating', 'faults'])}
              isBad
            />
            <Figures answer={answer} />
          </ul>
          <Stages workers={answer.workers} />
        </>
      )}
    </Read>
  )
}

function Figures({ answer: { head, position, watching } }: { readonly answer: WorkersAnswer }) {
  const behind = countBetween(position, head)
  const all = countBetween(0, head)
  return (
    <>
      <li class={behind > 0 ? 'framed figure figure-warm' : 'framed figure'}>
        <span class="label">{reads.head}</span>
        <span class="figure-value">{all.toLocaleString()}</span>
        <span class="figure-note">
          {behind === 0 ? reads.inStep : `${reads.behind} ${behindText(behind)}`}
        </span>
      </li>
      <li class="framed figure">
        <span class="label">{reads.watching}</span>
        <span class="figure-value">{watching.toLocaleString()}</span>
      </li>
    </>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: number | undefined
  readonly to: string
  /** Whether anything above zero needs someone. */
  readonly isBad?: boolean
}

function Figure({ label, value, to, isBad = false }: FigureProps) {
  return (
    <li class={isBad && (value ?? 0) > 0 ? 'framed figure figure-bad' : 'framed figure'}>
      <a href={to}>
        <span class="label">{label}</span>
        <span class="figure-value">{value?.toLocaleString() ?? '–'}</span>
      </a>
    </li>
  )
}

function Stages({ workers }: { readonly workers: WorkersAnswer['workers'] }) {
  return (
    <section class="block">
      <h2>{stages.title}</h2>
      <table class="framed table">
        <thead>
          <tr>
            <th scope="col">{stages.stage}</th>
            <th scope="col">{stages.waiting}</th>
            <th scope="col">{stages.oldest}</th>
            <th scope="col">{stages.last}</th>
          </tr>
        </thead>
        <tbody>
          {workers.map(({ stage, waiting, oldestAt, lastAt, cell }) => (
            <tr>
              <th scope="row">{stageText(stage, cell)}</th>
              <td data-label={stages.waiting} class={waiting > 0 ? 'number strong' : 'number'}>
                {waiting}
              </td>
              <td data-label={stages.oldest}>
                {oldestAt === null ? (
                  <span class="quiet">{stages.none}</span>
                ) : (
                  <Ago at={oldestAt} />
                )}
              </td>
              <td data-label={stages.last}>
                {lastAt === null ? (
                  <span class="quiet">{stages.never}</span>
                ) : (
                  <span>
                    <Ago at={lastAt} /> {stages.ago}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
