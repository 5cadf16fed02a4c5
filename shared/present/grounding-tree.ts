// A grounding as a tree for people: a concept a line, with a dot for each level down to which it is
// known and a cross for each that lacks; below it what it lacks, its edges and the rules on them;
// at the end what it came to. It shows what the answer says, whatever the graph has become since.
import type { GroundingAnswer } from '#knowledge/grounding/ground'
import { visible } from '#record/quote'
import type { Ground } from '#schemas/facts'
import type { Gap, PathwayEdge, PlacedPolicy } from '#schemas/graph'
import { shortIntent } from './approving.ts'
import { closingText, lacking, lacksText } from './gap.ts'
import { textOfLine, toned, type Line } from './lines.ts'
import { counted } from './wording.ts'

/** What an answer leaves out, if it was cut before it was kept. */
interface Omitted {
  readonly gapsOmitted?: number | undefined
  readonly pathwayOmitted?: number | undefined
}

export type Grounded = GroundingAnswer & Omitted

export interface TreeOptions {
  /** Where all of it is shown, as the end of a sentence; then no more than a screen is shown. */
  readonly rest?: string
  /** The least that closes a gap. */
  readonly closing?: (gap: Gap) => string
}

const conceptsMax = 24
const belowMax = 24
const nameCharactersMax = 80

export function groundingTree(answer: Grounded, options: TreeOptions = {}): readonly Line[] {
  const { rest, closing = closingText } = options
  const concepts = conceptsOf(answer)
  const shown = rest === undefined ? concepts : concepts.slice(0, conceptsMax)
  const left = concepts.slice(shown.length)
  const nameMax = rest === undefined ? Number.POSITIVE_INFINITY : nameCharactersMax
  const isCut = concepts.some(({ name }) => name.length > nameMax)
  const width = Math.max(0, ...shown.map((concept) => dotsOf(concept).length))
  return [
    ...shown.flatMap((concept) => conceptLines(concept, { width, closing, nameMax, rest })),
    ...(left.length === 0 ? [] : [toned('dim', `and ${leftText(left)}: ${rest ?? ''}`)]),
    ...(isCut ? [toned('dim', `names that end in … are whole there: ${rest ?? ''}`)] : []),
    ...omittedLines(answer),
    verdictLine(answer),
  ]
}

/** The same as one text. */
export function treeText(answer: Grounded, options?: TreeOptions): string {
  return groundingTree(answer, options).map(textOfLine).join('\n')
}

/** Of what an intent asks about, as it was found. */
export function treeOfIntent(ground: Ground | null, address: string): string {
  if (ground === null) return 'nothing had to be known'
  return treeText(ground, { rest: `\`warrant graph show --intent ${shortIntent(address)}\`` })
}

/** What the answer says of one name. */
interface Concept {
  readonly name: string
  /** Down to which it is known; null where nothing of it is, or that is not stated. */
  level: number | null
  readonly gaps: Gap[]
  readonly edges: { readonly edge: PathwayEdge; readonly counts: boolean }[]
  readonly rules: PlacedPolicy[]
}

/** What was asked about first, then what lacks something, then the rest in stored order. */
function conceptsOf(answer: Grounded): readonly Concept[] {
  const all = new Map<string, Concept>()
  const of = (name: string): Concept => {
    const there = all.get(name)
    if (there !== undefined) return there
    const made: Concept = { name, level: null, gaps: [], edges: [], rules: [] }
    all.set(name, made)
    return made
  }
  for (const name of answer.resolved) of(name)
  for (const gap of answer.gaps) of(lacking(gap)).gaps.push(gap)
  for (const { name, level } of answer.visible) of(name).level = level
  for (const edge of answer.pathway) of(edge.source).edges.push({ edge, counts: true })
  for (const edge of answer.gated) of(edge.source).edges.push({ edge, counts: false })
  for (const placed of answer.policies) of(placed.source).rules.push(placed)
  return [...all.values()]
}

interface Drawing {
  /** Of the widest dots. */
  readonly width: number
  readonly closing: (gap: Gap) => string
  readonly nameMax: number
  readonly rest: string | undefined
}

