// What lay around one concept at a moment, so many steps far.
import { useMemo } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import { pictureOfPrimitives } from '#present/auditing/picture-of-file'
import { labels } from '#present/console/labels'
import type { GraphAnswer } from '#schemas/console/reading'
import { Radios } from '../../drawing/form-fields.tsx'
import { Empty, Failed, Notice } from '../../drawing/notice.tsx'
import { askServer } from '../../shell/requests.ts'
import { useOnce } from '../../operating/room.tsx'
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
  const { value: answer, problem, again } = useGraph({ concept, steps }, at)
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
        {answer !== null && <AsOf answer={answer} />}
      </div>
      {problem !== null && <Failed code={problem} onRetry={() => void again()} />}
      {answer === null && problem === null && <p class="loading">{labels.loading}</p>}
      {answer !== null && <Shown answer={answer} concept={concept} linkOf={linkOf} />}
    </>
  )
}

/** What the server says of the graph, at a moment or now. */
export function useGraph(of: Readonly<Record<string, string>>, at: string | null) {
  const query = { ...of, ...(at !== null && { at }) }
  return useOnce(JSON.stringify(query), () => askServer('graph', '/graph', { query }))
}

type Moment = Pick<GraphAnswer, 'position' | 'revision'>

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
  const { value: answer, problem, again } = useGraph({ part }, at)
  if (problem !== null) return <Failed code={problem} onRetry={() => void again()} />
  if (answer === null) return <p class="loading">{labels.loading}</p>
  return <Shown answer={answer} concept={part} linkOf={linkOf} />
}

interface ShownProps {
  readonly answer: GraphAnswer
  readonly concept: string
  readonly linkOf: (concept: string) => string
}

function Shown({ answer, concept, linkOf }: ShownProps) {
  const picture = useMemo(() => pictureOfPrimitives(answer.graph.primitives), [answer])
  if (picture.nodes.length === 0) return <Empty title={auditLabels.picture.none} lead="" />
  return (
    <>
      {answer.isCut && <Notice tone="warm">{auditLabels.picture.cut}</Notice>}
      <PictureView picture={picture} middle={concept} linkOf={linkOf} />
    </>
  )
}
