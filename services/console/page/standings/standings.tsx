// What agents have earned: all of them in a table, or one with the steps that moved it.
import { useSignal } from '@preact/signals'
import { labels } from '#present/console/labels'
import { standingLabels } from '#present/work/standing-labels'
import { probationText, standingText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { StandingRow } from '#schemas/operations/standings'
import { Button } from '../drawing/button.tsx'
import { SearchField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Empty } from '../drawing/notice.tsx'
import { Table, type Column } from '../drawing/table.tsx'
import { useReading, Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { AgentStanding, LevelState } from './agent-standing.tsx'
import { linkToStanding, isOfWork } from './links.ts'

const { columns: named, ...words } = standingLabels
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
    isOfWork,
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
              <Table
                columns={columns}
                rows={found.slice(0, most.value)}
                keyOf={({ cell, agent }) => `${cell ?? ''} ${agent}`}
                caption={words.caption}
              />
            )}
            {found.length > most.value && (
              <Button label={labels.more} onPress={() => (most.value += stepRows)} />
            )}
          </>
        )
      }}
    </Read>
  )
}

function suspendedMoment({ suspendedBy, cell }: StandingRow): string | null {
  return suspendedBy === null ? null : momentText({ ...suspendedBy, cell })
}

const columns: readonly Column<StandingRow>[] = [
  {
    label: named.agent,
    cell: ({ agent }) => (
      <Hostile in="a" href={linkToStanding(agent)} text={agent} max={80} isBrief />
    ),
  },
  { label: named.value, class: 'number', cell: ({ value }) => standingText(value) },
  {
    label: named.level,
    cell: ({ level, counts }) => (
      <>
        <LevelState level={level} />
        {!counts && <span class="quiet small"> {words.undecided}</span>}
      </>
    ),
  },
  { label: named.probation, cell: ({ probation }) => probationText(probation) },
  { label: named.scored, class: 'number', cell: ({ scored }) => scored },
  {
    label: named.contracts,
    class: 'number',
    cell: ({ contracts, agent }) =>
      contracts === 0 ? (
        contracts
      ) : (
        <a href={linkTo(['operating', 'contracts'], { worker: agent })}>{contracts}</a>
      ),
  },
  {
    label: named.suspendedBy,
    class: 'number',
    cell: (row) => {
      const moment = suspendedMoment(row)
      if (moment === null) return <span class="quiet">{words.none}</span>
      return <a href={linkToStanding(row.agent, moment)}>{moment}</a>
    },
  },
]
