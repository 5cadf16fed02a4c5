// One capability: its class, its rules, and suspending it, which is a condition that refuses all.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Hostile } from '../../drawing/hostile.tsx'
import { addToCatalog } from '../draft.ts'
import { EntryRow } from './entry-row.tsx'
import { isSuspended, withSuspension, type CapabilityEntry } from './parts.ts'
import type { OpenSheet } from './sheets.ts'

const words = authorLabels.catalog
const { effects } = authorLabels.condition

interface CapabilityRowProps {
  readonly entry: CapabilityEntry
  readonly isDrafted: boolean
  readonly onOpen: (sheet: OpenSheet) => void
}

export function CapabilityRow({ entry, isDrafted, onOpen }: CapabilityRowProps) {
  const { id, conditions = [] } = entry
  const suspended = isSuspended(entry)
  return (
    <EntryRow collection="capabilities" entry={entry} isDrafted={isDrafted} onOpen={onOpen}>
      {suspended && <p class="state state-warm state-line">{words.suspended}</p>}
      {conditions.length > 0 && !suspended && (
        <ul class="plain-rows">
          {conditions.map(({ name, effect, when }, index) => (
            <li>
              <button
                type="button"
                class="text-button"
                onClick={() => onOpen({ what: 'condition', capability: id, index })}
              >
                <Hostile text={name} max={80} isBrief />
              </button>{' '}
              <span class="quiet small">{effects[effect]}</span>{' '}
              <code>
                <Hostile text={when} max={160} isBrief />
              </code>
            </li>
          ))}
        </ul>
      )}
      <div class="row-act">
        <button
          type="button"
          class="text-button"
          onClick={() => onOpen({ what: 'condition', capability: id, index: null })}
        >
          + {authorLabels.condition.title}
          <span class="unseen"> {id}</span>
        </button>
        <button
          type="button"
          class="text-button"
          onClick={() =>
            addToCatalog(withSuspension(entry, suspended ? null : words.suspendMessage))
          }
        >
          {suspended ? words.resume : words.suspend}
          <span class="unseen"> {id}</span>
        </button>
      </div>
    </EntryRow>
  )
}
