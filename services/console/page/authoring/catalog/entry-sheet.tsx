// An entry of the catalog written as JSON, checked while it is typed.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Sheet } from '../../drawing/sheet.tsx'
import { addToCatalog } from '../draft.ts'
import { checkedJson, JsonField } from '../json-field.tsx'
import { entrySchemas, putOf, type CatalogRead } from './parts.ts'
import type { Editing } from './sheets.ts'

const words = authorLabels.catalog

interface EntrySheetProps {
  readonly editing: Editing
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

/** What a new one begins with. */
const begun = {
  capabilities: { id: '', description: '', safetyClass: 'READ' },
  principals: { id: '', roles: [] },
  groups: { id: '', members: [] },
  confirmations: { id: '', tier: 'confirm' },
  resources: { id: '', properties: {} },
} as const

export function EntrySheet({ editing: { collection, id }, catalog, onClose }: EntrySheetProps) {
  const all: readonly { readonly id: string }[] = catalog[collection] ?? []
  const entry = all.find((one) => one.id === id) ?? begun[collection]
  const text = useSignal(JSON.stringify(entry, null, 2))
  const checked = checkedJson(text.value, entrySchemas[collection])
  const submit = (event: Event): void => {
    event.preventDefault()
    const operation = checked.ok ? putOf(collection, checked.value) : null
    if (operation === null) return
    addToCatalog(operation)
    onClose()
  }
  return (
    <Sheet title={`${words[collection]}${id === null ? '' : ` · ${id}`}`} onClose={onClose}>
      <form onSubmit={submit}>
        <JsonField
          id="entry"
          label={words.entry}
          text={text.value}
          rows={18}
          checked={checked}
          onInput={(next) => (text.value = next)}
        />
        <button type="submit" class="button button-main" disabled={!checked.ok}>
          {words.put}
        </button>
      </form>
    </Sheet>
  )
}
