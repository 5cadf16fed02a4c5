// A graph that is too large to draw, in parts: each is named by its most connected concept, and
// leads to what lies in it.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import type { Picture, PictureEdge } from '#present/picture/picture'
import { labels } from '#present/console/labels'
import { counted } from '#present/wording'
import type { OverviewAnswer } from '#schemas/console/reading'
import { Hostile } from '../../drawing/hostile.tsx'
import { Failed } from '../../drawing/notice.tsx'
import { askServer } from '../../shell/requests.ts'
import { useAnswer } from '../reading.ts'
import { AsOf } from './around.tsx'
import { drawnMax } from './layout.ts'
import { Drawn } from './picture-view.tsx'

const words = auditLabels.overview

interface OverviewProps {
  /** Null for now. */
  readonly at: string | null
  readonly linkOf: (part: string) => string
  /** What is shown of a graph that is small enough. */
  readonly children: ComponentChildren
}

export function GraphOverview({ at, linkOf, children }: OverviewProps) {
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
