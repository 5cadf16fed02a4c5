// The settings of the catalog as they are with what is in the change set: what holds where nothing
// else is set, what calls may come to, and which servers there are.
import type { ComponentChildren } from 'preact'
import { authorLabels } from '#present/console/overseeing/author-labels'
import {
  attentionEntries,
  budgetLine,
  consoleLine,
  evidenceLine,
  ruleLines,
  serverLine,
  workEntries,
  type SettingLine,
} from '#present/console/overseeing/setting-text'
import { Hostile } from '../../drawing/hostile.tsx'
import { addToCatalog, changesOf } from '../draft.ts'
import type { CatalogRead } from './parts.ts'
import type { ListedSetting, WholeSetting } from './setting-kinds.ts'
import type { OpenSheet } from './sheets.ts'

const words = authorLabels.settings
const { edit, add, changed } = authorLabels.catalog

interface SettingsProps {
  readonly catalog: CatalogRead
  readonly onOpen: (sheet: OpenSheet) => void
}

export function CatalogSettings({ catalog, onOpen }: SettingsProps) {
  const { budgets = [], servers = [], consoles = [], trustedEvidence } = catalog
  const { defaults = {}, attention = {}, work, knownConstraints } = catalog
  const openWhole = (whole: WholeSetting): void => {
    onOpen({ what: 'setting', editing: { whole } })
  }
  const listOf = (list: ListedSetting, lines: readonly SettingLine[]) => (
    <Listed list={list} lines={lines} onOpen={onOpen} />
  )
  return (
    <div class="settings">
      <Learning isOn={catalog.learning} />
      <Section of="defaults" act={edit} onAct={() => openWhole('defaults')}>
        <Rules defaults={defaults} />
      </Section>
      {listOf('budgets', budgets.map(budgetLine))}
      {listOf('servers', servers.map(serverLine))}
      {listOf('consoles', consoles.map(consoleLine))}
      {listOf('trustedEvidence', trustedEvidence.map(evidenceLine))}
      <Section of="attention" act={edit} onAct={() => openWhole('attention')}>
        <Lines lines={attentionEntries(attention)} />
      </Section>
      <Section of="work" act={edit} onAct={() => openWhole('work')}>
        <Lines lines={work === undefined ? [] : workEntries(work)} />
      </Section>
      <Section of="knownConstraints" act={edit} onAct={() => openWhole('knownConstraints')}>
        <Lines lines={knownConstraints.map((name) => ({ name, text: '' }))} />
      </Section>
      <Kept catalog={catalog} />
    </div>
  )
}

interface SectionProps {
  readonly of: keyof typeof words.titles
  readonly act: string
  readonly onAct: () => void
  readonly children?: ComponentChildren
}

function Section({ of, act, onAct, children }: SectionProps) {
  const isDrafted = changesOf('catalog').some((one) => one.op === 'set' && one.key === of)
  return (
    <section class="block">
      <div class="row-foot">
        <div class="row-main">
          <h2>
            {words.titles[of]} {isDrafted && <span class="state state-drafted">{changed}</span>}
          </h2>
          <p class="quiet small">{words.leads[of]}</p>
        </div>
        <button type="button" class="button button-small" onClick={onAct}>
          {act}
          <span class="unseen"> {words.titles[of]}</span>
        </button>
      </div>
      {children}
    </section>
  )
}

function Learning({ isOn }: { readonly isOn: boolean }) {
  const turn = (): void => addToCatalog({ op: 'set', key: 'learning', value: !isOn })
  return (
    <Section of="learning" act={isOn ? words.stop : words.start} onAct={turn}>
      <p>{isOn ? words.on : words.off}</p>
    </Section>
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
            {isSet && <span class="state state-warm">{words.isSet}</span>}
          </dd>
        </>
      ))}
    </dl>
  )
}

interface ListedProps {
  readonly list: ListedSetting
  readonly lines: readonly SettingLine[]
  readonly onOpen: (sheet: OpenSheet) => void
}

function Listed({ list, lines, onOpen }: ListedProps) {
  const open = (index: number | null): void => {
    onOpen({ what: 'setting', editing: { list, index } })
  }
  return (
    <Section of={list} act={add} onAct={() => open(null)}>
      <Lines lines={lines} onEdit={open} />
    </Section>
  )
}

interface LinesProps {
  readonly lines: readonly SettingLine[]
  readonly onEdit?: (index: number) => void
}

function Lines({ lines, onEdit }: LinesProps) {
  if (lines.length === 0) return <p class="quiet small">{words.none}</p>
  return (
    <ul class="plain-rows">
      {lines.map(({ name, text }, index) => (
        <li>
          <div class="row-foot">
            <p class="row-main">
              <strong>
                <Hostile text={name} max={120} isBrief />
              </strong>{' '}
              <span class="quiet small">
                <Hostile text={text} max={300} />
              </span>
            </p>
            {onEdit !== undefined && (
              <button type="button" class="text-button" onClick={() => onEdit(index)}>
                {edit}
                <span class="unseen"> {name}</span>
              </button>
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
    return value === undefined ? [] : [{ name: words.kept[key], text: String(value) }]
  })
  if (known.length === 0) return null
  return (
    <section class="block">
      <h2>{words.keptTitle}</h2>
      <p class="quiet small">{words.keptLead}</p>
      <Lines lines={known} />
    </section>
  )
}
