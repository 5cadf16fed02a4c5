// The catalog as it is with what is in the change set: who there is, what can be done, the rules,
// and the settings. Each entry is written by itself.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { authorLabels } from '#present/console/overseeing/author-labels'
import {
  conditionLine,
  entryLines,
  type SettingLine,
} from '#present/console/overseeing/setting-text'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { useReading } from '../../operating/reading.ts'
import { Read } from '../../operating/room.tsx'
import { linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { SearchField } from '../../shell/search-field.tsx'
import { addToCatalog, changesOf } from '../draft.ts'
import { draftedIn, isSuspended, withDraft, withSuspension } from './drafted.ts'
import { EntrySheet } from './entry-sheet.tsx'
import type { CapabilityEntry, CatalogList, CatalogPlace, CatalogRead } from './places.ts'
import { CatalogSettings } from './settings.tsx'

const words = authorLabels.catalog

const lists = [
  'capabilities',
  'conditions',
  'principals',
  'groups',
  'confirmations',
  'limits',
  'resources',
] as const satisfies readonly CatalogList[]
const parts = [...lists, 'settings'] as const
type ListedPart = (typeof lists)[number]

export function CatalogRoom() {
  const part = parts.find((one) => one === place.value.path[2]) ?? 'capabilities'
  const reading = useReading('catalog', () => askServer('catalog', '/catalog'))
  const open = useSignal<CatalogPlace | null>(null)
  const onOpen = (next: CatalogPlace): void => {
    open.value = next
  }
  return (
    <>
      <nav class="bunch filters" aria-label={words.sections}>
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
        {({ catalog: standing, revision }) => {
          const catalog = withDraft(standing, changesOf('catalog'))
          return (
            <>
              <p class="quiet small list-note">
                {words.revision} {revision}
              </p>
              {part === 'settings' ? (
                <CatalogSettings catalog={catalog} onOpen={onOpen} />
              ) : (
                <Entries key={part} part={part} catalog={catalog} onOpen={onOpen} />
              )}
              {open.value !== null && (
                <EntrySheet
                  place={open.value}
                  catalog={catalog}
                  onClose={() => (open.value = null)}
                />
              )}
            </>
          )
        }}
      </Read>
    </>
  )
}

interface EntriesProps {
  readonly part: ListedPart
  readonly catalog: CatalogRead
  readonly onOpen: (place: CatalogPlace) => void
}

function Entries({ part, catalog, onOpen }: EntriesProps) {
  const wanted = useSignal('')
  const drafted = draftedIn(changesOf('catalog'), part)
  const rows = rowsOf(part, catalog).filter(({ line: { name } }) => {
    return name.toLowerCase().includes(wanted.value.toLowerCase())
  })
  return (
    <>
      <div class="in-line list-note">
        <SearchField label={words.search} typed={wanted} />
        <button type="button" class="button" onClick={() => onOpen({ list: part, index: null })}>
          {words.add}
        </button>
      </div>
      {rows.length === 0 && <Empty title={words.empty} lead={words.emptyLead} />}
      <ul class="stack">
        {rows.map(({ line, at, capability }) => (
          <Entry
            key={JSON.stringify([at, line.name])}
            line={line}
            isDrafted={drafted.has(line.name)}
            onEdit={() => onOpen(at)}
          >
            {capability !== null && <CapabilityActs entry={capability} onOpen={onOpen} />}
          </Entry>
        ))}
      </ul>
    </>
  )
}

interface EntryShown {
  readonly line: SettingLine
  readonly at: CatalogPlace
  /** The entry, where it is one. */
  readonly capability: CapabilityEntry | null
}

function rowsOf(part: ListedPart, catalog: CatalogRead): readonly EntryShown[] {
  const rows = entryLines(catalog, part).map((line, index): EntryShown => {
    const capability = part === 'capabilities' ? catalog.capabilities[index] : undefined
    return { line, at: { list: part, index }, capability: capability ?? null }
  })
  if (part !== 'conditions') return rows
  const ofOne = catalog.capabilities.flatMap(({ id: of, conditions = [] }) =>
    conditions.map((one, index): EntryShown => {
      return { line: conditionLine(one, of), at: { list: part, index, of }, capability: null }
    }),
  )
  return [...rows, ...ofOne]
}

interface EntryProps {
  readonly line: SettingLine
  readonly isDrafted: boolean
  readonly onEdit: () => void
  readonly children?: ComponentChildren
}

function Entry({ line: { name, text, code }, isDrafted, onEdit, children }: EntryProps) {
  return (
    <li class={isDrafted ? 'framed marked row marked-accent row-drafted' : 'framed marked row'}>
      <div class="ends">
        <div class="grow">
          <p>
            <span class="row-title">
              <Hostile text={name} max={120} isBrief />
            </span>{' '}
            {isDrafted && <span class="state state-drafted">{words.changed}</span>}
          </p>
          {code !== undefined && (
            <p>
              <code>
                <Hostile text={code} max={400} />
              </code>
            </p>
          )}
          <p class="quiet small">
            <Hostile text={text} max={300} isBrief />
          </p>
        </div>
        <button type="button" class="button button-small" onClick={onEdit}>
          {words.edit}
          <span class="unseen"> {name}</span>
        </button>
      </div>
      {children}
    </li>
  )
}

interface CapabilityActsProps {
  readonly entry: CapabilityEntry
  readonly onOpen: (place: CatalogPlace) => void
}

/** What is done to one without opening it: another rule, and suspending it. */
function CapabilityActs({ entry, onOpen }: CapabilityActsProps) {
  const { id } = entry
  const suspended = isSuspended(entry)
  return (
    <>
      {suspended && <p class="state state-warm state-line">{words.suspended}</p>}
      <div class="bunch below">
        <button
          type="button"
          class="text-button"
          onClick={() => onOpen({ list: 'conditions', index: null, of: id })}
        >
          + {authorLabels.editing.titles.conditions}
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
    </>
  )
}
