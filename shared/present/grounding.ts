// A grounding as text for those who read all of it, a model above all: its tree, with how to close
// what is missing, and what is written of each concept. It never says more than was looked at, and
// never that something is allowed.
import type { Ground } from '#schemas/facts'
import type { Gap } from '#schemas/graph'
import { find, type Graph } from '#knowledge/graph/revision'
import type { LevelRecord } from '#knowledge/graph/record'
import { quoted, short } from '#record/quote'
import type { GroundingAnswer } from '#knowledge/grounding/ground'
import { closingText, depthText, levelText, levelsBetween } from './gap.ts'
import { treeText, type Grounded } from './grounding-tree.ts'

const conceptsMax = 24
/** Of one level at most, as a model reads it. */
const levelMax = 8_000

const restUsual = '`warrant graph show --intent` has all of it'

/** Names and properties may be anything. `rest`: where all of it is shown; null shows all of it. */
export function groundingText(
  graph: Graph,
  answer: Grounded,
  rest: string | null = restUsual,
): string {
  const closing = (gap: Gap): string => closingIn(graph, gap)
  const tree = treeText(answer, { closing, ...(rest !== null && { rest }) })
  const concepts = askedFirst(answer)
  const shown = rest === null ? concepts : concepts.slice(0, conceptsMax)
  const left = concepts.length - shown.length
  return [
    tree,
    ...(shown.length === 0 ? [] : ['', 'Known']),
    ...shown.map((each) => `  ${knowledge(graph, each)}`),
    ...(left === 0 ? [] : [`  and ${left} more: ${rest ?? ''}`]),
  ].join('\n')
}

/** What is known of what an intent asks about. */
export function knownText(graph: Graph, ground: Ground | null): string {
  return ground === null ? 'nothing had to be known' : groundingText(graph, ground)
}

type Visible = GroundingAnswer['visible'][number]

function askedFirst({ resolved, visible }: GroundingAnswer): readonly Visible[] {
  const asked = new Set(resolved)
  const isAsked = ({ name }: Visible): boolean => asked.has(name)
  return [...visible.filter(isAsked), ...visible.filter((each) => !isAsked(each))]
}

/** What is written of a primitive, down to the level it is known to and no deeper. */
function knowledge(graph: Graph, { name, level: reached }: Visible): string {
  if (reached === null) return `${quoted(name)}: ${depthText(null)}`
  const levels = find(graph, name)?.levels ?? []
  const said = levels.filter(({ level, properties }) => level <= reached && hasWords(properties))
  const lines = said.map(({ level, properties }) =>
    short(`    ${levelText(level)}: ${contentText(properties)}`, levelMax),
  )
  return [`${quoted(name)}, ${depthText(reached)}`, ...lines].join('\n')
}

function hasWords(properties: LevelRecord['properties']): boolean {
  return Object.keys(properties).length > 0
}

function contentText(properties: LevelRecord['properties']): string {
  // What it is comes first: whatever is cut, that is not.
  const rank = ([key]: [string, unknown]): number => (key === 'description' ? 0 : 1)
  return Object.entries(properties)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(([key, value]) =>
      key === 'description' ? valueText(value) : `${key}: ${valueText(value)}`,
    )
    .join(' | ')
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join('; ')
  return JSON.stringify(value)
}

function closingIn(graph: Graph, gap: Gap): string {
  switch (gap.kind) {
    case 'DEPTH':
      return describing(graph, gap.primitive, gap)
    case 'RELATIONAL':
      return describing(graph, gap.target, gap)
    default:
      return closingText(gap)
  }
}

interface Shortfall {
  readonly required: number
  readonly current: number | null
}

/** Which levels are to be written. An empty one is pointed at: under `strict` it does not count. */
function describing(graph: Graph, name: string, { required, current }: Shortfall): string {
  const written = new Map(find(graph, name)?.levels.map((level) => [level.level, level]))
  const open = levelsBetween(current, required)
  const absent = open.filter((level) => !written.has(level))
  const empty = open.filter((level) => isEmpty(written.get(level)))
  const steps = [
    ...(absent.length > 0 ? [`describe ${absent.map(levelText).join(', ')}`] : []),
    ...(empty.length > 0 ? [`note that ${empty.map(levelText).join(', ')} is empty`] : []),
  ]
  return steps.join(', and ')
}

function isEmpty(level: LevelRecord | undefined): boolean {
  return level !== undefined && level.relata.length === 0 && !hasWords(level.properties)
}
