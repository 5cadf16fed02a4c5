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
import { GraphOverview } from './overview.tsx'

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
