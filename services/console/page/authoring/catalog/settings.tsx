// The settings of the catalog as they are with what is in the change set: what holds where nothing
// else is set, what calls may come to, and which servers there are.
import type { ComponentChildren } from 'preact'
import { authorLabels } from '#present/console/overseeing/author-labels'
import {
  attentionEntries,
  entryLines,
  ruleLines,
  workEntries,
  type SettingLine,
} from '#present/console/overseeing/setting-text'
import { Hostile } from '../../drawing/hostile.tsx'
import { changesOf } from '../draft.ts'
import { draftedIn } from './drafted.ts'
import type { CatalogPlace, CatalogRead, WholeSetting } from './places.ts'

const words = authorLabels.settings
const { edit, add, changed } = authorLabels.catalog

interface SettingsProps {
  readonly catalog: CatalogRead
  readonly onOpen: (place: CatalogPlace) => void
}

const listed = ['budgets', 'servers', 'consoles', 'trustedEvidence'] as const

export function CatalogSettings({ catalog, onOpen }: SettingsProps) {
  const { learning, defaults = {}, attention = {}, work, knownConstraints } = catalog
  const whole = (of: WholeSetting, shown: ComponentChildren) => (
    <Section of={of} act={edit} onAct={() => onOpen({ whole: of })}>
      {shown}
    </Section>
  )
  return (
    <div class="spaced">
      {whole('learning', <p>{learning ? words.on : words.off}</p>)}
      {whole('defaults', <Rules defaults={defaults} />)}
      {listed.map((list) => (
        <Section of={list} act={add} onAct={() => onOpen({ list, index: null })}>
          <Lines lines={entryLines(catalog, list)} onEdit={(index) => onOpen({ list, index })} />
        </Section>
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
  readonly of: keyof typeof words.titles
  readonly act: string
  readonly onAct: () => void
  readonly children?: ComponentChildren
}

function Section({ of, act, onAct, children }: SectionProps) {
  const isDrafted = draftedIn(changesOf('catalog'), of).size > 0
  return (
    <section class="block">
      <div class="ends">
        <div class="grow">
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

interface LinesProps {
  readonly lines: readonly SettingLine[]
  readonly onEdit?: (index: number) => void
}

function Lines({ lines, onEdit }: LinesProps) {
  if (lines.length === 0) return <p class="quiet small">{words.none}</p>
  return (
    <ul class="framed lined plain-rows">
      {lines.map(({ name, text }, index) => (
        <li>
          <div class="ends">
            <p class="grow">
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
