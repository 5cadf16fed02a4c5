// The forms that change a concept; each puts one operation into the change set.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { levelTitle } from '#present/console/overseeing/change-lines'
import { OpenMap, Policy, type RelationType } from '#schemas/graph'
import { Sheet } from '../../drawing/sheet.tsx'
import { goTo } from '../../shell/address.ts'
import { addToGraph } from '../draft.ts'
import { LevelField, RelationField } from '../fields.tsx'
import { checkedJson, JsonField } from '../json-field.tsx'
import type { ShownConcept } from './shown-concept.ts'

const words = authorLabels.graph

interface DescribeSheetProps {
  readonly name: string
  readonly level: number
  readonly properties: unknown
  readonly onClose: () => void
}

export function DescribeSheet({ name, level, properties, onClose }: DescribeSheetProps) {
  const text = useSignal(JSON.stringify(properties, null, 2))
  const checked = checkedJson(text.value, OpenMap)
  return (
    <Sheet title={`${name} · ${levelTitle(level)}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!checked.ok) return
          addToGraph({ op: 'describe', name, level, properties: checked.value })
          onClose()
        }}
      >
        <JsonField
          id="properties"
          label={words.properties}
          text={text.value}
          rows={10}
          checked={checked}
          onInput={(next) => (text.value = next)}
        />
        <button type="submit" class="button button-main" disabled={!checked.ok}>
          {words.put}
        </button>
      </form>
    </Sheet>
  )
}

interface RelateSheetProps {
  readonly concept: ShownConcept
  readonly onClose: () => void
}

export function RelateSheet({ concept: { name, depths }, onClose }: RelateSheetProps) {
  const level = useSignal(depths.at(-1)?.level ?? 0)
  const type = useSignal<RelationType>('APPLIES_TO')
  const target = useSignal('')
  const targetDepth = useSignal(1)
  const policies = useSignal('[]')
  const checked = checkedJson(policies.value, Policy.array())
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!checked.ok || target.value.trim() === '') return
    const relatum = {
      type: type.value,
      target: target.value.trim(),
      targetDepth: targetDepth.value,
      metadata: {},
      policies: checked.value,
    }
    addToGraph({ op: 'relate', name, level: level.value, relatum })
    onClose()
  }
  return (
    <Sheet title={`${words.relate}: ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="fields">
          <LevelField
            label={authorLabels.proposals.sourceLevel}
            value={level.value}
            onChange={(next) => (level.value = next)}
          />
          <RelationField value={type.value} onChange={(next) => (type.value = next)} />
          <label class="field">
            <span>{authorLabels.proposals.target}</span>
            <input
              type="text"
              required
              maxLength={256}
              value={target.value}
              onInput={(event) => (target.value = event.currentTarget.value)}
            />
          </label>
          <LevelField
            label={authorLabels.proposals.targetLevel}
            value={targetDepth.value}
            onChange={(next) => (targetDepth.value = next)}
          />
        </div>
        <JsonField
          id="policies"
          label={words.policies}
          text={policies.value}
          rows={6}
          checked={checked}
          onInput={(next) => (policies.value = next)}
        />
        <button type="submit" class="button button-main" disabled={!checked.ok}>
          {words.put}
        </button>
      </form>
    </Sheet>
  )
}

interface RenameSheetProps {
  readonly name: string
  readonly onClose: () => void
}

export function RenameSheet({ name, onClose }: RenameSheetProps) {
  const to = useSignal(name)
  const submit = (event: Event): void => {
    event.preventDefault()
    const wanted = to.value.trim()
    if (wanted === '' || wanted === name) return
    addToGraph({ op: 'rename', name, to: wanted })
    onClose()
    goTo(['authoring', 'graph'])
  }
  return (
    <Sheet title={`${words.rename} ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <label class="field">
          <span>{words.to}</span>
          <input
            type="text"
            required
            maxLength={256}
            value={to.value}
            onInput={(event) => (to.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button button-main">
          {words.put}
        </button>
      </form>
    </Sheet>
  )
}
