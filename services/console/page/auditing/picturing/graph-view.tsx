// The graph at a moment: find a concept, and look at what lies around it.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import { labels } from '#present/console/labels'
import type { Picture, PictureEdge } from '#present/picture/picture'
import { counted } from '#present/wording'
import type { OperationAnswer } from '#schemas/operations/table'
import { Button } from '../../drawing/button.tsx'
import { Form, TextField } from '../../drawing/form-fields.tsx'
import { Tile } from '../../drawing/texts.tsx'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty, Failed, Notice } from '../../drawing/notice.tsx'
import { goTo, linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { useOnce } from '../../operating/room.tsx'
import { AroundConcept, AsOf, PartShown, useGraph } from './around.tsx'
import { drawnMax } from './layout.ts'
import { Drawn } from './picture-view.tsx'

// A graph that is too large to draw, in parts: each is named by its most connected concept, and
// leads to what lies in it.

const words = auditLabels.overview

interface OverviewProps extends Omit<ConceptsProps, 'search'> {
  readonly partLink: (part: string) => string
}

function GraphOverview({ at, linkOf, partLink }: OverviewProps) {
  const query = at === null ? {} : { at }
  const { value, problem, again } = useOnce(`overview ${at ?? ''}`, () =>
    askServer('graphParts', '/concepts/parts', { query }),
  )
  if (problem !== null) return <Failed code={problem} onRetry={() => void again()} />
  if (value === null) return <p class="loading">{labels.loading}</p>
  if (value.count <= drawnMax) return <Concepts search="" at={at} linkOf={linkOf} />
  return <Parts answer={value} linkOf={partLink} />
}

interface PartsProps {
  readonly answer: OperationAnswer<'graphParts'>
  readonly linkOf: (part: string) => string
}

function Parts({ answer, linkOf }: PartsProps) {
  const { count, levels, types, parts, apart } = answer
  const drawing = useMemo(() => drawingOf(answer), [answer])
  return (
    <section class="overview" aria-labelledby="overview-title">
      <h2 id="overview-title">{words.title}</h2>
      <AsOf answer={answer} />
      <p>
        {counted(count, 'concept')} ·{' '}
        {levels
          .map(({ level, count: many }) => `${level === null ? words.none : `D${level}`}: ${many}`)
          .join(' · ')}
      </p>
      <p class="quiet small">
        {types.map(({ type, count: many }) => `${type}: ${many}`).join(' · ')}
      </p>
      <p class="quiet small">
        {words.lead}
        {apart > 0 && ` ${apart} ${words.apart}`}
      </p>
      <Drawn
        picture={drawing.picture}
        middle={null}
        linkOf={linkOf}
        textOf={(edge) => drawing.texts.get(edge) ?? ''}
      />
      <ul class="tiles">
        {parts.map(({ name, count: many, names }) => (
          <li>
            <Tile name={name} note={many} to={linkOf(name)} />
            <Hostile in="p" class="quiet small" text={names.join(', ')} max={160} isBrief />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Drawing {
  readonly picture: Picture
  readonly texts: ReadonlyMap<PictureEdge, string>
}

function drawingOf({ parts, links }: PartsProps['answer']): Drawing {
  const nodes = parts.map(({ name, count }) => {
    return { name, level: null, notes: [counted(count, 'concept')], state: 'plain' as const }
  })
  const edges = links.map(({ from, to, count }) => {
    const plain = { relation: null, policies: [], state: 'plain' as const }
    return [{ source: from, target: to, ...plain }, String(count)] as const
  })
  const picture = { nodes, edges: edges.map(([edge]) => edge), omitted: 0 }
  return { picture, texts: new Map(edges) }
}

export function GraphPage() {
  const { query } = place.value
  const at = query.get('at') ?? null
  const [concept, part] = [query.get('concept'), query.get('part')]
  const named = concept ?? part
  const search = query.get('search') ?? ''
  const moment = at === null ? {} : { at }
  const linkOf = (name: string): string => linkTo(['graph'], { ...moment, concept: name })
  const partLink = (name: string): string => linkTo(['graph'], { ...moment, part: name })
  // In parts where it is large, unless someone looks for a name.
  const whole =
    search === '' ? (
      <GraphOverview at={at} linkOf={linkOf} partLink={partLink} />
    ) : (
      <Concepts search={search} at={at} linkOf={linkOf} />
    )
  return (
    <section class="pane pane-wide">
      <h1 class="unseen">{auditLabels.views.graph}</h1>
      <Finding key={JSON.stringify([at, query.get('search')])} at={at} />
      {named === undefined ? (
        whole
      ) : (
        <h2 class="row-title list-note">
          <a href={linkTo(['graph'], moment)}>{auditLabels.picture.all}</a>
          <span aria-hidden="true"> / </span>
          <Hostile text={named} max={200} />
        </h2>
      )}
      {concept !== undefined && (
        <AroundConcept
          concept={concept}
          steps={query.get('steps') ?? '1'}
          at={at}
          linkOf={linkOf}
          onSteps={(steps) => goTo(['graph'], { ...moment, concept, steps })}
        />
      )}
      {concept === undefined && part !== undefined && (
        <PartShown part={part} at={at} linkOf={linkOf} />
      )}
    </section>
  )
}

function Finding({ at }: { readonly at: string | null }) {
  const search = useSignal(place.value.query.get('search') ?? '')
  const moment = useSignal(at ?? '')
  const find = (): void => {
    const when = moment.value.trim()
    const begins = search.value.trim()
    goTo(['graph'], {
      ...(when !== '' && { at: when }),
      ...(begins !== '' && { search: begins }),
    })
  }
  return (
    <search>
      <Form class="moments" onSend={find}>
        <TextField
          label={auditLabels.picture.find}
          typed={search}
          maxLength={256}
          spellcheck={false}
        />
        <TextField
          label={auditLabels.picture.asOf}
          typed={moment}
          maxLength={64}
          spellcheck={false}
          placeholder={auditLabels.picture.now}
          title={auditLabels.compare.hint}
        />
        <Button label={auditLabels.search.run} />
      </Form>
    </search>
  )
}

interface ConceptsProps {
  readonly search: string
  readonly at: string | null
  readonly linkOf: (concept: string) => string
}

function Concepts({ search, at, linkOf }: ConceptsProps) {
  const { value: answer, problem, again } = useGraph({ search }, at)
  if (problem !== null) return <Failed code={problem} onRetry={() => void again()} />
  if (answer === null) return <p class="loading">{labels.loading}</p>
  const { rows, next } = answer
  if (rows.length === 0) return <Empty title={auditLabels.picture.none} lead="" />
  return (
    <>
      <AsOf answer={answer} />
      {next !== null && <Notice tone="calm">{auditLabels.picture.many}</Notice>}
      <ul class="tiles">
        {rows.map(({ name, depths }) => (
          <li>
            <Tile name={name} note={deepest(depths)} to={linkOf(name)} />
          </li>
        ))}
      </ul>
    </>
  )
}

function deepest(depths: readonly { readonly level: number }[]): string {
  return depths.length === 0 ? '–' : `D${Math.max(...depths.map(({ level }) => level))}`
}
