// The graph at a moment: find a concept, and look at what lies around it.
import { useSignal } from '@preact/signals'
import { auditLabels } from '#present/auditing/audit-labels'
import { labels } from '#present/console/labels'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty, Failed, Notice } from '../../drawing/notice.tsx'
import { goTo, linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { useAnswer } from '../reading.ts'
import { AroundConcept, AsOf, PartShown } from './around.tsx'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Picture, PictureEdge } from '#present/picture/picture'
import { counted } from '#present/wording'
import type { OverviewAnswer } from '#schemas/console/reading'
import { drawnMax } from './layout.ts'
import { Drawn } from './picture-view.tsx'

// A graph that is too large to draw, in parts: each is named by its most connected concept, and
// leads to what lies in it.

const words = auditLabels.overview

interface OverviewProps {
  /** Null for now. */
  readonly at: string | null
  readonly linkOf: (part: string) => string
  /** What is shown of a graph that is small enough. */
  readonly children: ComponentChildren
}

function GraphOverview({ at, linkOf, children }: OverviewProps) {
  const query = at === null ? {} : { at }
  const { answer, problem, again } = useAnswer(`overview ${at ?? ''}`, () => {
    return askServer('graphOverview', '/graph/overview', { query })
  })
  if (problem !== null) return <Failed code={problem} onRetry={again} />
  if (answer === null) return <p class="loading">{labels.loading}</p>
  if (answer.count <= drawnMax) return <>{children}</>
  return <Parts answer={answer} linkOf={linkOf} />
}

interface PartsProps {
  readonly answer: OverviewAnswer
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
            <a class="framed ends ends-text link tile" href={linkOf(name)}>
              <Hostile text={name} max={120} isBrief />
              <span class="quiet small">{many}</span>
            </a>
            <p class="quiet small">
              <Hostile text={names.join(', ')} max={160} isBrief />
            </p>
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

function drawingOf({ parts, links }: OverviewAnswer): Drawing {
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
  return (
    <section class="pane pane-wide">
      <h1 class="unseen">{auditLabels.views.graph}</h1>
      <Finding key={JSON.stringify([at, query.get('search')])} at={at} />
      {named === undefined ? (
        <Shown search={search} at={at} linkOf={linkOf} partLink={partLink} />
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

interface ShownProps extends ConceptsProps {
  readonly partLink: (part: string) => string
}

/** In parts where it is large, unless someone looks for a name. */
function Shown({ search, at, linkOf, partLink }: ShownProps) {
  const list = <Concepts search={search} at={at} linkOf={linkOf} />
  if (search !== '') return list
  return (
    <GraphOverview at={at} linkOf={partLink}>
      {list}
    </GraphOverview>
  )
}

function Finding({ at }: { readonly at: string | null }) {
  const search = useSignal(place.value.query.get('search') ?? '')
  const moment = useSignal(at ?? '')
  const find = (event: Event): void => {
    event.preventDefault()
    const when = moment.value.trim()
    const begins = search.value.trim()
    goTo(['graph'], {
      ...(when !== '' && { at: when }),
      ...(begins !== '' && { search: begins }),
    })
  }
  return (
    <search>
      <form class="moments" onSubmit={find}>
        <label class="field">
          <span>{auditLabels.picture.find}</span>
          <input
            spellcheck={false}
            autoComplete="off"
            maxLength={256}
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>{auditLabels.picture.asOf}</span>
          <input
            spellcheck={false}
            autoComplete="off"
            maxLength={64}
            placeholder={auditLabels.picture.now}
            title={auditLabels.compare.hint}
            value={moment.value}
            onInput={(event) => (moment.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button">
          {auditLabels.search.run}
        </button>
      </form>
    </search>
  )
}

interface ConceptsProps {
  readonly search: string
  readonly at: string | null
  readonly linkOf: (concept: string) => string
}

function Concepts({ search, at, linkOf }: ConceptsProps) {
  const query = { ...(search !== '' && { search }), ...(at !== null && { at }) }
  const { answer, problem, again } = useAnswer(JSON.stringify(query), () => {
    return askServer('graph', '/graph', { query })
  })
  if (problem !== null) return <Failed code={problem} onRetry={again} />
  if (answer === null) return <p class="loading">{labels.loading}</p>
  const { primitives } = answer.graph
  if (primitives.length === 0) return <Empty title={auditLabels.picture.none} lead="" />
  return (
    <>
      <AsOf answer={answer} />
      {answer.isCut && (
        <Notice tone="calm">
          <p>{auditLabels.picture.many}</p>
        </Notice>
      )}
      <ul class="tiles">
        {primitives.map(({ name, depths }) => (
          <li>
            <a class="framed ends ends-text link tile" href={linkOf(name)}>
              <Hostile text={name} max={120} isBrief />
              <span class="quiet small">
                {depths.length === 0 ? '–' : `D${Math.max(...depths.map(({ level }) => level))}`}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
