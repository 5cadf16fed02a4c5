// What boxes and arrows say, line by line. Anyone who named something, what is read here is its
// name and nothing that hides, reverses or breaks a line.
import { short } from '#record/quote'
import type { PartState, Picture, PictureEdge, PictureNode } from './picture.ts'

const charactersMax = 80
const policiesShownMax = 3

// Controls, halves of characters, and format characters such as those that reverse writing.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu

export function nodeLines({ name, level, notes }: PictureNode): readonly string[] {
  return [name, ...(level === null ? [] : [`D${level}`]), ...notes].map(seen)
}

export function edgeLines({ relation, policies }: PictureEdge): readonly string[] {
  const shown = policies.slice(0, policiesShownMax).map((name) => seen(`policy ${name}`))
  const more = policies.length - shown.length
  const rest = more === 0 ? [] : [`and ${more} more`]
  if (relation === null) return ['no way', ...shown, ...rest]
  const { type, sourceDepth, targetDepth } = relation
  return [`${type} D${sourceDepth} → D${targetDepth}`, ...shown, ...rest]
}

/** A text in which nothing is hidden, cut short. */
function seen(text: string): string {
  const shown = text.replaceAll(unseen, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
  return short(shown, charactersMax)
}

export interface LegendNode {
  readonly state: PartState
  readonly text: string
}

const legendNodes: readonly LegendNode[] = [
  { state: 'visible', text: 'visible: known as deeply as is asked' },
  { state: 'gated', text: 'gated: known, and not deeply enough' },
  { state: 'missing', text: 'missing: not known' },
]

/** What the arrows between the first and the second, the second and the third, and back mean. */
export const legendEdges: readonly LegendNode[] = [
  { state: 'visible', text: 'counts' },
  { state: 'gated', text: 'written, does not count' },
  { state: 'missing', text: 'no way' },
]

/** What the states mean; nothing where all is plain. */
export function legendOf({ nodes, edges, omitted }: Picture): readonly LegendNode[] {
  if ([...nodes, ...edges].every(({ state }) => state === 'plain')) return []
  if (omitted === 0) return legendNodes
  return [...legendNodes, { state: 'plain', text: `${omitted} more were not recorded` }]
}
