// Reads pictures back: DOT as Graphviz draws it, and Mermaid by the little of its grammar that is
// ever written. Whatever is no such line fails.
import { instance } from '@viz-js/viz'
import { dotOf } from '#present/picture/dot'
import { mermaidOf } from '#present/picture/mermaid'
import type { Picture } from '#present/picture/picture'

export interface ReadPicture {
  /** What each box says, line by line, by its id. */
  readonly boxes: ReadonlyMap<string, readonly string[]>
  readonly arrows: readonly {
    readonly source: string
    readonly target: string
    readonly lines: readonly string[]
    /** How it is drawn. */
    readonly style: string
  }[]
  /** The shape or class of each box. */
  readonly shapes: ReadonlyMap<string, string>
}

const graphviz = instance()

/** The picture as Mermaid has it, and as Graphviz draws it. */
export async function readBoth(picture: Picture): Promise<readonly [ReadPicture, ReadPicture]> {
  return [readMermaid(mermaidOf(picture)), await readDot(dotOf(picture))]
}

const part = /<g id="\w+" class="(node|edge)">\n<title>([^<]*)<\/title>\n([^]*?)<\/g>/g
const drawn = /^<(polygon|polyline|ellipse|path|text) ([^<>]*)>(?:<\/\1>|([^<>]*)<\/text>)?$/

/** As an SVG shows it. Throws where Graphviz does not take it. */
export async function readDot(text: string): Promise<ReadPicture> {
  const svg = (await graphviz).renderString(text, { format: 'svg' })
  const boxes = new Map<string, readonly string[]>()
  const shapes = new Map<string, string>()
  const arrows: ReadPicture['arrows'][number][] = []
  for (const [, kind, title = '', inner = ''] of svg.matchAll(part)) {
    const shown = inner.trimEnd().split('\n').map(elementOf)
    const lines = shown.flatMap(({ element, said }) =>
      element === 'text' ? [unescaped(said)] : [],
    )
    const { element = '', attributes = '' } = shown[0] ?? {}
    const style = styleOf(attributes)
    if (kind === 'node') {
      boxes.set(title, lines)
      shapes.set(title, `${element} ${style}`)
    } else {
      const [source = '', target = ''] = unescaped(title).split('->')
      arrows.push({ source, target, lines, style })
    }
  }
  return { boxes, shapes, arrows }
}

interface Element {
  readonly element: string
  readonly attributes: string
  readonly said: string
}

/** Throws for what no picture of ours has, such as a link. */
function elementOf(line: string): Element {
  const [, element, attributes = '', said = ''] = drawn.exec(line.replace('/>', '>')) ?? []
  if (element === undefined) throw new Error(`no element of ours: ${line}`)
  return { element, attributes, said }
}

function styleOf(attributes: string): string {
  if (attributes.includes('stroke-dasharray="5,2"')) return 'dashed'
  if (attributes.includes('stroke-dasharray="1,5"')) return 'dotted'
  return attributes.includes('stroke-width="2"') ? 'bold' : 'solid'
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name = '') =>
    code === undefined ? (entities[name] ?? whole) : numbered(Number(code)),
  )
}

// Graphviz keeps spaces apart by those that do not break.
function numbered(code: number): string {
  return code === 160 ? ' ' : String.fromCodePoint(code)
}

const label = String.raw`"((?:[\p{L}\p{M}\p{N}_ →]|#\d+;|<br\/>)*)"`
const box = new RegExp(
  String.raw`^ +([nk]\d+)(\(\[|\{\{|\[|\()${label}(\]\)|\}\}|\]|\)):::(\w+)$`,
  'u',
)
const arrow = new RegExp(String.raw`^ +([nk]\d+) (-->|==>|-\.->|--x)\|${label}\| ([nk]\d+)$`, 'u')
const others = [
  /^flowchart LR$/,
  /^ {2}subgraph legend\["legend"\]$/,
  /^ {2}end$/,
  /^ {2}classDef (plain|visible|gated|missing) [a-z0-9:#,\- ]+$/,
  /^ {2}linkStyle \d+(,\d+)* stroke:#[0-9a-f]{6}$/,
]

/** Throws where a line is not one of a picture. */
export function readMermaid(text: string): ReadPicture {
  const boxes = new Map<string, readonly string[]>()
  const shapes = new Map<string, string>()
  const arrows: ReadPicture['arrows'][number][] = []
  for (const line of text.trimEnd().split('\n')) {
    const [, id, , said = '', , state = ''] = box.exec(line) ?? []
    const [, source = '', style = '', why = '', target = ''] = arrow.exec(line) ?? []
    if (id !== undefined) {
      boxes.set(id, decoded(said))
      shapes.set(id, state)
    } else if (style !== '') arrows.push({ source, target, lines: decoded(why), style })
    else if (!others.some((each) => each.test(line))) throw new Error(`no line of ours: ${line}`)
  }
  return { boxes, shapes, arrows }
}

function decoded(said: string): readonly string[] {
  return said
    .split('<br/>')
    .map((line) =>
      line.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
    )
}
