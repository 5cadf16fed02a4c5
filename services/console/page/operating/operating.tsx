// What an operator looks at: whether the work goes on, what waits for whom, what went wrong, and
// who acts. All of it is read from the log as it is now.
import { workLabels } from '#present/console/overseeing/work-labels'
import { AttentionView } from '../attending/attention-report.tsx'
import { place, linkTo } from '../shell/address.ts'
import { Loaded } from '../shell/loaded.tsx'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'
import { Agents } from './agents.tsx'
import { Faults } from './faults.tsx'
import { Open } from './open.tsx'
import { useReading, type Reread } from './reading.ts'
import { RoomOfViews, ProblemNote, Read } from './room.tsx'
import { doctorText, behindText, stageText } from '#present/console/overseeing/work-text'
import type { FindingsAnswer, FaultsAnswer, WorkersAnswer } from '#schemas/console/operating'
import { MarkedText } from '../auditing/marked-text.tsx'
import { useAnswer } from '../auditing/reading.ts'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown, Ago } from '../drawing/moment.tsx'
import { Empty, Notice } from '../drawing/notice.tsx'
import { countBetween } from '#schemas/console/positions'
import { setServerTime } from '../shell/clock.ts'

// What doctor finds: what failed first, then what it warns of, each with how to fix it, and what
// is as it should be folded away.

type Finding = FindingsAnswer['findings'][number]

const words = workLabels.doctor

function Doctor() {
  const { answer, problem, isReading, again } = useAnswer('findings', () =>
    askServer('findings', '/findings'),
  )
  if (problem !== null) return <ProblemNote code={problem} onRetry={again} />
  if (answer === null) return <p class="loading">{words.looking}</p>
  const { at, findings } = answer
  if (at === null) return <Empty title={words.cannot} lead={words.cannotLead} />
  const of = (status: Finding['status']) => findings.filter((one) => one.status === status)
  const [failed, warned, fine] = [of('failure'), of('warning'), of('ok')]
  return (
    <>
      <Notice tone={failed.length > 0 ? 'bad' : warned.length > 0 ? 'warm' : 'good'}>
        <p>{doctorText({ failed: failed.length, warned: warned.length, fine: fine.length })}</p>
        <p class="quiet small">
          {words.at} <MomentShown at={at} />
        </p>
        <button type="button" class="button button-small" disabled={isReading} onClick={again}>
          {isReading ? words.looking : words.again}
        </button>
      </Notice>
      <ul class="stack">
        {[...failed, ...warned].map((finding) => (
          <FindingRow finding={finding} />
        ))}
      </ul>
      <details class="details">
        <summary>
          {words.fine} ({fine.length})
        </summary>
        <ul class="stack">
          {fine.map((finding) => (
            <FindingRow finding={finding} />
          ))}
        </ul>
      </details>
    </>
  )
}

const tones = { ok: 'good', warning: 'warm', failure: 'bad' } as const

function FindingRow({ finding }: { readonly finding: Finding }) {
  const { check, about, status, found, fix } = finding
  return (
    <li class={`framed marked row marked-${tones[status]}`}>
      <p class="ends ends-text">
        <span class="row-title">
          <code>{check}</code>
          {about !== '' && (
            <>
              {' '}
              <Hostile text={about} max={160} isBrief />
            </>
          )}
        </span>
        <span class={`state state-${tones[status]}`}>{words.is[status]}</span>
      </p>
      <p class="row-text">
        <MarkedText text={found} max={600} />
      </p>
      {fix !== null && (
        <p class="row-text">
          <span class="strong">{words.fix}</span> <MarkedText text={fix} max={600} />
        </p>
      )}
    </li>
  )
}

const views = [
  'work',
  'open',
  'faults',
  'agents',
  'standings',
  'contracts',
  'attention',
  'doctor',
] as const
type ViewOf = (typeof views)[number]

function viewOf(text: string | undefined): ViewOf {
  return views.find((view) => view === text) ?? 'work'
}

const standings = async () => (await import('../standings/standings.tsx')).StandingsView
const contracts = async () => (await import('../standings/contracts.tsx')).ContractsView

function countOpen(only: 'undecided' | 'unanswerable') {
  return askServer('openIntents', '/open-intents', { query: { only, limit: '1' } })
}

function isOperator(): boolean {
  return person.value?.rights.includes('operator') === true
}

export function Operating() {
  const here = viewOf(place.value.path[1])
  const open = useReading('open', () => countOpen('undecided'))
  const unanswerable = useReading('unanswerable', () => countOpen('unanswerable'))
  const faults = useReading('faults', () => askServer('faults', '/faults'))
  const counts: Readonly<Record<ViewOf, number>> = {
    work: 0,
    open: open.value?.count ?? 0,
    faults: faults.value?.faults.filter((fault) => fault.open).length ?? 0,
    agents: 0,
    standings: 0,
    contracts: 0,
    attention: 0,
    doctor: 0,
  }
  const mine = views.filter((view) => view !== 'doctor' || isOperator())
  const tabs = mine.map((id) => ({ id, label: workLabels.views[id], count: counts[id] }))
  return (
    <RoomOfViews
      view="operating"
      title={workLabels.title}
      label={workLabels.tabs}
      tabs={tabs}
      here={here}
    >
      {here === 'work' && <Work open={open} unanswerable={unanswerable} faults={faults} />}
      {here === 'open' && <Open />}
      {here === 'faults' && <Faults reading={faults} />}
      {here === 'agents' && <Agents />}
      {here === 'standings' && <Loaded key={here} load={standings} />}
      {here === 'contracts' && <Loaded key={here} load={contracts} />}
      {here === 'attention' && <AttentionView />}
      {here === 'doctor' && <Doctor />}
    </RoomOfViews>
  )
}

// Whether the work goes on: how far this server has read, how much waits for each stage and since
// when, and what needs someone.

const { reads, stages } = workLabels

async function readWorkers(): Promise<WorkersAnswer> {
  const answer = await askServer('workers', '/workers')
  setServerTime(answer.now)
  return answer
}

type Counted = Awaited<ReturnType<typeof countOpen>>

interface WorkProps {
  readonly open: Reread<Counted>
  readonly unanswerable: Reread<Counted>
  readonly faults: Reread<FaultsAnswer>
}

function Work({ open, unanswerable, faults }: WorkProps) {
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
              value={unanswerable.value?.count}
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
