// Where boxes and arrows of a picture go. The library for it is loaded when the first one is drawn.
import type { Picture, PictureEdge, PictureNode } from '#present/picture/picture'

export interface PlacedNode {
  readonly node: PictureNode
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PlacedEdge {
  readonly edge: PictureEdge
  readonly path: string
  readonly label: { readonly x: number; readonly y: number }
}

export interface PlacedPicture {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
}

/** What is drawn at most: beyond, no one sees anything in it. */
export const drawnMax = 300

const characterWidth = 8
const nodeHeight = 52
const widthMin = 96
const widthMax = 220

function widthOf({ name, notes }: PictureNode): number {
  const longest = Math.max(name.length, ...notes.map((note) => note.length * 0.85))
  return Math.min(widthMax, Math.max(widthMin, longest * characterWidth + 28))
}

interface Point {
  readonly x: number
  readonly y: number
}

const bend = 22

/** Straight from point to point, and round at each. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  const bends = rest.slice(0, -1).map((point, index) => {
    const [before, after] = [points[index] ?? first, rest[index + 1] ?? last]
    return `L${spot(towards(point, before))} Q${spot(point)} ${spot(towards(point, after))}`
  })
  return [`M${spot(first)}`, ...bends, `L${spot(last)}`].join(' ')
}

interface Docked extends Point {
  readonly height: number
}

/** From the middle of one side to that of the other, so that it passes behind no neighbour. */
function docked(points: readonly Point[], [from, to]: readonly [Docked, Docked]): readonly Point[] {
  const inner = points.slice(1, -1)
  const isDown = from.y < to.y
  const side = ({ x, y, height }: Docked, below: boolean): Point => {
    return { x, y: y + (below ? height / 2 : -height / 2) }
  }
  return [side(from, isDown), ...inner, side(to, !isDown)]
}

function spot({ x, y }: Point): string {
  return `${Math.round(x)},${Math.round(y)}`
}

/** As far from the one to the other as a bend takes, and never beyond the middle. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const part = length === 0 ? 0 : Math.min(0.5, bend / length)
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

/** As much of the library as is used: its own types cannot be read here. */
interface Dagre {
  readonly graphlib: { readonly Graph: new (options: { readonly multigraph: true }) => DagreGraph }
  layout(this: void, graph: DagreGraph): void
}

interface DagreGraph {
  setGraph(label: Readonly<Record<string, string | number>>): void
  setNode(id: string, size: { readonly width: number; readonly height: number }): void
  setEdge(source: string, target: string, label: object, name: string): void
  graph(): { readonly width: number; readonly height: number }
  node(id: string): Docked & { readonly width: number }
  edge(
    source: string,
    target: string,
    name: string,
  ): { readonly points: readonly Point[]; readonly x?: number; readonly y?: number }
}

function isDagre(value: unknown): value is Dagre {
  return typeof value === 'object' && value !== null && 'graphlib' in value && 'layout' in value
}

async function loadDagre(): Promise<Dagre> {
  const loaded: unknown = await import('@dagrejs/dagre')
  if (!isDagre(loaded)) throw new Error('the library for layouts is another one')
  return loaded
}

export async function layoutOf({ nodes, edges }: Picture): Promise<PlacedPicture> {
  const { graphlib, layout } = await loadDagre()
  const graph = new graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 64, marginx: 12, marginy: 12 })
  nodes.forEach((node, place) => {
    graph.setNode(String(place), { width: widthOf(node), height: heightOf(node) })
  })
  edges.forEach(({ source, target, relation }, place) => {
    const text = relation?.type ?? ''
    const label = { width: text.length * 6.4, height: 16, labelpos: 'c' }
    graph.setEdge(String(source), String(target), label, String(place))
  })
  layout(graph)
  const { width, height } = graph.graph()
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: nodes.map((node, place) => {
      const { x, y, width: wide, height: high } = graph.node(String(place))
      return { node, x, y, width: wide, height: high }
    }),
    edges: edges.map((edge, place) => {
      const found = graph.edge(String(edge.source), String(edge.target), String(place))
      const { points, x = 0, y = 0 } = found
      const ends = [graph.node(String(edge.source)), graph.node(String(edge.target))] as const
      const isLoop = edge.source === edge.target
      return { edge, path: curve(isLoop ? points : docked(points, ends)), label: { x, y } }
    }),
  }
}

function heightOf({ level, notes }: PictureNode): number {
  const lines = (level === null ? 0 : 1) + notes.length
  return nodeHeight + Math.max(0, lines - 1) * 16
}
