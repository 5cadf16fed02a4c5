// A value that filters by itself when it is clicked.
import { auditLabels } from '#present/auditing/audit-labels'
import { filterLabel, filtersWith, type Filter } from '#present/auditing/filters'
import { Hostile } from '../../drawing/hostile.tsx'
import { filters, linkToFact } from './search-state.ts'

interface PickProps {
  readonly filter: Filter
  /** What is drawn; the filter's value if absent. */
  readonly text?: string
  readonly max?: number
}

export function Pick({ filter, text = filter.value, max = 60 }: PickProps) {
  const isOn = filters.value[filter.name] === filter.value
  const title = `${auditLabels.fact.narrow} (${filterLabel(filter.name)})`
  return (
    <a
      class={isOn ? 'pick pick-on' : 'pick'}
      href={linkToFact(null, filtersWith(filters.value, filter))}
      title={title}
    >
      <Hostile text={text} max={max} isBrief />
    </a>
  )
}
