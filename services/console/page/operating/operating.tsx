// What an operator looks at: whether the work goes on, what waits for whom, what went wrong, and
// who acts. All of it is read from the log as it is now.
import { workLabels } from '#present/console/overseeing/work-labels'
import { AttentionView } from '../attending/attention-report.tsx'
import { place } from '../shell/address.ts'
import { Loaded } from '../shell/loaded.tsx'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'
import { Agents } from './agents.tsx'
import { Doctor } from './doctor.tsx'
import { Faults } from './faults.tsx'
import { Open } from './open.tsx'
import { useReading } from './reading.ts'
import { RoomOfViews } from './room.tsx'
import { Work } from './work.tsx'

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

function isOperator(): boolean {
  return person.value?.rights.includes('operator') === true
}

export function Operating() {
  const here = viewOf(place.value.path[1])
  const open = useReading('open', () => askServer('open', '/open', { query: { limit: '1' } }))
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
      {here === 'work' && <Work open={open} faults={faults} />}
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
