// How often what may be done: the limits of the catalog, and one of them as a form.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { limitText } from '#present/console/overseeing/limit-text'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { Sheet as Dialog } from '../../drawing/sheet.tsx'
import { addToCatalog } from '../draft.ts'
import { ChoiceField, NumberField } from '../fields.tsx'
import type { CatalogRead } from './parts.ts'
import type { OpenSheet } from './sheets.ts'

type LimitEntry = CatalogRead['limits'][number]

const words = authorLabels.limit
const classes = ['READ', 'WRITE', 'DESTRUCTIVE'] as const
const minuteMs = 60_000
const minutesMax = 43_200
const usesMax = 100_000
const usesUsual = 20
const minutesUsual = 60

interface LimitRowsProps {
  readonly catalog: CatalogRead
  readonly onOpen: (sheet: OpenSheet) => void
}

export function LimitRows({ catalog: { limits }, onOpen }: LimitRowsProps) {
  if (limits.length === 0) {
    return <Empty title={authorLabels.catalog.empty} lead={authorLabels.catalog.emptyLead} />
  }
  return (
    <ul class="rows">
      {limits.map((limit, index) => (
        <li class="row">
          <div class="row-foot">
            <p class="row-main">
              <span class="row-title">
                <Hostile text={ofText(limit)} max={120} isBrief />
              </span>{' '}
              <span class="quiet">{limitText(limit)}</span>
            </p>
            <button
              type="button"
              class="button button-small"
              onClick={() => onOpen({ what: 'limit', index })}
            >
              {authorLabels.catalog.edit}
              <span class="unseen"> {ofText(limit)}</span>
            </button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function ofText(limit: LimitEntry): string {
  return 'capability' in limit ? limit.capability : words.classes[limit.safetyClass]
}

function idOf(limit: LimitEntry | undefined): string {
  if (limit === undefined) return ''
  return 'capability' in limit ? `capability ${limit.capability}` : `class ${limit.safetyClass}`
}

interface LimitSheetProps {
  readonly index: number | null
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

export function LimitSheet({ index, catalog, onClose }: LimitSheetProps) {
  const { limits, capabilities } = catalog
  const before = index === null ? undefined : limits[index]
  const options = [
    ...capabilities.map(({ id }) => [`capability ${id}`, id] as const),
    ...classes.map((each) => [`class ${each}`, words.classes[each]] as const),
  ]
  const of = useSignal(before === undefined ? (options[0]?.[0] ?? '') : idOf(before))
  const isUnlimited = useSignal(before?.uses === 'unlimited')
  const uses = useSignal(typeof before?.uses === 'number' ? before.uses : usesUsual)
  const minutes = useSignal(
    before === undefined ? minutesUsual : Math.max(1, Math.round(before.windowMs / minuteMs)),
  )
  const put = (limit: LimitEntry | null): void => {
    const others = limits.filter((one, at) => at !== index && idOf(one) !== of.value)
    const value = limit === null ? others : [...others, limit]
    addToCatalog({ op: 'set', key: 'limits', value })
    onClose()
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    const bounds = {
      uses: isUnlimited.value ? ('unlimited' as const) : uses.value,
      windowMs: minutes.value * minuteMs,
    }
    const safetyClass = classes.find((each) => of.value === `class ${each}`)
    put(
      safetyClass === undefined
        ? { capability: of.value.replace(/^capability /, ''), ...bounds }
        : { safetyClass, ...bounds },
    )
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form onSubmit={submit}>
        <ChoiceField
          label={words.of}
          value={of.value}
          options={options}
          onChange={(text) => (of.value = text)}
        />
        <label class="tick">
          <input
            type="checkbox"
            checked={isUnlimited.value}
            onChange={(event) => (isUnlimited.value = event.currentTarget.checked)}
          />
          {words.unlimited}
        </label>
        <div class="fields">
          {!isUnlimited.value && <NumberField label={words.uses} value={uses} max={usesMax} />}
          <NumberField label={words.window} value={minutes} max={minutesMax} />
        </div>
        <button type="submit" class="button button-main">
          {authorLabels.catalog.put}
        </button>
        {before !== undefined && (
          <button type="button" class="button button-wide" onClick={() => put(null)}>
            {authorLabels.catalog.remove}
          </button>
        )}
      </form>
    </Dialog>
  )
}
