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
import { Section } from '../drawing/texts.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Notice } from '../drawing/notice.tsx'
import { Figure } from '../drawing/rows.tsx'
import { Table, type Column } from '../drawing/table.tsx'
import { Ways } from '../drawing/ways.tsx'
import { useReading, Read } from '../operating/room.tsx'
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