function conceptLines(concept: Concept, drawing: Drawing): readonly Line[] {
  const { width, closing, nameMax, rest } = drawing
  const { name, gaps, edges, rules } = concept
  const named = (of: string): string => nameText(of, nameMax)
  const all = [
    ...gaps.map((gap) => toned('bad', `✗ ${lacksText(gap)}: ${closing(gap)}`)),
    ...edges.map(({ edge: { sourceDepth, type, target, targetDepth }, counts }) => {
      const text = `D${sourceDepth} ${type} ${named(target)} D${targetDepth}`
      const why = `does not count, since D${sourceDepth} is not known`
      return counts ? toned('dim', text) : toned('bad', `✗ ${text}: ${why}`)
    }),
    ...rules.map((placed) => toned('plain', ruleText(placed, named))),
  ]
  const below = rest === undefined ? all : all.slice(0, belowMax)
  const left = all.length - below.length
  if (left > 0) below.push(toned('dim', `and ${left} more: ${rest ?? ''}`))
  const head = `${dotsOf(concept).padEnd(width)}  ${named(name)}`
  return [
    toned(gaps.length === 0 ? 'plain' : 'bad', head),
    ...below.map(({ tone, text }, place) => {
      return toned(tone, `  ${place === below.length - 1 ? '└' : '├'} ${text}`)
    }),
  ]
}

/** Levels from D0 on: those that are known, then those that lack. */
function dotsOf({ level, gaps }: Concept): string {
  const known = level === null ? 0 : level + 1
  const needed = gaps.map((gap) => ('required' in gap ? gap.required + 1 : 0))
  const lacks = Math.max(0, ...needed) - known
  const dots = [...Array<string>(known).fill('●'), ...Array<string>(Math.max(0, lacks)).fill('✗')]
  if (dots.length > 0) return dots.join(' ')
  return gaps.length > 0 ? '✗' : '○'
}

function ruleText({ policy, target }: PlacedPolicy, named: (name: string) => string): string {
  const asks = policy.requiresConfirmation ? 'asks a person' : 'asks no one'
  const checks = policy.callback === null ? '' : `, checks ${named(policy.callback)}`
  const when = policy.triggerCardinality === null ? '' : `, for ${policy.triggerCardinality} things`
  return `rule ${named(policy.name)} on ${named(target)}: ${asks}${checks}${when}`
}

const plainName = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:/@-]*$/u

// A name may be anything: one that is no plain word stands between marks that it cannot end.
function nameText(name: string, max: number): string {
  const cut = name.length > max ? `${name.slice(0, max - 1)}…`.toWellFormed() : name
  return plainName.test(cut) ? cut : `\`${visible(cut).replaceAll('`', '’')}\``
}

function leftText(concepts: readonly Concept[]): string {
  const edges = concepts.reduce((sum, each) => sum + each.edges.length, 0)
  const gaps = concepts.reduce((sum, each) => sum + each.gaps.length, 0)
  return [
    counted(concepts.length, 'more concept'),
    ...(edges === 0 ? [] : [counted(edges, 'edge')]),
    ...(gaps === 0 ? [] : [counted(gaps, 'gap')]),
  ].join(', ')
}

function omittedLines({ gapsOmitted = 0, pathwayOmitted = 0 }: Omitted): readonly Line[] {
  const close = 'the log does not keep them: close these, and ask again'
  const look = 'the log does not keep them: `warrant graph show` has the graph'
  return [
    ...(gapsOmitted === 0
      ? []
      : [toned('bad', `and ${counted(gapsOmitted, 'more gap')}; ${close}`)]),
    ...(pathwayOmitted === 0
      ? []
      : [toned('dim', `and ${counted(pathwayOmitted, 'more edge')}; ${look}`)]),
  ]
}

function verdictLine({ grounded, gaps, gapsOmitted = 0, resolved }: Grounded): Line {
  if (resolved.length === 0) return toned('bad', 'not grounded: nothing was asked about')
  if (grounded) return toned('good', 'grounded: all of it is known as deeply as is asked')
  return toned('bad', `not grounded: ${counted(gaps.length + gapsOmitted, 'gap')}`)
}
