// A change set before it is signed: what each operation changes, what all of it would turn by what
// was recorded, and then one signature for all of it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { authored, withProvenance } from '#authoring/changes/provenance'
import { jsonOf, type JsonMap } from '#record/canonical'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { ChangeBody, PreparedChange } from '#schemas/console/authoring'
import { Notice } from '../drawing/notice.tsx'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { signAct, signer } from '../operating/acts.ts'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'
import { memberMap } from '../signing/members.ts'
import { ChangeList } from './change-list.tsx'
import { changeBodyOf, discard, changesOf, type DraftOf } from './draft.ts'
import { WhatIf } from './what-if.tsx'

const words = authorLabels.change

interface ChangeSheetProps {
  readonly of: DraftOf
  readonly onClose: () => void
}

export function ChangeSheet({ of, onClose }: ChangeSheetProps) {
  const isAdmin = person.value?.rights.includes('operator') === true
  const operations = changesOf(of)
  const isSigned = useSignal(false)
  useEffect(() => {
    if (operations.length === 0 && !isSigned.value) onClose()
  }, [operations.length])
  const act = async (note: string): Promise<void> => {
    await signChange(changeBodyOf(of, note))
    isSigned.value = true
    discard(of)
  }
  return (
    <SignSheet
      title={words.title[of]}
      lead={isAdmin ? '' : words.onlyAdmin}
      sign={words.sign}
      canAct={isAdmin}
      done={words.done}
      content={(note) => {
        const { operations: all, note: why } = changeBodyOf(of, note)
        return {
          by: person.value?.id ?? '',
          operations: all,
          ...(why !== undefined && { note: why }),
        }
      }}
      act={act}
      onClose={onClose}
    >
      <ChangeList of={of} />
      {operations.length > 0 && (
        <WhatIf key={JSON.stringify(operations)} body={changeBodyOf(of, '')} />
      )}
      {operations.length === 0 && <Notice tone="calm">{words.done}</Notice>}
    </SignSheet>
  )
}

/** What is written of the graph says who wrote it, and when it was drawn up. */
function contentOf(change: ChangeBody, { at }: PreparedChange): JsonMap {
  const by = signer()
  const stamp = authored(by, Date.parse(at))
  const operations =
    change.of === 'graph'
      ? change.operations.map((operation) => withProvenance(operation, stamp))
      : change.operations
  return {
    by,
    operations: jsonOf(operations),
    ...(change.note !== undefined && { note: change.note }),
  }
}

function signChange(change: ChangeBody): Promise<unknown> {
  const asked = jsonOf(change)
  return signAct<PreparedChange>({
    kind: change.of,
    ofLog: ['revision'],
    content: (prepared) => contentOf(change, prepared),
    prepare: () =>
      askServer('changePrepare', '/changes/prepare', {
        body: Object.fromEntries(memberMap(asked)),
      }),
    submit: (signed, { at }) =>
      askServer('changeSubmit', '/changes/submit', { body: { change: asked, at, signed } }),
  })
}
