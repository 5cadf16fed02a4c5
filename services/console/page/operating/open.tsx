// What is open, oldest first, and whom or what each waits for; and above all the reviews that no
// one can answer, which would only be noticed when they expire.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { cannotAnswerText, tooFewText, waitsForText } from '#present/console/overseeing/work-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import type { OpenRow as Row } from '#schemas/operations/open-intents'
import { Hostile } from '../drawing/hostile.tsx'
import { Ago, Countdown } from '../drawing/moment.tsx'
import { Empty } from '../drawing/notice.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { useReading } from './reading.ts'
import { Read } from './room.tsx'

const words = workLabels.open
const filters = ['all', 'people', 'stages', 'unanswerable'] as const
type Filter = (typeof filters)[number]

function filterOf(text: string | undefined): Filter {
  return filters.find((filter) => filter === text) ?? 'all'
}

const stepRows = 50
const rowsMax = 200

export function Open() {
  const only = filterOf(place.value.query.get('only'))
  const limit = useSignal(stepRows)
  useEffect(() => {
    limit.value = stepRows
  }, [only])
  const reading = useReading(`${only} ${limit.value}`, () =>
    askServer('openIntents', '/open-intents', {
      query: { only: only === 'all' ? 'undecided' : only, limit: String(limit.value) },
    }),
  )
  return (
    <>
      <nav class="bunch filters" aria-label={words.filters}>
        {filters.map((filter) => (
          <a
            class="filter"
            href={linkTo(['operating', 'open'], filter === 'all' ? {} : { only: filter })}
            aria-current={filter === only ? 'true' : undefined}
          >
            {words[filter]}
          </a>
        ))}
      </nav>
      <Read reading={reading}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 && <NothingOpen only={only} />}
            <ul class="stack">
              {rows.map((row) => (
                <OpenRow key={row.intent} row={row} />
              ))}
            </ul>
            {next !== null && limit.value < rowsMax && (
              <button type="button" class="button" onClick={() => (limit.value += stepRows)}>
                {labels.more}
              </button>
            )}
          </>
        )}
      </Read>
    </>
  )
}

function NothingOpen({ only }: { readonly only: Filter }) {
  return only === 'unanswerable' ? (
    <Empty title={words.emptyUnanswerable} lead={words.emptyUnanswerableLead} />
  ) : (
    <Empty title={words.empty} lead={words.emptyLead} />
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
        <span class="row-age">
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
        <dt>{words.can}</dt>
        <dd>{can.length === 0 ? words.noOne : <Hostile text={can.join(', ')} max={300} />}</dd>
        <dt>{words.cannot}</dt>
        <dd>
          <ul>
            {cannot.map(({ person, why }) => (
              <li>
                <Hostile text={person} max={80} isBrief /> — {cannotAnswerText(why)}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
      <p class="quiet small">{words.fix}</p>
    </div>
  )
}
