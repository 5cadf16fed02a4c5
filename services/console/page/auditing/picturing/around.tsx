// What lay around one concept at a moment, so many steps far.
import { useMemo } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import { pictureOfPrimitives } from '#present/auditing/picture-of-file'
import type { OperationAnswer } from '#schemas/operations/table'
import { Radios } from '../../drawing/form-fields.tsx'
import { Empty, Notice } from '../../drawing/notice.tsx'
import { askServer } from '../../shell/requests.ts'
import { Read, useOnce } from '../../operating/room.tsx'
import { PictureView } from './picture-view.tsx'

const stepsOffered: readonly string[] = ['1', '2', '3', '4']

interface AroundProps {
  readonly concept: string
  readonly steps: string
  /** Null for now. */
  readonly at: string | null
  readonly linkOf: (concept: string) => string
  readonly onSteps: (steps: string) => void
}

export function AroundConcept({ concept, steps, at, linkOf, onSteps }: AroundProps) {
  const reading = useGraph({ around: concept, hops: steps }, at)
  return (
    <>
      <div class="ends ends-wrap">
        <Radios
          as="segments"
          legend={auditLabels.picture.steps}
          name="steps"
          options={stepsOffered.map((is) => ({ is, label: is }))}
          chosen={steps}
          onChoose={onSteps}
        />
        {reading.value !== null && <AsOf answer={reading.value} />}
      </div>
      <Read reading={reading}>
        {(answer) => <Shown answer={answer} concept={concept} linkOf={linkOf} />}
      </Read>
    </>
  )
}

/** What the server says of the graph, at a moment or now. */
export function useGraph(of: Readonly<Record<string, string>>, at: string | null) {
  const query = { ...of, limit: '300', ...(at !== null && { at }) }
  return useOnce(JSON.stringify(query), () => askServer('concepts', '/concepts', { query }))
}

type Concepts = OperationAnswer<'concepts'>

type Moment = Pick<Concepts, 'position' | 'revision'>

export function AsOf({ answer: { position, revision } }: { readonly answer: Moment }) {
  return (
    <p class="quiet small">
      {auditLabels.picture.asOf} {position}, {auditLabels.picture.revision} {revision}
    </p>
  )
}

interface PartProps {
  readonly part: string
  readonly at: string | null
  readonly linkOf: (concept: string) => string
}

/** One part of the overview, drawn. */
export function PartShown({ part, at, linkOf }: PartProps) {
  return (
    <Read reading={useGraph({ part }, at)}>
      {(answer) => <Shown answer={answer} concept={part} linkOf={linkOf} />}
    </Read>
  )
}

interface ShownProps {
  readonly answer: Concepts
  readonly concept: string
  readonly linkOf: (concept: string) => string
}

function Shown({ answer, concept, linkOf }: ShownProps) {
  const picture = useMemo(() => pictureOfPrimitives(answer.rows), [answer])
  if (picture.nodes.length === 0) return <Empty title={auditLabels.picture.none} lead="" />
  return (
    <>
      {answer.next !== null && <Notice tone="warm">{auditLabels.picture.cut}</Notice>}
      <PictureView picture={picture} middle={concept} linkOf={linkOf} />
    </>
  )
}
