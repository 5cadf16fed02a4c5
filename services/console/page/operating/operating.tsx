// What an operator looks at: whether the work goes on, what waits for whom, what went wrong, and
// who acts. All of it is read from the log as it is now.
import { workLabels } from '#present/console/overseeing/work-labels'
import { doctorText, behindText, stageText } from '#present/console/overseeing/work-text'
import type { FindingsAnswer, WorkersAnswer } from '#schemas/console/operating'
import { countBetween } from '#schemas/console/positions'
import { place, linkTo } from '../shell/address.ts'
import { Loaded } from '../shell/loaded.tsx'
import { askServer } from '../shell/requests.ts'
import { hasRight } from '../shell/session.ts'
import { Agents } from './agents.tsx'
import { FaultsView } from './faults.tsx'
import { Open } from './open.tsx'
import { useOnce, useReading, RoomOfViews, ProblemNote, Read, type Reread } from './room.tsx'
import { MarkedText, Hostile } from '../drawing/hostile.tsx'
import { Button } from '../drawing/button.tsx'
import { MomentShown, Ago } from '../drawing/moment.tsx'
import { Empty, Notice } from '../drawing/notice.tsx'
import { Figure } from '../drawing/rows.tsx'
import { Table, type Column } from '../drawing/table.tsx'
import { Section, Details } from '../drawing/texts.tsx'
import {
  askingRuleText,
  attentionLabels,
  idleText,
  shareText,
  spanText,
} from '#present/console/attending-text'
import type { AttentionAnswer, PersonAttention, RuleAttention } from '#schemas/operations/counts'
import { Ways } from '../drawing/ways.tsx'

// What doctor finds: what failed first, then what it warns of, each with how to fix it, and what
// is as it should be folded away.

type Finding = FindingsAnswer['findings'][number]

const words = workLabels.doctor

