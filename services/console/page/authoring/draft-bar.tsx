// What stands at the foot of the graph and the catalog while a change set is being written.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { counted } from '#present/wording'
import { ChangeSheet } from './change-sheet.tsx'
import { discard, changesOf, type DraftOf } from './draft.ts'

const words = authorLabels.draft

export function DraftBar({ of }: { readonly of: DraftOf }) {
  const isOpen = useSignal(false)
  const { length } = changesOf(of)
  if (length === 0 && !isOpen.value) return null
  return (
    <footer class="foot bunch draft-bar">
      <p>
        <strong>
          {counted(length, 'change')} {words.of[of]}
        </strong>
        <span class="quiet small">{words.kept}</span>
      </p>
      <button type="button" class="text-button" onClick={() => discard(of)}>
        {words.discard}
      </button>
      <button type="button" class="button button-main" onClick={() => (isOpen.value = true)}>
        {words.look}
      </button>
      {isOpen.value && <ChangeSheet of={of} onClose={() => (isOpen.value = false)} />}
    </footer>
  )
}
