// The operations of a change set, each with what it changes against what stands, member by member,
// and in full what it writes. What is signed is the operation; what stands the server says.
import { authorLabels } from '#present/console/overseeing/author-labels'
import { changeLine } from '#present/console/overseeing/change-lines'
import {
  catalogSteps,
  conceptsNamedBy,
  graphSteps,
  type ChangeStep,
} from '#present/console/overseeing/change-steps'
import { shownChange } from '#present/console/overseeing/member-changes'
import { Hostile } from '../drawing/hostile.tsx'
import { MemberChanges } from '../drawing/member-changes.tsx'
import { useReading, type Reread } from '../operating/reading.ts'
import { ProblemNote } from '../operating/room.tsx'
import { askServer } from '../shell/requests.ts'
import { changesOf, dropFrom, type DraftOf, type Drafts } from './draft.ts'

const words = authorLabels.change

export function ChangeList({ of }: { readonly of: DraftOf }) {
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
    const { primitives } = await askServer('concepts', '/graph/concepts', { body: { names } })
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
      <p class="ends ends-text change-head">
        <span>
          {how !== null && <span class={`tag tag-${how}`}>{words.how[how]}</span>}{' '}
          <Hostile text={text} max={300} />
        </span>
        <button type="button" class="text-button" onClick={onDrop}>
          {words.drop}
          <span class="unseen"> {text}</span>
        </button>
      </p>
      {how === 'same' && <p class="quiet small">{words.same}</p>}
      {change !== null && <MemberChanges members={change.members} />}
      {content !== null && (
        <details class="details" open={how === 'added'}>
          <summary>
            {words.full}
            <span class="unseen"> {text}</span>
          </summary>
          <pre class="code" tabIndex={0}>
            <Hostile text={JSON.stringify(content, null, 2)} max={4_000} />
          </pre>
        </details>
      )}
    </li>
  )
}
