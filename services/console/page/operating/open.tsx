// What is open, oldest first, and whom or what each waits for; and above all the reviews that no
// one can answer, which would only be noticed when they expire.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { cannotAnswerText, tooFewText, waitsForText } from '#present/console/overseeing/work-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import type { OpenRow as Row } from '#schemas/operations/open-intents'
import { Pair } from '../drawing/texts.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Ago, Countdown } from '../drawing/moment.tsx'
import { ListOfRows } from '../drawing/rows.tsx'
import { Ways } from '../drawing/ways.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { useReading, Read } from './room.tsx'

const words = workLabels.open
const filters = ['all', 'people', 'stages', 'unanswerable'] as const

const noneUnanswerable = {
  empty: words.emptyUnanswerable,
  emptyLead: words.emptyUnanswerableLead,
}

const stepRows = 50
const rowsMax = 200

export function Open() {
  const only = filters.find((filter) => filter === place.value.query.get('only')) ?? 'all'
  const limit = useSignal(stepRows)
  useEffect(() => {
    limit.value = stepRows
  }, [only])
  const reading = useReading(`${only} ${limit.value}`, () =>
    askServer('openIntents', '/open-intents', {
      query: { only: only === 'all' ? 'undecided' : only, limit: String(limit.value) },
    }),
  )
  const more = () => (limit.value += stepRows)
  return (
    <>
      <Ways
        as="bunch filters"
        label={words.filters}
        ways={filters.map((filter) => ({
          label: words[filter],
          to: linkTo(['operating', 'open'], filter === 'all' ? {} : { only: filter }),
          isHere: filter === only,
        }))}
      />
      <Read reading={reading}>
        {({ rows, next }) => (
          <ListOfRows
            {...(only === 'unanswerable' ? noneUnanswerable : words)}
            rows={rows}
            onMore={next !== null && limit.value < rowsMax ? more : null}
          >
            {(row) => <OpenRow key={row.intent} row={row} />}
          </ListOfRows>
        )}
      </Read>
    </>
  )
}

function OpenRow({ row }: { readonly row: Row }) {
  const { intent, since, agent, tool, waits, unanswerable } = row
  return (
    <li class={unanswerable === null ? 'framed marked row' : 'framed marked row marked-bad'}>
      <p class="ends ends-text">
        <a class="row-title" href={linkTo(['intents', intent])}>
          <Hostile text={tool} max={80} isBrief />
        </a>
        <span class="fixed quiet small number">
          {words.since} <Ago at={since} />
        </span>
      </p>
      <p class="row-text">
        <Hostile text={agent} max={60} isBrief />
        {' → '}
        <Hostile text={waits === null ? '' : waitsForText(waits)} max={160} isBrief />
        {waits !== null && waits.until !== null && (
          <span class="quiet">
            {' · '}
            {words.ends} <Countdown until={waits.until} />
          </span>
        )}
      </p>
      {unanswerable !== null && <Unanswered unanswerable={unanswerable} />}
    </li>
  )
}

function Unanswered({ unanswerable }: { readonly unanswerable: NonNullable<Row['unanswerable']> }) {
  const { can, cannot } = unanswerable
  return (
    <div class="row-why">
      <p class="strong">{tooFewText(unanswerable)}</p>
      <dl class="pairs">
        <Pair name={words.can}>
          {can.length === 0 ? words.noOne : <Hostile text={can.join(', ')} max={300} />}
        </Pair>
        <Pair name={words.cannot}>
          <ul>
            {cannot.map(({ person, why }) => (
              <li>
                <Hostile text={person} max={80} isBrief /> — {cannotAnswerText(why)}
              </li>
            ))}
          </ul>
        </Pair>
      </dl>
      <p class="quiet small">{words.fix}</p>
    </div>
  )
}
