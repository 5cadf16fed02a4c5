// A picture in Graphviz' DOT. Labels are quoted strings in which neither a backslash nor an
// ampersand of a name means anything.
import { edgeLines, legendEdges, legendOf, nodeLines } from './label.ts'
import type { PartState, Picture } from './picture.ts'

const boxes: Readonly<Record<PartState, string>> = {
  plain: 'shape=box,style="rounded,filled",color="#57606a",fillcolor="#f5f5f5"',
  visible: 'shape=box,style=filled,color="#1a7f37",fillcolor="#dafbe1",penwidth=2',
  gated: 'shape=hexagon,style="dashed,filled",color="#9a6700",fillcolor="#fff8c5"',
  missing: 'shape=ellipse,style="dotted,filled",penwidth=2,color="#cf222e",fillcolor="#ffebe9"',
}

const arrows: Readonly<Record<PartState, string>> = {
  plain: 'style=solid,color="#57606a"',
  visible: 'style=bold,color="#1a7f37"',
  gated: 'style=dashed,color="#9a6700"',
  missing: 'style=dotted,penwidth=2,color="#cf222e",arrowhead=tee',
}

export function dotOf(picture: Picture): string {
  const { nodes, edges } = picture
  return [
    'digraph {',
    '  graph [rankdir=LR,charset="UTF-8"]',
    '  node [fontname="Helvetica,Arial,sans-serif"]',
    '  edge [fontname="Helvetica,Arial,sans-serif",fontsize=10]',
    ...nodes.map((node, place) => {
      return `  n${place} [label=${quoted(nodeLines(node))},${boxes[node.state]}]`
    }),
    ...edges.map((edge) => {
      const { source, target, state } = edge
      return `  n${source} -> n${target} [label=${quoted(edgeLines(edge))},${arrows[state]}]`
    }),
    ...legendText(picture),
    '}',
  ].join('\n')
}

function legendText(picture: Picture): readonly string[] {
  const legend = legendOf(picture)
  if (legend.length === 0) return []
  return [
    '  subgraph cluster_legend {',
    '    label="legend"',
    ...legend.map(({ state, text }, place) => {
      return `    k${place} [label=${quoted([text])},${boxes[state]}]`
    }),
    ...legendEdges.map(({ state, text }, place) => {
      const next = (place + 1) % legendEdges.length
      return `    k${place} -> k${next} [label=${quoted([text])},${arrows[state]}]`
    }),
    '  }',
  ]
}

function quoted(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('\\n')}"`
}

/** Graphviz reads `\N` and `&amp;` in a label, and a quotation mark ends it. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;')
}
