// A setting of the catalog, or one entry of one, written as JSON and checked while it is typed.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Sheet } from '../../drawing/sheet.tsx'
import { addToCatalog } from '../draft.ts'
import { checkedJson, JsonField } from '../json-field.tsx'
import type { CatalogRead } from './parts.ts'
import { editedSchema, editedValue, settingWith, type EditedSetting } from './setting-kinds.ts'

const words = authorLabels.catalog
const titles = authorLabels.settings.titles

interface SettingSheetProps {
  readonly editing: EditedSetting
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

export function SettingSheet({ editing, catalog, onClose }: SettingSheetProps) {
  const text = useSignal(JSON.stringify(editedValue(catalog, editing), null, 2))
  const checked = checkedJson(text.value, editedSchema(editing))
  const put = (value: unknown): void => {
    const operation = settingWith(catalog, editing, value)
    if (operation === null) return
    addToCatalog(operation)
    onClose()
  }
  const isThere = 'list' in editing && editing.index !== null
  return (
    <Sheet title={titles['whole' in editing ? editing.whole : editing.list]} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (checked.ok) put(checked.value)
        }}
      >
        <JsonField
          id="setting"
          label={'whole' in editing ? words.value : words.entry}
          text={text.value}
          rows={14}
          checked={checked}
          onInput={(next) => (text.value = next)}
        />
        <button type="submit" class="button button-main" disabled={!checked.ok}>
          {words.put}
        </button>
        {isThere && (
          <button type="button" class="button button-wide" onClick={() => put(undefined)}>
            {words.remove}
          </button>
        )}
      </form>
    </Sheet>
  )
}
