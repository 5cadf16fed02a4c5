// A picture as a Mermaid flowchart. Every character of a name that is no letter, mark or digit is
// written as its number, so that nothing in a name is ever taken for Mermaid, Markdown or HTML.
import { Fault } from '#record/fault'
import { edgeLines, legendEdges, legendOf, nodeLines } from './label.ts'
import type { PartState, Picture } from './picture.ts'

/** Mermaid draws no longer text. */
const charactersMax = 50_000

const boxes: Readonly<Record<PartState, readonly [string, string]>> = {
  plain: ['(', ')'],
  visible: ['[', ']'],
  gated: ['{{', '}}'],
  missing: ['([', '])'],
}

const arrows: Readonly<Record<PartState, string>> = {
  plain: '-->',
  visible: '==>',
  gated: '-.->',
  missing: '--x',
}

const classes: Readonly<Record<PartState, string>> = {
  plain: 'fill:#f5f5f5,stroke:#57606a,color:#1f2328',
  visible: 'fill:#dafbe1,stroke:#1a7f37,color:#1f2328,stroke-width:2px',
  gated: 'fill:#fff8c5,stroke:#9a6700,color:#1f2328,stroke-dasharray:6 3',
  missing: 'fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-dasharray:2 2',
}

const strokes: Readonly<Record<PartState, string | null>> = {
  plain: null,
  visible: 'stroke:#1a7f37',
  gated: 'stroke:#9a6700',
  missing: 'stroke:#cf222e',
}

/** Throws a Fault where it is too much text for Mermaid. */
export function mermaidOf(picture: Picture): string {
  const { nodes, edges } = picture
  const legend = legendOf(picture)
  const shown = edges.map(({ state }) => state)
  const states = legend.length === 0 ? shown : [...shown, ...legendEdges.map(({ state }) => state)]
  const used = new Set([...nodes, ...legend].map(({ state }) => state))
  const text = [
    'flowchart LR',
    ...nodes.map((node, place) => `  ${box(`n${place}`, node.state, nodeLines(node))}`),
    ...edges.map((edge) => {
      const label = edgeLines(edge).map(escaped).join('<br/>')
      return `  n${edge.source} ${arrows[edge.state]}|"${label}"| n${edge.target}`
    }),
    ...legendText(picture),
    ...[...used].map((state) => `  classDef ${state} ${classes[state]}`),
    ...strokeLines(states),
  ].join('\n')
  if (text.length <= charactersMax) return text
  const what = `${text.length} characters are more than Mermaid draws`
  throw new Fault('picture_too_large', `${what}: draw a part with --around, or use --dot`)
}

function box(id: string, state: PartState, lines: readonly string[]): string {
  const [open, close] = boxes[state]
  return `${id}${open}"${lines.map(escaped).join('<br/>')}"${close}:::${state}`
}

function legendText(picture: Picture): readonly string[] {
  const legend = legendOf(picture)
  if (legend.length === 0) return []
  const arrowsBetween = legendEdges.map(({ state, text }, place) => {
    const next = (place + 1) % legendEdges.length
    return `    k${place} ${arrows[state]}|"${escaped(text)}"| k${next}`
  })
  return [
    '  subgraph legend["legend"]',
    ...legend.map(({ state, text }, place) => `    ${box(`k${place}`, state, [text])}`),
    ...arrowsBetween,
    '  end',
  ]
}

function strokeLines(states: readonly PartState[]): readonly string[] {
  return (['visible', 'gated', 'missing'] as const).flatMap((state) => {
    const places = states.flatMap((each, place) => (each === state ? [place] : []))
    return places.length === 0 ? [] : [`  linkStyle ${places.join(',')} ${strokes[state]}`]
  })
}

// What is not here can mean something to Mermaid, or to the Markdown and HTML that it makes.
// An underscore within a word is not Markdown's.
const notHarmless = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|[^\p{L}\p{M}\p{N}_ →]/gu

function escaped(text: string): string {
  return text.replaceAll(notHarmless, (character) => `#${character.codePointAt(0)};`)
}