function Doctor() {
  const reading = useOnce('findings', () => askServer('findings', '/findings'))
  const { value: answer, problem, isReading } = reading
  const again = () => void reading.again()
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
        <Button
          is="small"
          label={isReading ? words.looking : words.again}
          isOff={isReading}
          onPress={again}
        />
      </Notice>
      <ul class="stack">
        {[...failed, ...warned].map((finding) => (
          <FindingRow finding={finding} />
        ))}
      </ul>
      <Details label={`${words.fine} (${fine.length})`}>
        <ul class="stack">
          {fine.map((finding) => (
            <FindingRow finding={finding} />
          ))}
        </ul>
      </Details>
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

const ofWholeLog: ReadonlySet<string> = new Set(['work', 'open', 'faults', 'doctor'])

function asAuditor<T>(ask: () => Promise<T>): Promise<T> {
  return hasRight('auditor') ? ask() : new Promise(() => undefined)
}

const standings = async () => (await import('../standings/standings.tsx')).StandingsView
const contracts = async () => (await import('../standings/contracts.tsx')).ContractsView

function countOpen(only: 'undecided' | 'unanswerable') {
  return askServer('openIntents', '/open-intents', { query: { only, limit: '1' } })
}

export function Operating() {
  const open = useReading('open', () => asAuditor(() => countOpen('undecided')))
  const unanswerable = useReading('unanswerable', () => asAuditor(() => countOpen('unanswerable')))
  const faults = useReading('faults', () =>
    asAuditor(() => askServer('faults', '/faults', { query: { limit: '500' } })),
  )
  const openFaults = faults.value?.rows.filter((fault) => fault.open).length
  const counts = { open: open.value?.count, faults: openFaults }
  const right = (view: string) => (view === 'doctor' ? 'operator' : 'auditor')
  const mine = views.filter((view) => !ofWholeLog.has(view) || hasRight(right(view)))
  const here = mine.find((view) => view === place.value.path[1]) ?? mine[0] ?? 'agents'
  return (
    <RoomOfViews view="operating" words={workLabels} views={mine} counts={counts} here={here}>
      {here === 'work' && <Work open={open} unanswerable={unanswerable} openFaults={openFaults} />}
      {here === 'open' && <Open />}
      {here === 'faults' && <FaultsView reading={faults} />}
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

type Counted = Awaited<ReturnType<typeof countOpen>>

interface WorkProps {
  readonly open: Reread<Counted>
  readonly unanswerable: Reread<Counted>
  readonly openFaults: number | undefined
}

function Work({ open, unanswerable, openFaults }: WorkProps) {
  const reading = useReading('workers', () => askServer('workers', '/workers'))
  return (
    <Read reading={reading}>
      {(answer) => (
        <>
          <ul class="figures">
            <CountedThere
              label={reads.open}
              count={open.value?.count}
              to={linkTo(['operating', 'open'])}
            />
            <CountedThere
              label={reads.unanswerable}
              count={unanswerable.value?.count}
              to={linkTo(['operating', 'open'], { only: 'unanswerable' })}
              isBad
            />
            <CountedThere
              label={reads.faults}
              count={openFaults}
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

interface CountedProps {
  readonly label: string
  readonly count: number | undefined
  readonly to: string
  /** Whether anything above zero needs someone. */
  readonly isBad?: boolean
}

function CountedThere({ label, count, to, isBad = false }: CountedProps) {
  const tone = isBad && (count ?? 0) > 0 ? 'bad' : 'calm'
  return <Figure label={label} value={count?.toLocaleString() ?? '–'} tone={tone} to={to} />
}

function Figures({ answer: { head, position, watching } }: { readonly answer: WorkersAnswer }) {
  const behind = countBetween(position, head)
  return (
    <>
      <Figure
        label={reads.head}
        value={countBetween(0, head).toLocaleString()}
        note={behind === 0 ? reads.inStep : `${reads.behind} ${behindText(behind)}`}
        tone={behind > 0 ? 'warm' : 'calm'}
      />
      <Figure label={reads.watching} value={watching.toLocaleString()} />
    </>
  )
}

type Waiting = WorkersAnswer['workers'][number]

const columns: readonly Column<Waiting>[] = [
  { label: stages.stage, cell: ({ stage, cell }) => stageText(stage, cell) },
  {
    label: stages.waiting,
    class: 'number',
    cell: ({ waiting }) => (waiting > 0 ? <span class="strong">{waiting}</span> : waiting),
  },
  {
    label: stages.oldest,
    cell: ({ oldestAt }) =>
      oldestAt === null ? <span class="quiet">{stages.none}</span> : <Ago at={oldestAt} />,
  },
  {
    label: stages.last,
    cell: ({ lastAt }) =>
      lastAt === null ? (
        <span class="quiet">{stages.never}</span>
      ) : (
        <span>
          <Ago at={lastAt} /> {stages.ago}
        </span>
      ),
  },
]

function Stages({ workers }: { readonly workers: readonly Waiting[] }) {
  const keyOf = ({ stage, cell }: Waiting) => stageText(stage, cell)
  return (
    <Section title={stages.title}>
      <Table columns={columns} rows={workers} keyOf={keyOf} />
    </Section>
  )
}

// What people make of the questions that they are asked: by person, for their own eyes, and by
// rule, so that those who write the rules see which of them only tire people.

const periods = [7, 30, 90] as const
const daysDefault = 30

function AttentionView() {
  const given = place.value.query.get('days')
  const days = periods.find((each) => String(each) === given) ?? daysDefault
  const reading = useReading(`attention ${days}`, () =>
    askServer('attention', '/attention', { query: { since: `${days}d` } }),
  )
  return (
    <>
      <p class="quiet">{attentionLabels.lead}</p>
      <Ways
        label={attentionLabels.period}
        ways={periods.map((each) => ({
          label: attentionLabels.days[each],
          to: linkTo(['operating', 'attention'], { days: String(each) }),
          isHere: each === days,
        }))}
      />
      <Read reading={reading}>{(answer) => <Report answer={answer} />}</Read>
    </>
  )
}

function Report({ answer }: { readonly answer: AttentionAnswer }) {
  const { all, people, rules, answersMin } = answer
  const idle = rules.filter(({ changesNothing }) => changesNothing)
  const labels = attentionLabels.all
  if (all.reviews === 0 && people.length === 0) return <p>{attentionLabels.none}</p>
  return (
    <>
      <ul class="figures">
        <Figure label={labels.reviews} value={String(all.reviews)} />
        <Figure label={labels.agreed} value={shareText(all.agreedShare)} />
        <Figure label={labels.quick} value={shareText(all.quickShare)} />
        <Figure
          label={labels.median}
          value={spanText(all.timeToDecide.medianMs)}
          note={`${attentionLabels.p90} ${spanText(all.timeToDecide.p90Ms)}`}
        />
        <Figure label={labels.expired} value={String(all.expired)} />
        <Figure label={labels.waited} value={spanText(all.waitedMs)} />
      </ul>
      {answer.from !== null && (
        <p class="quiet small">
          {attentionLabels.since} <MomentShown at={answer.from} />
        </p>
      )}
      {idle.length > 0 && <Notice tone="warm">{idleText(idle.length, answersMin)}</Notice>}
      <Section title={attentionLabels.rules.title}>
        <Table columns={ruleColumns} rows={rules} keyOf={askingRuleText} />
      </Section>
      <Section title={attentionLabels.people.title}>
        <p class="quiet small">{attentionLabels.people.whose}</p>
        <Table columns={personColumns} rows={people} keyOf={({ person }) => person} />
      </Section>
    </>
  )
}

const ruleColumns: readonly Column<RuleAttention>[] = [
  {
    label: attentionLabels.rules.rule,
    cell: (row) => (
      <>
        <Hostile text={askingRuleText(row)} max={120} />
        {row.changesNothing && <span class="tag">{attentionLabels.rules.idle}</span>}
      </>
    ),
  },
  number(attentionLabels.rules.questions, ({ questions }) => String(questions)),
  number(attentionLabels.rules.refused, ({ refusedShare }) => shareText(refusedShare)),
  number(attentionLabels.rules.expired, ({ expired }) => String(expired)),
  number(attentionLabels.rules.answers, ({ answers }) => String(answers)),
  number(attentionLabels.rules.quick, ({ quickShare }) => shareText(quickShare)),
  number(attentionLabels.rules.median, ({ timeToDecide }) => spanText(timeToDecide.medianMs)),
]

function number<Of>(label: string, cell: (row: Of) => string): Column<Of> {
  return { label, cell, class: 'number' }
}

const personColumns: readonly Column<PersonAttention>[] = [
  {
    label: attentionLabels.people.person,
    cell: ({ person }) => <Hostile text={person} max={80} />,
  },
  number(attentionLabels.people.asked, ({ asked }) => String(asked)),
  number(attentionLabels.people.perDay, ({ perDay }) => perDay.mean.toFixed(1)),
  number(attentionLabels.people.most, ({ perDay }) => String(perDay.most)),
  number(attentionLabels.people.left, leftText),
  number(attentionLabels.people.answers, ({ answers }) => String(answers)),
  number(attentionLabels.people.agreed, ({ agreedShare }) => shareText(agreedShare)),
  number(attentionLabels.people.quick, ({ quickShare }) => shareText(quickShare)),
  number(attentionLabels.people.median, ({ timeToDecide }) => spanText(timeToDecide.medianMs)),
  number(attentionLabels.people.unanswered, ({ unanswered }) => String(unanswered)),
]

function leftText({ answersLeft }: PersonAttention): string {
  return answersLeft === null ? '–' : `${answersLeft.left} of ${answersLeft.perDay}`
}
