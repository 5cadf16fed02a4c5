// What agents have earned: all of them in a table, or one with the steps that moved it.
import { useSignal } from '@preact/signals'
import { labels } from '#present/console/labels'
import { standingLabels } from '#present/work/standing-labels'
import { probationText, standingText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { StandingRow } from '#schemas/operations/standings'
import { Hostile } from '../drawing/hostile.tsx'
import { Empty } from '../drawing/notice.tsx'
import { useReading } from '../operating/reading.ts'
import { Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { SearchField } from '../shell/search-field.tsx'
import { AgentStanding } from './agent-standing.tsx'
import { LevelState } from './level-state.tsx'
import { linkToStanding, workKindsSeen } from './links.ts'

const { columns, ...words } = standingLabels
const stepRows = 100
const rowsMax = '1000'

export function StandingsView() {
  const [, , agent] = place.value.path
  return agent === undefined ? <AllStandings /> : <AgentStanding key={agent} agent={agent} />
}

function AllStandings() {
  const reading = useReading(
    'standings',
    () => askServer('standings', '/standings', { query: { limit: rowsMax } }),
    workKindsSeen,
  )
  const wanted = useSignal('')
  const most = useSignal(stepRows)
  return (
    <Read reading={reading}>
      {({ rows }) => {
        if (rows.length === 0) return <Empty title={words.empty} lead={words.emptyLead} />
        const meant = wanted.value.trim().toLowerCase()
        const found = rows.filter(({ agent }) => agent.toLowerCase().includes(meant))
        return (
          <>
            <SearchField label={words.filter} typed={wanted} />
            {found.length === 0 ? (
              <p class="quiet">{words.emptyFilter}</p>
            ) : (
              <StandingTable rows={found.slice(0, most.value)} />
            )}
            {found.length > most.value && (
              <button type="button" class="button" onClick={() => (most.value += stepRows)}>
                {labels.more}
              </button>
            )}
          </>
        )
      }}
    </Read>
  )
}

function StandingTable({ rows }: { readonly rows: readonly StandingRow[] }) {
  return (
    <table class="framed table">
      <caption class="unseen">{words.caption}</caption>
      <thead>
        <tr>
          {Object.values(columns).map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={`${row.cell ?? ''} ${row.agent}`} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ row }: { readonly row: StandingRow }) {
  const { agent, value, level, probation, scored, contracts, suspendedBy, counts, cell } = row
  return (
    <tr>
      <th scope="row">
        <a href={linkToStanding(agent)}>
          <Hostile text={agent} max={80} isBrief />
        </a>
      </th>
      <td data-label={columns.value} class="number">
        {standingText(value)}
      </td>
      <td data-label={columns.level}>
        <LevelState level={level} />
        {!counts && <span class="quiet small"> {words.undecided}</span>}
      </td>
      <td data-label={columns.probation}>{probationText(probation)}</td>
      <td data-label={columns.scored} class="number">
        {scored}
      </td>
      <td data-label={columns.contracts} class="number">
        {contracts === 0 ? (
          contracts
        ) : (
          <a href={linkTo(['operating', 'contracts'], { worker: agent })}>{contracts}</a>
        )}
      </td>
      <td data-label={columns.suspendedBy} class="number">
        {suspendedBy === null ? (
          <span class="quiet">{words.none}</span>
        ) : (
          <a href={linkToStanding(agent, momentText({ ...suspendedBy, cell }))}>
            {momentText({ ...suspendedBy, cell })}
          </a>
        )}
      </td>
    </tr>
  )
}
