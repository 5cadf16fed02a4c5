// The filters that are set, each with a way to remove it; a way to add one by hand; and the
// expression, for what no filter asks.
import { useSignal } from '@preact/signals'
import { auditLabels } from '#present/auditing/audit-labels'
import {
  filterLabel,
  filterNames,
  filtersWith,
  filtersWithout,
  type FilterName,
} from '#present/auditing/filters'
import { Button } from '../../drawing/button.tsx'
import { Form } from '../../drawing/form-fields.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { Exact } from '../../drawing/moment.tsx'
import { filters, goToFact, linkToFact } from './search-state.ts'

const isTime = (name: FilterName): boolean => name === 'since' || name === 'until'

const byHand = filterNames.filter((name) => name !== 'where')

export function Filtering() {
  const isAdding = useSignal(false)
  return (
    <div class="stack filtering">
      <Expression />
      <div class="bunch">
        <ul class="bunch" aria-label={auditLabels.search.filters}>
          {filterNames.map((name) => {
            const value = filters.value[name]
            return value === undefined || name === 'where' ? null : (
              <li key={name}>
                <Chip name={name} value={value} />
              </li>
            )
          })}
        </ul>
        <button
          type="button"
          class="text-button"
          aria-expanded={isAdding.value}
          onClick={() => (isAdding.value = !isAdding.value)}
        >
          + {auditLabels.search.add}
        </button>
        {Object.keys(filters.value).length > 0 && (
          <a class="text-button" href={linkToFact(null, {})}>
            {auditLabels.search.clear}
          </a>
        )}
      </div>
      {isAdding.value && <Adding />}
    </div>
  )
}

function Chip({ name, value }: { readonly name: FilterName; readonly value: string }) {
  return (
    <span class="chip">
      <span class="chip-name">{filterLabel(name)}</span>
      {isTime(name) && /^\d{4}-.*T/.test(value) ? (
        <Exact at={value} />
      ) : (
        <Hostile text={value} max={60} isBrief />
      )}
      <a
        class="chip-remove"
        href={linkToFact(null, filtersWithout(filters.value, name))}
        aria-label={`${auditLabels.search.remove}: ${filterLabel(name)}`}
      >
        <span aria-hidden="true">✕</span>
      </a>
    </span>
  )
}

/** Neither words nor names: a browser corrects and offers nothing. */
const asWritten = { spellcheck: false, autoComplete: 'off', autoCapitalize: 'none' } as const

function Expression() {
  const text = useSignal(filters.value.where ?? '')
  const run = (): void => {
    const where = text.value.trim()
    const rest = filtersWithout(filters.value, 'where')
    goToFact(null, where === '' ? rest : { ...rest, where })
  }
  return (
    <search>
      <Form class="in-line" onSend={run}>
        <label class="unseen" for="where">
          {auditLabels.search.expression}
        </label>
        <input
          id="where"
          class="value"
          {...asWritten}
          maxLength={2_000}
          placeholder={auditLabels.search.expressionHint}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <Button label={auditLabels.search.run} />
      </Form>
    </search>
  )
}

function Adding() {
  const name = useSignal<FilterName>('agent')
  const value = useSignal('')
  const add = (): void => {
    const text = value.value.trim()
    if (text !== '') goToFact(null, filtersWith(filters.value, { name: name.value, value: text }))
  }
  return (
    <Form class="in-line" onSend={add}>
      <select
        aria-label={auditLabels.search.addWhich}
        onChange={({ currentTarget }) => {
          name.value = byHand.find((one) => one === currentTarget.value) ?? 'agent'
        }}
      >
        {byHand.map((one) => (
          <option value={one} selected={one === name.value}>
            {filterLabel(one)}
          </option>
        ))}
      </select>
      <input
        aria-label={auditLabels.search.addValue}
        {...asWritten}
        maxLength={1_000}
        placeholder={isTime(name.value) ? '24h' : name.value === 'decisions' ? 'true' : ''}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      <Button label={auditLabels.search.add} />
    </Form>
  )
}
