// A change set before it is signed: what each operation changes, what all of it would turn by what
// was recorded, and then one signature for all of it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { authored, withProvenance } from '#authoring/changes/provenance'
import { jsonOf, type JsonMap } from '#record/canonical'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { ChangeBody } from '#schemas/console/authoring'
import { changeLine } from '#present/console/overseeing/change-lines'
import {
  catalogSteps,
  conceptsNamedBy,
  graphSteps,
  type ChangeStep,
} from '#present/console/overseeing/change-steps'
import { shownChange } from '#present/console/overseeing/member-changes'
import { Notice } from '../drawing/notice.tsx'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { withNote, signedAs, signer, signerShown } from '../operating/acts.ts'
import { askServer } from '../shell/requests.ts'
import { hasRight } from '../shell/session.ts'
import { memberMap } from '../signing/members.ts'
import { changeBodyOf, discard, changesOf, type DraftOf, dropFrom, type Drafts } from './draft.ts'
import { WhatIf } from './what-if.tsx'
import { Button } from '../drawing/button.tsx'
import { Details } from '../drawing/texts.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MemberChanges } from '../drawing/member-changes.tsx'
import { useReading, type Reread, ProblemNote } from '../operating/room.tsx'

const words = authorLabels.change

interface ChangeSheetProps {
  readonly of: DraftOf
  readonly onClose: () => void
}

export function ChangeSheet({ of, onClose }: ChangeSheetProps) {
  const isAdmin = hasRight('operator')
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
        const { operations: all } = changeBodyOf(of, note)
        return { by: signerShown(), operations: all, ...withNote(note) }
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
function contentOf(change: ChangeBody, at: string): JsonMap {
  const by = signer()
  const stamp = authored(by, Date.parse(at))
  const operations =
    change.of === 'graph'
      ? change.operations.map((operation) => withProvenance(operation, stamp))
      : change.operations
  return { by, operations: jsonOf(operations), ...withNote(change.note ?? '') }
}

async function signChange(change: ChangeBody): Promise<void> {
  const asked = jsonOf(change)
  const body = Object.fromEntries(memberMap(asked))
  const { at, toSign } = await askServer('changePrepare', '/changes/prepare', { body })
  const content = contentOf(change, at)
  const signed = await signedAs(toSign, { kind: change.of, content, ofLog: ['revision'] })
  await askServer('changeSubmit', '/changes/submit', { body: { change: asked, at, signed } })
}

// The operations of a change set, each with what it changes against what stands, member by member,
// and in full what it writes. What is signed is the operation; what stands the server says.

function ChangeList({ of }: { readonly of: DraftOf }) {
  return (
    <section class="block">
      <h3>{words.operations}</h3>
      {of === 'graph' ? <OfGraph /> : <OfCatalog />}
    </section>
  )
}

function OfCatalog() {
  const operations = changesOf('catalog')
  const reading = useReading('catalog', () => askServer('catalog', '/catalog'))
  const { value } = reading
  const steps = value === null ? null : catalogSteps(value.catalog, operations)
  return <Operations of="catalog" operations={operations} steps={steps} reading={reading} />
}

function OfGraph() {
  const operations = changesOf('graph')
  const names = conceptsNamedBy(operations)
  const reading = useReading(JSON.stringify(names), async () => {
    if (names.length === 0) return []
    const { primitives } = await askServer('standingConcepts', '/graph/concepts', {
      body: { names },
    })
    return primitives
  })
  const { value } = reading
  const steps = value === null ? null : graphSteps(value, operations)
  return <Operations of="graph" operations={operations} steps={steps} reading={reading} />
}

interface OperationsProps {
  readonly of: DraftOf
  readonly operations: Drafts[DraftOf]
  /** Null until it is known what stands. */
  readonly steps: readonly ChangeStep[] | null
  readonly reading: Pick<Reread<unknown>, 'problem' | 'again'>
}

function Operations({ of, operations, steps, reading: { problem, again } }: OperationsProps) {
  return (
    <>
      {problem !== null && <ProblemNote code={problem} onRetry={() => void again()} />}
      {steps === null && problem === null && <p class="quiet small">{words.comparing}…</p>}
      <ol class="stack changes">
        {operations.map((operation, index) => (
          <Operation
            operation={operation}
            step={steps?.[index] ?? null}
            onDrop={() => dropFrom(of, index)}
          />
        ))}
      </ol>
    </>
  )
}

interface OperationProps {
  readonly operation: Drafts[DraftOf][number]
  readonly step: ChangeStep | null
  readonly onDrop: () => void
}

function Operation({ operation, step, onDrop }: OperationProps) {
  const { text, content } = changeLine(operation)
  const change = step === null ? null : shownChange(step)
  const how = change?.how ?? null
  return (
    <li class="framed stack change">
      <p class="ends ends-text strong change-head">
        <span>
          {how !== null && <span class={`tag tag-${how}`}>{words.how[how]}</span>}{' '}
          <Hostile text={text} max={300} />
        </span>
        <Button is="text" label={words.drop} of={text} onPress={onDrop} />
      </p>
      {how === 'same' && <p class="quiet small">{words.same}</p>}
      {change !== null && <MemberChanges members={change.members} />}
      {content !== null && (
        <Details label={words.full} of={text} isOpen={how === 'added'}>
          <pre class="code" tabIndex={0}>
            <Hostile text={JSON.stringify(content, null, 2)} max={4_000} />
          </pre>
        </Details>
      )}
    </li>
  )
}
