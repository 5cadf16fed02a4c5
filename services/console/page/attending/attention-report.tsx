// What people make of the questions that they are asked: by person, for their own eyes, and by
// rule, so that those who write the rules see which of them only tire people.
import {
  askingRuleText,
  attentionLabels,
  idleText,
  shareText,
  spanText,
} from '#present/console/attending-text'
import type { AttentionAnswer, PersonAttention, RuleAttention } from '#schemas/operations/counts'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Notice } from '../drawing/notice.tsx'
import { useReading } from '../operating/reading.ts'
import { Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'

const periods = [7, 30, 90] as const
const daysDefault = 30

export function AttentionView() {
  const given = place.value.query.get('days')
  const days = periods.find((each) => String(each) === given) ?? daysDefault
  const reading = useReading(`attention ${days}`, () =>
    askServer('attention', '/attention', { query: { since: `${days}d` } }),
  )
  return (
    <>
      <p class="quiet">{attentionLabels.lead}</p>
      <nav class="tabs" aria-label={attentionLabels.period}>
        {periods.map((each) => (
          <a
            href={linkTo(['operating', 'attention'], { days: String(each) })}
            aria-current={each === days ? 'true' : undefined}
          >
            {attentionLabels.days[each]}
          </a>
        ))}
      </nav>
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
      <Rules rules={rules} />
      <People people={people} />
    </>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly note?: string
}

function Figure({ label, value, note }: FigureProps) {
  return (
    <li class="framed figure">
      <span class="label">{label}</span>
      <span class="figure-value">{value}</span>
      {note !== undefined && <span class="figure-note">{note}</span>}
    </li>
  )
}

interface Column<Row> {
  readonly label: string
  readonly text: (row: Row) => string
}

const ruleColumns: readonly Column<RuleAttention>[] = [
  { label: attentionLabels.rules.questions, text: ({ questions }) => String(questions) },
  { label: attentionLabels.rules.refused, text: ({ refusedShare }) => shareText(refusedShare) },
  { label: attentionLabels.rules.expired, text: ({ expired }) => String(expired) },
  { label: attentionLabels.rules.answers, text: ({ answers }) => String(answers) },
  { label: attentionLabels.rules.quick, text: ({ quickShare }) => shareText(quickShare) },
  {
    label: attentionLabels.rules.median,
    text: ({ timeToDecide }) => spanText(timeToDecide.medianMs),
  },
]

function Rules({ rules }: Pick<AttentionAnswer, 'rules'>) {
  const { title, rule, idle } = attentionLabels.rules
  return (
    <section class="block">
      <h2>{title}</h2>
      <table class="framed table">
        <Head first={rule} columns={ruleColumns} />
        <tbody>
          {rules.map((row) => (
            <tr>
              <th scope="row">
                <Hostile text={askingRuleText(row)} max={120} />
                {row.changesNothing && <span class="tag">{idle}</span>}
              </th>
              <Cells row={row} columns={ruleColumns} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const personColumns: readonly Column<PersonAttention>[] = [
  { label: attentionLabels.people.asked, text: ({ asked }) => String(asked) },
  { label: attentionLabels.people.perDay, text: ({ perDay }) => perDay.mean.toFixed(1) },
  { label: attentionLabels.people.most, text: ({ perDay }) => String(perDay.most) },
  { label: attentionLabels.people.left, text: leftText },
  { label: attentionLabels.people.answers, text: ({ answers }) => String(answers) },
  { label: attentionLabels.people.agreed, text: ({ agreedShare }) => shareText(agreedShare) },
  { label: attentionLabels.people.quick, text: ({ quickShare }) => shareText(quickShare) },
  {
    label: attentionLabels.people.median,
    text: ({ timeToDecide }) => spanText(timeToDecide.medianMs),
  },
  { label: attentionLabels.people.unanswered, text: ({ unanswered }) => String(unanswered) },
]

function leftText({ answersLeft }: PersonAttention): string {
  return answersLeft === null ? '–' : `${answersLeft.left} of ${answersLeft.perDay}`
}

function People({ people }: Pick<AttentionAnswer, 'people'>) {
  const { title, person, whose } = attentionLabels.people
  return (
    <section class="block">
      <h2>{title}</h2>
      <p class="quiet small">{whose}</p>
      <table class="framed table">
        <Head first={person} columns={personColumns} />
        <tbody>
          {people.map((row) => (
            <tr>
              <th scope="row">
                <Hostile text={row.person} max={80} />
              </th>
              <Cells row={row} columns={personColumns} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface HeadProps {
  readonly first: string
  readonly columns: readonly { readonly label: string }[]
}

function Head({ first, columns }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {columns.map(({ label }) => (
          <th scope="col">{label}</th>
        ))}
      </tr>
    </thead>
  )
}

interface CellsProps<Row> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
}

function Cells<Row>({ row, columns }: CellsProps<Row>) {
  return (
    <>
      {columns.map(({ label, text }) => (
        <td class="number" data-label={label}>
          {text(row)}
        </td>
      ))}
    </>
  )
}
