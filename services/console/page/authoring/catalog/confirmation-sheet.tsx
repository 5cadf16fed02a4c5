// A confirmation as a form: who answers, how many of them, and within which time.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Sheet } from '../../drawing/sheet.tsx'
import { addToCatalog } from '../draft.ts'
import { ChoiceField, NumberField, TextField } from '../fields.tsx'
import { putOf, type CatalogRead, type ConfirmationEntry } from './parts.ts'

const words = authorLabels.confirmation
const tiers = ['confirm', 'four_eyes'] as const
const minuteMs = 60_000
const minutesMax = 43_200
const quorumMax = 100
const decideMinutes = 15
const useMinutes = 5

interface ConfirmationSheetProps {
  readonly id: string | null
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

function minutesOf(ms: number | undefined, usual: number): number {
  return ms === undefined ? usual : Math.max(1, Math.round(ms / minuteMs))
}

export function ConfirmationSheet({ id: of, catalog, onClose }: ConfirmationSheetProps) {
  const before = catalog.confirmations.find((one) => one.id === of)
  const id = useSignal(of ?? '')
  const tier = useSignal<ConfirmationEntry['tier']>(before?.tier ?? 'four_eyes')
  const group = useSignal(before?.group ?? catalog.groups[0]?.id ?? '')
  const quorum = useSignal(before?.quorum ?? 1)
  const decide = useSignal(minutesOf(before?.decideWithinMs, decideMinutes))
  const use = useSignal(minutesOf(before?.useWithinMs, useMinutes))
  const submit = (event: Event): void => {
    event.preventDefault()
    const { group: _, ...rest } = before ?? {}
    const operation = putOf('confirmations', {
      ...rest,
      id: id.value.trim(),
      tier: tier.value,
      quorum: tier.value === 'confirm' ? 1 : quorum.value,
      decideWithinMs: decide.value * minuteMs,
      useWithinMs: use.value * minuteMs,
      ...(tier.value === 'four_eyes' && { group: group.value }),
    })
    if (operation === null) return
    addToCatalog(operation)
    onClose()
  }
  return (
    <Sheet title={words.title} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={words.id} value={id} isNeeded isFixed={of !== null} />
        <ChoiceField
          label={words.tier}
          value={tier.value}
          options={tiers.map((each) => [each, words.tiers[each]] as const)}
          onChange={(text) => (tier.value = tiers.find((each) => each === text) ?? tier.value)}
        />
        {tier.value === 'four_eyes' && (
          <div class="fields">
            <ChoiceField
              label={words.group}
              value={group.value}
              options={catalog.groups.map((one) => [one.id, one.id] as const)}
              onChange={(text) => (group.value = text)}
            />
            <NumberField label={words.quorum} value={quorum} max={quorumMax} />
          </div>
        )}
        <div class="fields">
          <NumberField label={words.decide} value={decide} max={minutesMax} />
          <NumberField label={words.use} value={use} max={minutesMax} />
        </div>
        <button type="submit" class="button button-main">
          {authorLabels.catalog.put}
        </button>
      </form>
    </Sheet>
  )
}
