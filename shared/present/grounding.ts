// A grounding as text for anyone who must decide on it: what was known, what did not count, what is
// missing and how to fix it. It never says more than was looked at, and never that something is
// allowed.
import type { Ground } from '#schemas/facts'
import type { Gap, PathwayEdge } from '#schemas/graph'
import { find, type Graph } from '#knowledge/graph/revision'
import type { LevelRecord } from '#knowledge/graph/record'
import { quoted, short } from '#record/quote'
import type { GroundingAnswer } from '#knowledge/grounding/ground'
import { depthText, gapText, levelText, levelsBetween, missingText } from './gap.ts'

/** What an answer leaves out, if it was cut before it was kept. */
interface Omitted {
  readonly gapsOmitted?: number | undefined
  readonly pathwayOmitted?: number | undefined
}

const entriesMax = 24
/** Of one level, where it is shown in short: to people, beside what they are asked. */
const shortMax = 320
/** Of one level at most, as a model reads it. */
const wholeMax = 8_000

/** Names and properties may be anything: no control character of theirs gets into the text. */
export function groundingText(
  graph: Graph,
  answer: GroundingAnswer & Omitted,
  levelMax: number = wholeMax,
): string {
  const sections = [
    [headline(answer)],
    section('Missing', answer.gaps, (gap) => fixText(graph, gap), answer.gapsOmitted),
    section('Known', askedFirst(answer), (each) => knowledge(graph, each, levelMax)),
    section('Related', answer.pathway, edgeText, answer.pathwayOmitted),
    section('Written, but not counted', answer.gated, gatedText),
  ]
  const written = sections.filter((lines) => lines.length > 0)
  return written.map((lines) => lines.join('\n')).join('\n\n')
}

/** What is known of what an intent asks about. */
export function knownText(graph: Graph, ground: Ground | null, levelMax = wholeMax): string {
  return ground === null ? 'nothing had to be known' : groundingText(graph, ground, levelMax)
}

/** The same in short, for who is asked about it. */
export function knownInShort(graph: Graph, ground: Ground | null): string {
  return knownText(graph, ground, shortMax)
}

function headline(answer: GroundingAnswer): string {
  const names = [...new Set(answer.resolved)].map(quoted)
  if (names.length === 0) return 'Not grounded: nothing was asked about.'
  const more = names.length > entriesMax ? `, and ${names.length - entriesMax} more` : ''
  const asked = `${names.slice(0, entriesMax).join(', ')}${more}`
  const claim = 'All that is needed here is known as deeply as is asked.'
  return answer.grounded ? `Grounded: ${asked}. ${claim}` : `Not grounded: ${asked}.`
}

function section<Item>(
  title: string,
  items: readonly Item[],
  say: (item: Item) => string,
  omitted = 0,
): readonly string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, entriesMax)
  const left = items.length - shown.length + omitted
  return [
    title,
    ...shown.map((item) => `  ${say(item)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ]
}

type Visible = GroundingAnswer['visible'][number]

function askedFirst({ resolved, visible }: GroundingAnswer): readonly Visible[] {
  const asked = new Set(resolved)
  const isAsked = ({ name }: Visible): boolean => asked.has(name)
  return [...visible.filter(isAsked), ...visible.filter((each) => !isAsked(each))]
}

/** What is written of a primitive, down to the level it is known to and no deeper. */
function knowledge(graph: Graph, { name, level: reached }: Visible, levelMax: number): string {
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

function edgeText({ source, type, target, sourceDepth, targetDepth }: PathwayEdge): string {
  return `${quoted(source)} (D${sourceDepth}) ${type} ${quoted(target)} (D${targetDepth})`
}

function gatedText(edge: PathwayEdge): string {
  const reason = `${quoted(edge.source)} is not known down to D${edge.sourceDepth}`
  return `${edgeText(edge)}, since ${reason}`
}

function fixText(graph: Graph, gap: Gap): string {
  switch (gap.kind) {
    case 'DEPTH':
      return `${missingText(gap)}: ${describing(graph, gap.primitive, gap)}.`
    case 'RELATIONAL':
      return `${missingText(gap)}: ${describing(graph, gap.target, gap)}.`
    default:
      return `${gapText(gap)}.`
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
