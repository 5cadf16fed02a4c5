// A condition as a form: what it does, for which calls, and when, checked while it is typed.
import { useSignal, type Signal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { CatalogOperation } from '#schemas/catalog'
import { Sheet } from '../../drawing/sheet.tsx'
import { addToCatalog } from '../draft.ts'
import { ConditionField, useCondition } from './checked-condition.tsx'
import { ChoiceField, TextField } from '../fields.tsx'
import type { CatalogRead, ConditionEntry } from './parts.ts'

const words = authorLabels.condition
const effects = ['confirm', 'deny', 'require'] as const

interface ConditionSheetProps {
  readonly capability: string | null
  readonly index: number | null
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

function conditionsOf(catalog: CatalogRead, capability: string | null): readonly ConditionEntry[] {
  if (capability === null) return catalog.conditions ?? []
  return catalog.capabilities.find(({ id }) => id === capability)?.conditions ?? []
}

/** The operation that leaves these conditions there. */
function operationFor(
  catalog: CatalogRead,
  capability: string | null,
  conditions: readonly ConditionEntry[],
): CatalogOperation | null {
  if (capability === null) return { op: 'set', key: 'conditions', value: [...conditions] }
  const entry = catalog.capabilities.find(({ id }) => id === capability)
  if (entry === undefined) return null
  const { conditions: _, ...rest } = entry
  const kept = conditions.length === 0 ? {} : { conditions: [...conditions] }
  return { op: 'put', collection: 'capabilities', entry: { ...rest, ...kept } }
}

export function ConditionSheet({ capability, index, catalog, onClose }: ConditionSheetProps) {
  const before = index === null ? undefined : conditionsOf(catalog, capability)[index]
  const of = useSignal(capability)
  const name = useSignal(before?.name ?? '')
  const effect = useSignal<ConditionEntry['effect']>(before?.effect ?? 'confirm')
  const when = useSignal(before?.when ?? '')
  const message = useSignal(before?.message ?? '')
  const asks = before?.effect === 'confirm' ? before : undefined
  const question = useSignal(asks?.question ?? '')
  const confirmation = useSignal(asks?.confirmation ?? '')
  const state = useCondition(when.value, of.value)
  const put = (entry: ConditionEntry | null): void => {
    const all = conditionsOf(catalog, of.value)
    const others = all.filter((one, at) => at !== index && one.name !== entry?.name)
    const next = entry === null ? others : [...others, entry]
    const operation = operationFor(catalog, of.value, next)
    if (operation !== null) addToCatalog(operation)
    onClose()
  }
  const remove = before === undefined ? null : () => put(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    if (state.is !== 'good') return
    const base = {
      name: name.value.trim(),
      when: when.value.trim(),
      ...(message.value.trim() !== '' && { message: message.value.trim() }),
    }
    if (effect.value !== 'confirm') {
      put({ ...base, effect: effect.value, recover: recoverOf(before) })
      return
    }
    put({
      ...base,
      effect: effect.value,
      ...(question.value.trim() !== '' && { question: question.value.trim() }),
      ...(confirmation.value !== '' && { confirmation: confirmation.value }),
    })
  }
  return (
    <Sheet title={words.title} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={words.name} value={name} isNeeded />
        {index === null && (
          <ChoiceField
            label={words.of}
            value={of.value ?? ''}
            options={[['', words.all], ...catalog.capabilities.map(({ id }) => [id, id] as const)]}
            onChange={(id) => (of.value = id === '' ? null : id)}
          />
        )}
        <ChoiceField
          label={words.effect}
          value={effect.value}
          options={effects.map((each) => [each, words.effects[each]] as const)}
          onChange={(text) => {
            effect.value = effects.find((each) => each === text) ?? effect.value
          }}
        />
        <ConditionField when={when.value} state={state} onInput={(text) => (when.value = text)} />
        <TextField label={words.message} value={message} />
        {effect.value === 'confirm' && (
          <AsksFields question={question} confirmation={confirmation} catalog={catalog} />
        )}
        <SheetButtons isGood={state.is === 'good'} onRemove={remove} />
      </form>
    </Sheet>
  )
}

interface SheetButtonsProps {
  readonly isGood: boolean
  /** Null where there is nothing to remove. */
  readonly onRemove: (() => void) | null
}

function SheetButtons({ isGood, onRemove }: SheetButtonsProps) {
  return (
    <>
      <button type="submit" class="button button-main" disabled={!isGood}>
        {authorLabels.catalog.put}
      </button>
      {onRemove !== null && (
        <button type="button" class="button button-wide" onClick={onRemove}>
          {authorLabels.catalog.remove}
        </button>
      )}
    </>
  )
}

interface AsksFieldsProps {
  readonly question: Signal<string>
  readonly confirmation: Signal<string>
  readonly catalog: CatalogRead
}

function AsksFields({ question, confirmation, catalog }: AsksFieldsProps) {
  const named = catalog.confirmations.map(({ id }) => [id, id] as const)
  return (
    <>
      <TextField label={words.question} value={question} />
      <ChoiceField
        label={words.confirmation}
        value={confirmation.value}
        options={[['', words.usual], ...named]}
        onChange={(id) => (confirmation.value = id)}
      />
    </>
  )
}

function recoverOf(before: ConditionEntry | undefined) {
  return before === undefined || before.effect === 'confirm' ? 'never' : before.recover
}
