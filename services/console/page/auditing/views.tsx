// What an auditor looks at: the log, one intent, the graph, and two moments beside each other.
import { auditLabels } from '#present/auditing/audit-labels'
import { Failed } from '../drawing/notice.tsx'
import { linkTo, place } from '../shell/address.ts'
import { person } from '../shell/session.ts'
import { Compare } from './comparing/compare.tsx'
import { GraphPage } from './picturing/graph-view.tsx'
import { LogSearch } from './searching/search.tsx'
import { IntentView } from './story/intent.tsx'

const ways = ['log', 'graph', 'compare'] as const

export function AuditorViews() {
  const [view, what] = place.value.path
  if (person.value?.rights.includes('auditor') !== true) return <Failed code="forbidden" />
  if (view === 'intents' && what !== undefined) return <IntentView key={what} intent={what} />
  return (
    <>
      <nav class="tabs tabs-lined" aria-label={auditLabels.ways}>
        {ways.map((way) => (
          <a href={linkTo([way])} aria-current={view === way ? 'page' : undefined}>
            {auditLabels.views[way]}
          </a>
        ))}
      </nav>
      {view === 'graph' && <GraphPage />}
      {view === 'compare' && <Compare />}
      {view !== 'graph' && view !== 'compare' && <LogSearch />}
    </>
  )
}
