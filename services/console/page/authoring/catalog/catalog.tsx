// The catalog as it is with what is in the change set: who there is, what can be done, and the
// rules; common entries have forms, and each can be written as JSON.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { Collection } from '#schemas/catalog'
import { Empty } from '../../drawing/notice.tsx'
import { useReading } from '../../operating/reading.ts'
import { Read } from '../../operating/room.tsx'
import { linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { changesOf } from '../draft.ts'
import { SearchField } from '../../shell/search-field.tsx'
import { CapabilityRow } from './capability-row.tsx'
import { ConditionSheet } from './condition-sheet.tsx'
import { ConfirmationSheet } from './confirmation-sheet.tsx'
import { EntryRow } from './entry-row.tsx'
import { EntrySheet } from './entry-sheet.tsx'
import { LimitSheet, LimitRows } from './limits.tsx'
import { ConditionRows } from './condition-rows.tsx'
import { CatalogSettings } from './settings.tsx'
import { SettingSheet } from './setting-sheet.tsx'
import { draftedIn, parts, withDraft, type CatalogRead, type CatalogPart } from './parts.ts'
import type { OpenSheet } from './sheets.ts'

const words = authorLabels.catalog

function partOf(text: string | undefined): CatalogPart {
  return parts.find((part) => part === text) ?? 'capabilities'
}

export function CatalogRoom() {
  const part = partOf(place.value.path[2])
  const reading = useReading('catalog', () => askServer('catalog', '/catalog'))
  return (
    <>
      <nav class="filters" aria-label={words.sections}>
        {parts.map((each) => (
          <a
            class="filter"
            href={linkTo(['authoring', 'catalog', each])}
            aria-current={each === part ? 'true' : undefined}
          >
            {words[each]}
          </a>
        ))}
      </nav>
      <Read reading={reading}>
        {({ catalog, revision }) => (
          <>
            <p class="quiet small list-note">
              {words.revision} {revision}
            </p>
            <PartShown key={part} part={part} catalog={withDraft(catalog, changesOf('catalog'))} />
          </>
        )}
      </Read>
    </>
  )
}

interface PartShownProps {
  readonly part: CatalogPart
  readonly catalog: CatalogRead
}

function PartShown({ part, catalog }: PartShownProps) {
  const sheet = useSignal<OpenSheet | null>(null)
  const wanted = useSignal('')
  const open = (next: OpenSheet): void => {
    sheet.value = next
  }
  const close = (): void => {
    sheet.value = null
  }
  return (
    <>
      {part === 'settings' ? (
        <CatalogSettings catalog={catalog} onOpen={open} />
      ) : (
        <>
          <div class="list-top">
            <SearchField label={words.search} typed={wanted} />
            <button type="button" class="button" onClick={() => open(addedTo(part))}>
              {words.add}
            </button>
          </div>
          <Rows part={part} catalog={catalog} wanted={wanted.value.toLowerCase()} onOpen={open} />
        </>
      )}
      {sheet.value !== null && <SheetShown sheet={sheet.value} catalog={catalog} onClose={close} />}
    </>
  )
}

type ListedPart = Exclude<CatalogPart, 'settings'>

function addedTo(part: ListedPart): OpenSheet {
  switch (part) {
    case 'conditions':
      return { what: 'condition', capability: null, index: null }
    case 'confirmations':
      return { what: 'confirmation', id: null }
    case 'limits':
      return { what: 'limit', index: null }
    case 'capabilities':
    case 'principals':
    case 'groups':
    case 'resources':
      return { what: 'entry', editing: { collection: part, id: null } }
  }
}

interface SheetShownProps {
  readonly sheet: OpenSheet
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

function SheetShown({ sheet, catalog, onClose }: SheetShownProps) {
  switch (sheet.what) {
    case 'entry':
      return <EntrySheet editing={sheet.editing} catalog={catalog} onClose={onClose} />
    case 'condition':
      return (
        <ConditionSheet
          capability={sheet.capability}
          index={sheet.index}
          catalog={catalog}
          onClose={onClose}
        />
      )
    case 'confirmation':
      return <ConfirmationSheet id={sheet.id} catalog={catalog} onClose={onClose} />
    case 'limit':
      return <LimitSheet index={sheet.index} catalog={catalog} onClose={onClose} />
    case 'setting':
      return <SettingSheet editing={sheet.editing} catalog={catalog} onClose={onClose} />
  }
}

interface RowsProps {
  readonly part: ListedPart
  readonly catalog: CatalogRead
  readonly wanted: string
  readonly onOpen: (sheet: OpenSheet) => void
}

function Rows({ part, catalog, wanted, onOpen }: RowsProps) {
  if (part === 'conditions') return <ConditionRows catalog={catalog} onOpen={onOpen} />
  if (part === 'limits') return <LimitRows catalog={catalog} onOpen={onOpen} />
  return <Entries collection={part} catalog={catalog} wanted={wanted} onOpen={onOpen} />
}

interface EntriesProps extends Omit<RowsProps, 'part'> {
  readonly collection: Collection
}

function Entries({ collection, catalog, wanted, onOpen }: EntriesProps) {
  const drafted = draftedIn(changesOf('catalog'), collection)
  const all: readonly { readonly id: string }[] = catalog[collection] ?? []
  const shown = all.filter(({ id }) => id.toLowerCase().includes(wanted))
  if (shown.length === 0) return <Empty title={words.empty} lead={words.emptyLead} />
  if (collection === 'capabilities') {
    return (
      <ul class="rows">
        {catalog.capabilities
          .filter(({ id }) => id.toLowerCase().includes(wanted))
          .map((entry) => (
            <CapabilityRow
              key={entry.id}
              entry={entry}
              isDrafted={drafted.has(entry.id)}
              onOpen={onOpen}
            />
          ))}
      </ul>
    )
  }
  return (
    <ul class="rows">
      {shown.map((entry) => (
        <EntryRow
          key={entry.id}
          collection={collection}
          entry={entry}
          isDrafted={drafted.has(entry.id)}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
}
