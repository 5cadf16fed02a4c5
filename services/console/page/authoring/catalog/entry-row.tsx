// One entry of the catalog in a list, with what can be done with it.
import type { ComponentChildren } from 'preact'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { Collection } from '#schemas/catalog'
import { Hostile } from '../../drawing/hostile.tsx'
import { addToCatalog } from '../draft.ts'
import type { OpenSheet } from './sheets.ts'

const words = authorLabels.catalog

interface EntryRowProps {
  readonly collection: Collection
  readonly entry: { readonly id: string }
  readonly isDrafted: boolean
  readonly onOpen: (sheet: OpenSheet) => void
  readonly children?: ComponentChildren
}

export function EntryRow({ collection, entry, isDrafted, onOpen, children }: EntryRowProps) {
  const { id } = entry
  const edit: OpenSheet =
    collection === 'confirmations'
      ? { what: 'confirmation', id }
      : { what: 'entry', editing: { collection, id } }
  return (
    <li class={isDrafted ? 'row row-drafted' : 'row'}>
      <div class="row-foot">
        <div class="row-main">
          <p>
            <span class="row-title">
              <Hostile text={id} max={120} isBrief />
            </span>{' '}
            {isDrafted && <span class="state state-drafted">{words.changed}</span>}
          </p>
          <p class="quiet small">
            <Hostile text={noteOf(entry)} max={200} isBrief />
          </p>
        </div>
        <button type="button" class="button button-small" onClick={() => onOpen(edit)}>
          {words.edit}
          <span class="unseen"> {id}</span>
        </button>
      </div>
      {children}
      <details class="details">
        <summary>{words.entry}</summary>
        <pre class="code">
          <Hostile text={JSON.stringify(entry, null, 2)} max={4_000} />
        </pre>
        <div class="row-act">
          <button
            type="button"
            class="button button-small"
            onClick={() => onOpen({ what: 'entry', editing: { collection, id } })}
          >
            {words.asJson}
            <span class="unseen"> {id}</span>
          </button>
          <button
            type="button"
            class="button button-small"
            onClick={() => addToCatalog({ op: 'remove', collection, id })}
          >
            {words.remove}
            <span class="unseen"> {id}</span>
          </button>
        </div>
      </details>
    </li>
  )
}

/** Its members on one line, without the id and what is empty. */
function noteOf(entry: { readonly id: string }): string {
  const shown = Object.entries(entry).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'id' || value === '' || value === false || value === 'NONE') return []
    if (Array.isArray(value)) {
      const isPlain = value.length > 0 && value.every((one) => typeof one === 'string')
      return isPlain && key !== 'keys' ? [value.join(', ')] : []
    }
    if (typeof value === 'number' || value === true) return [String(value)]
    if (typeof value !== 'string') return []
    return [key === 'owner' ? `→ ${value}` : value]
  })
  return shown.slice(0, 4).join(' · ')
}
