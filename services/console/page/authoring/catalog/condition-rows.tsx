// The conditions about calls of every capability, and beside them those of one each.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import type { CatalogRead, ConditionEntry } from './parts.ts'
import type { OpenSheet } from './sheets.ts'

const words = authorLabels.condition

interface ConditionRowsProps {
  readonly catalog: CatalogRead
  readonly onOpen: (sheet: OpenSheet) => void
}

export function ConditionRows({ catalog, onOpen }: ConditionRowsProps) {
  const ofAll = (catalog.conditions ?? []).map((condition, index) => {
    return { condition, index, capability: null }
  })
  const ofOne = catalog.capabilities.flatMap(({ id, conditions = [] }) =>
    conditions.map((condition, index) => ({ condition, index, capability: id })),
  )
  const all = [...ofAll, ...ofOne]
  if (all.length === 0) {
    return <Empty title={authorLabels.catalog.empty} lead={authorLabels.catalog.emptyLead} />
  }
  return (
    <ul class="rows">
      {all.map(({ condition, index, capability }) => (
        <ConditionRow
          key={`${capability ?? ''} ${condition.name}`}
          condition={condition}
          capability={capability}
          onEdit={() => onOpen({ what: 'condition', capability, index })}
        />
      ))}
    </ul>
  )
}

interface ConditionRowProps {
  readonly condition: ConditionEntry
  readonly capability: string | null
  readonly onEdit: () => void
}

function ConditionRow({ condition, capability, onEdit }: ConditionRowProps) {
  const { name, effect, when, message } = condition
  return (
    <li class="row">
      <div class="row-foot">
        <div class="row-main">
          <p>
            <span class="row-title">
              <Hostile text={name} max={120} isBrief />
            </span>{' '}
            <span class="quiet small">
              {words.effects[effect]} · <Hostile text={capability ?? words.all} max={80} isBrief />
            </span>
          </p>
          <p>
            <code>
              <Hostile text={when} max={400} />
            </code>
          </p>
          {message !== undefined && (
            <p class="quiet small">
              <Hostile text={message} max={300} />
            </p>
          )}
        </div>
        <button type="button" class="button button-small" onClick={onEdit}>
          {authorLabels.catalog.edit}
          <span class="unseen"> {name}</span>
        </button>
      </div>
    </li>
  )
}
