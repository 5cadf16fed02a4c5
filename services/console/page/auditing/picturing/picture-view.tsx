// A picture of concepts and relations, drawn as SVG, and beside it the same as a list, which is
// what a screen reader reads and what there is when the picture would be too large.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { auditLabels } from '#present/auditing/audit-labels'
import { edgeLines, legendOf, nodeLines } from '#present/picture/label'
import type { Picture, PictureEdge, PictureNode } from '#present/picture/picture'
import { labels } from '#present/console/labels'
import { Hostile } from '../../drawing/hostile.tsx'
import { Notice } from '../../drawing/notice.tsx'
import { drawnMax, layoutOf, type PlacedPicture, type PlacedNode } from './layout.ts'

interface PictureProps {
  readonly picture: Picture
  /** Which concept it is drawn around. */
  readonly middle?: string
  readonly linkOf: (concept: string) => string
}

export function PictureView({ picture, middle, linkOf }: PictureProps) {
  const isLarge = picture.nodes.length > drawnMax
  return (
    <div class="picture">
      {isLarge ? (
        <Notice tone="calm">{auditLabels.picture.many}</Notice>
      ) : (
        <Drawn picture={picture} middle={middle ?? null} linkOf={linkOf} />
      )}
      <PictureList picture={picture} isOpen={isLarge || isWide()} linkOf={linkOf} />
    </div>
  )
}

/** Where the list stands beside, and takes no room from the picture. */
function isWide(): boolean {
  return window.matchMedia('(min-width: 900px)').matches
}

/** What scrolls is scrolled by keyboard too. */
const inReach = { tabIndex: 0 }

interface DrawnProps {
  readonly picture: Picture
  readonly middle: string | null
  readonly linkOf: (concept: string) => string
  /** What stands on an arrow; absent means its relation. */
  readonly textOf?: (edge: PictureEdge) => string
}

export function Drawn({ picture, middle, linkOf, textOf }: DrawnProps) {
  const placed = useSignal<PlacedPicture | null>(null)
  useEffect(() => {
    let isWanted = true
    const place = async (): Promise<void> => {
      const found = await layoutOf(picture)
      if (isWanted) placed.value = found
    }
    void place()
    return () => {
      isWanted = false
    }
  }, [picture])
  const { value } = placed
  if (value === null) return <p class="loading">{labels.loading}</p>
  const { width, height } = value
  return (
    <figure class="picture-drawn">
      <section class="framed picture-scroll" aria-label={auditLabels.picture.drawing} {...inReach}>
        <svg
          class="picture-svg"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {value.edges.map(({ edge, path, label }) => (
            <g class={`edge edge-${edge.state}`}>
              <path d={path} marker-end="url(#arrow)" />
              <text x={label.x} y={label.y + 4}>
                {textOf?.(edge) ?? edge.relation?.type ?? '?'}
              </text>
              <title>{textOf?.(edge) ?? edgeLines(edge).join('\n')}</title>
            </g>
          ))}
          {value.nodes.map((node) => (
            <Box placed={node} isMiddle={node.node.name === middle} href={linkOf(node.node.name)} />
          ))}
        </svg>
      </section>
      <Legend picture={picture} />
    </figure>
  )
}

interface BoxProps {
  readonly placed: PlacedNode
  readonly isMiddle: boolean
  readonly href: string
}

// The list beside has the same links for the keyboard; in the drawing they are for a pointer.
function Box({ placed: { node, x, y, width, height }, isMiddle, href }: BoxProps) {
  const [name = '', ...rest] = nodeLines(node)
  const lines = rest.length === 0 ? ['–'] : rest
  return (
    <a href={href} tabindex={-1}>
      <g class={`box box-${node.state}${isMiddle ? ' box-middle' : ''}`}>
        <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={10} />
        <text class="box-name" x={x} y={y - height / 2 + 22}>
          {fitting(name, width)}
        </text>
        {lines.map((line, index) => (
          <text class="box-note" x={x} y={y - height / 2 + 40 + index * 16}>
            {fitting(line, width)}
          </text>
        ))}
        <title>{[name, ...rest].join('\n')}</title>
      </g>
    </a>
  )
}

/** As much as a box takes. */
function fitting(text: string, width: number): string {
  const max = Math.floor((width - 16) / 7.2)
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}

function Legend({ picture }: { readonly picture: Picture }) {
  const legend = legendOf(picture)
  if (legend.length === 0) return null
  return (
    <figcaption class="bunch quiet small below" aria-label={auditLabels.picture.legend}>
      {legend.map(({ state, text }) => (
        <span class={`legend-one legend-${state}`}>{text}</span>
      ))}
    </figcaption>
  )
}

interface ListProps {
  readonly picture: Picture
  readonly isOpen: boolean
  readonly linkOf: (concept: string) => string
}

function PictureList({ picture: { nodes, edges }, isOpen, linkOf }: ListProps) {
  const nameOf = (place: number): string => nodes[place]?.name ?? ''
  return (
    <details class="details picture-list" open={isOpen}>
      <summary>
        {auditLabels.picture.list} ({nodes.length} + {edges.length})
      </summary>
      <h2>{auditLabels.picture.nodes}</h2>
      <ul class="tight">
        {nodes.map((node) => (
          <NodeLine node={node} href={linkOf(node.name)} />
        ))}
      </ul>
      {edges.length > 0 && <h2>{auditLabels.picture.edges}</h2>}
      <ul class="tight">
        {edges.map((edge) => (
          <li>
            <Hostile text={nameOf(edge.source)} max={80} isBrief /> →{' '}
            <Hostile text={nameOf(edge.target)} max={80} isBrief />{' '}
            <span class="quiet small">
              <Hostile text={edgeLines(edge).join(' · ')} max={300} isBrief />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function NodeLine({ node, href }: { readonly node: PictureNode; readonly href: string }) {
  const [, ...rest] = nodeLines(node)
  return (
    <li>
      <Hostile in="a" href={href} text={node.name} max={120} isBrief />{' '}
      <Hostile in="span" class="quiet small" text={rest.join(' · ')} max={300} isBrief />
    </li>
  )
}
