// What an auditor looks at: the log, one intent, the graph, and two moments beside each other.
import { auditLabels } from '#present/auditing/audit-labels'
import { Failed } from '../drawing/notice.tsx'
import { Ways } from '../drawing/ways.tsx'
import { linkTo, place } from '../shell/address.ts'
import { hasRight } from '../shell/session.ts'
import { Compare } from './comparing/compare.tsx'
import { GraphPage } from './picturing/graph-view.tsx'
import { LogSearch } from './searching/search.tsx'
import { IntentView } from './story/intent.tsx'

const ways = ['log', 'graph', 'compare'] as const

export function AuditorViews() {
  const [view, what] = place.value.path
  if (!hasRight('auditor')) return <Failed code="forbidden" />
  if (view === 'intents' && what !== undefined) return <IntentView key={what} intent={what} />
  return (
    <>
      <Ways
        as="tabs tabs-lined"
        label={auditLabels.ways}
        ways={ways.map((way) => ({
          label: auditLabels.views[way],
          to: linkTo([way]),
          isHere: view === way,
        }))}
      />
      {view === 'graph' && <GraphPage />}
      {view === 'compare' && <Compare />}
      {view !== 'graph' && view !== 'compare' && <LogSearch />}
    </>
  )
}
