// The catalog as it is with what is in the change set: who there is, what can be done, the rules,
// and the settings. Each entry is written by itself.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { catalogLeft } from '#present/console/overseeing/change-steps'
import { authorLabels } from '#present/console/overseeing/author-labels'
import {
  conditionLine,
  entryLines,
  type SettingLine,
  attentionEntries,
  ruleLines,
  workEntries,
} from '#present/console/overseeing/setting-text'
import { Button } from '../../drawing/button.tsx'
import { SearchField } from '../../drawing/form-fields.tsx'
import { Section } from '../../drawing/texts.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { ListOfRows } from '../../drawing/rows.tsx'
import { Ways } from '../../drawing/ways.tsx'
import { useReading, Read } from '../../operating/room.tsx'
import { linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { addToCatalog, changesOf } from '../draft.ts'
import {
  draftedIn,
  isSuspended,
  withSuspension,
  type CapabilityEntry,
  type CatalogList,
  type CatalogPlace,
  type CatalogRead,
  type WholeSetting,
} from './places.ts'
import { EntrySheet } from './entry-sheet.tsx'

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
      <Ways
        as="bunch filters"
        label={words.sections}
        ways={parts.map((each) => ({
          label: words[each],
          to: linkTo(['authoring', 'catalog', each]),
          isHere: each === part,
        }))}
      />
      <Read reading={reading}>
        {({ catalog: standing, revision }) => {
          const catalog = changesOf('catalog').reduce(
            (one, next) => catalogLeft(next, one),
            standing,
          )
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
        <Button label={words.add} onPress={() => onOpen({ list: part, index: null })} />
      </div>
      <ListOfRows {...words} rows={rows}>
        {({ line, at, capability }) => (
          <Entry
            key={JSON.stringify([at, line.name])}
            line={line}
            isDrafted={drafted.has(line.name)}
            onEdit={() => onOpen(at)}
          >
            {capability !== null && <CapabilityActs entry={capability} onOpen={onOpen} />}
          </Entry>
        )}
      </ListOfRows>
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
            <Hostile in="span" class="row-title" text={name} max={120} isBrief />{' '}
            {isDrafted && <span class="state state-drafted">{words.changed}</span>}
          </p>
          {code !== undefined && (
            <p>
              <Hostile in="code" text={code} max={400} />
            </p>
          )}
          <Hostile in="p" class="quiet small" text={text} max={300} isBrief />
        </div>
        <Button is="small" label={words.edit} of={name} onPress={onEdit} />
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
      {suspended && (
        <p>
          <span class="state state-warm">{words.suspended}</span>
        </p>
      )}
      <div class="bunch below">
        <Button
          is="text"
          label={`+ ${authorLabels.editing.titles.conditions}`}
          of={id}
          onPress={() => onOpen({ list: 'conditions', index: null, of: id })}
        />
        <Button
          is="text"
          label={suspended ? words.resume : words.suspend}
          of={id}
          onPress={() =>
            addToCatalog(withSuspension(entry, suspended ? null : words.suspendMessage))
          }
        />
      </div>
    </>
  )
}

// The settings of the catalog as they are with what is in the change set: what holds where nothing
// else is set, what calls may come to, and which servers there are.

const settingWords = authorLabels.settings
const { edit, add, changed } = authorLabels.catalog

interface SettingsProps {
  readonly catalog: CatalogRead
  readonly onOpen: (place: CatalogPlace) => void
}

const listed = ['budgets', 'servers', 'consoles', 'trustedEvidence'] as const

function CatalogSettings({ catalog, onOpen }: SettingsProps) {
  const { learning, defaults = {}, attention = {}, work, knownConstraints } = catalog
  const whole = (of: WholeSetting, shown: ComponentChildren) => (
    <Setting of={of} act={edit} onAct={() => onOpen({ whole: of })}>
      {shown}
    </Setting>
  )
  return (
    <div class="spaced">
      {whole('learning', <p>{learning ? settingWords.on : settingWords.off}</p>)}
      {whole('defaults', <Rules defaults={defaults} />)}
      {listed.map((list) => (
        <Setting of={list} act={add} onAct={() => onOpen({ list, index: null })}>
          <Lines lines={entryLines(catalog, list)} onEdit={(index) => onOpen({ list, index })} />
        </Setting>
      ))}
      {whole('attention', <Lines lines={attentionEntries(attention)} />)}
      {whole('work', <Lines lines={work === undefined ? [] : workEntries(work)} />)}
      {whole(
        'knownConstraints',
        <Lines lines={knownConstraints.map((name) => ({ name, text: '' }))} />,
      )}
      <Kept catalog={catalog} />
    </div>
  )
}

interface SectionProps {
  readonly of: keyof typeof settingWords.titles
  readonly act: string
  readonly onAct: () => void
  readonly children?: ComponentChildren
}

function Setting({ of, act, onAct, children }: SectionProps) {
  const isDrafted = draftedIn(changesOf('catalog'), of).size > 0
  return (
    <section class="block">
      <div class="ends">
        <div class="grow">
          <h2>
            {settingWords.titles[of]}{' '}
            {isDrafted && <span class="state state-drafted">{changed}</span>}
          </h2>
          <p class="quiet small">{settingWords.leads[of]}</p>
        </div>
        <Button is="small" label={act} of={settingWords.titles[of]} onPress={onAct} />
      </div>
      {children}
    </section>
  )
}

function Rules({ defaults }: { readonly defaults: NonNullable<CatalogRead['defaults']> }) {
  return (
    <dl class="pairs">
      {ruleLines(defaults).map(({ rule, text, isSet }) => (
        <>
          <dt>
            <code>{rule}</code>
          </dt>
          <dd>
            <Hostile text={text} max={200} isBrief />{' '}
            {isSet && <span class="state state-warm">{settingWords.isSet}</span>}
          </dd>
        </>
      ))}
    </dl>
  )
}

interface LinesProps {
  readonly lines: readonly SettingLine[]
  readonly onEdit?: (index: number) => void
}

function Lines({ lines, onEdit }: LinesProps) {
  if (lines.length === 0) return <p class="quiet small">{settingWords.none}</p>
  return (
    <ul class="framed lined plain-rows">
      {lines.map(({ name, text }, index) => (
        <li>
          <div class="ends">
            <p class="grow">
              <Hostile in="strong" text={name} max={120} isBrief />{' '}
              <Hostile in="span" class="quiet small" text={text} max={300} />
            </p>
            {onEdit !== undefined && (
              <Button is="text" label={edit} of={name} onPress={() => onEdit(index)} />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What a change set from here leaves alone: each of them has more to it than its value. */
function Kept({ catalog }: { readonly catalog: CatalogRead }) {
  const { rules, cells, callbacks, now } = catalog
  const kept = { rules, cells, callbacks, now }
  const known = (['rules', 'cells', 'callbacks', 'now'] as const).flatMap((key) => {
    const value = kept[key]
    return value === undefined ? [] : [{ name: settingWords.kept[key], text: String(value) }]
  })
  if (known.length === 0) return null
  return (
    <Section title={settingWords.keptTitle}>
      <p class="quiet small">{settingWords.keptLead}</p>
      <Lines lines={known} />
    </Section>
  )
}
