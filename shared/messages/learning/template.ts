// What would close the gaps of a question, as templates to be filled in: one for each thing that is
// missing, however many gaps it leaves. Whether two of them ask the same is reported by their key.
import type { Gap, Level } from '#schemas/graph'
import type { Query, Template } from '#schemas/learning'
import { canonical } from '#record/canonical'
import { caseFold } from '#record/case-fold'
import { sha256 } from '#record/crypto/crypto'
import { hasContent, type PrimitiveRecord } from '#knowledge/graph/record'
import { find, type Graph } from '#knowledge/graph/revision'
import { ground, type GroundingAnswer } from '#knowledge/grounding/ground'

/** A question with more gaps is learned in several rounds. */
const templatesMax = 16

/** What is asked about something that no one knows yet: that it is there, and what it is. */
const firstLevels: readonly Level[] = [0, 1]

/**
 * The templates for what the question lacks in this graph; none where it is grounded. An edge is
 * asked for only when everything else is known, since a level that is learned may connect as well.
 */
export function templatesFor(graph: Graph, query: Query): readonly Template[] {
  const answer = answerTo(graph, query)
  const missing = [...existenceTemplates(answer.gaps), ...levelTemplates(graph, answer.gaps)]
  const templates = missing.length > 0 ? missing : edgeTemplates(answer)
  return templates.slice(0, templatesMax)
}

/** What the question lacks in this graph. */
export function gapsFor(graph: Graph, query: Query): readonly Gap[] {
  return answerTo(graph, query).gaps
}

/** What the question is about, and all that it pulls in. */
export function tracedNames(graph: Graph, query: Query): readonly string[] {
  return answerTo(graph, query).visible.map(({ name }) => name)
}

function answerTo(graph: Graph, { concepts, added, minDepth }: Query): GroundingAnswer {
  return ground(graph, { concepts, added, minDepth, profile: 'strict' })
}

function existenceTemplates(gaps: readonly Gap[]): readonly Template[] {
  return gaps.flatMap((gap): Template[] => {
    if (gap.kind !== 'EXISTENCE') return []
    const { primitive, candidates } = gap
    const levels = [...firstLevels]
    return [
      { kind: 'EXISTENCE', primitive, levels, ...(candidates !== undefined && { candidates }) },
    ]
  })
}

// Several gaps may need levels of one primitive: it is asked for once, as deeply as any of them
// needs.
function levelTemplates(graph: Graph, gaps: readonly Gap[]): readonly Template[] {
  const deepest = new Map<string, Extract<Gap, { kind: 'DEPTH' | 'RELATIONAL' }>>()
  for (const gap of gaps) {
    if (gap.kind !== 'DEPTH' && gap.kind !== 'RELATIONAL') continue
    const primitive = gap.kind === 'DEPTH' ? gap.primitive : gap.target
    const before = deepest.get(primitive)
    if (before === undefined || before.required < gap.required) deepest.set(primitive, gap)
  }
  return [...deepest].flatMap(([primitive, gap]): Template[] => {
    const levels = missingLevels(find(graph, primitive), gap.required)
    if (levels.length === 0) return []
    if (gap.kind === 'DEPTH') return [{ kind: 'DEPTH', primitive, levels }]
    return [{ kind: 'RELATIONAL', primitive, source: gap.source, levels }]
  })
}

// A known concept without a gap of its own is in the largest component: whatever else is to be
// reached must be tied to one of those.
function edgeTemplates({ gaps, resolved }: GroundingAnswer): readonly Template[] {
  const apart = gaps.flatMap((gap) => (gap.kind === 'REACHABILITY' ? [gap.primitive] : []))
  if (apart.length === 0) return []
  const others = [...new Set(resolved)].filter((name) => !apart.includes(name))
  return apart.map((primitive) => ({ kind: 'REACHABILITY', primitive, others }))
}

/** The levels up to that one that do not count: they are not there, or say nothing. */
export function missingLevels(
  record: Pick<PrimitiveRecord, 'levels'> | undefined,
  upTo: number,
): Level[] {
  const counting = new Set(record?.levels.filter(hasContent).map(({ level }) => level))
  return Array.from({ length: upTo + 1 }, (_, level) => level).filter((one) => !counting.has(one))
}

/** Equal for two templates that ask the same. */
export function keyOf(template: Template): string {
  switch (template.kind) {
    case 'EXISTENCE':
      return canonical(['EXISTENCE', caseFold(template.primitive)])
    case 'DEPTH':
    case 'RELATIONAL':
      return canonical(['LEVELS', caseFold(template.primitive), template.levels])
    case 'REACHABILITY':
      return canonical(['EDGE', caseFold(template.primitive), folded(template.others)])
    case 'CONSTRAINT':
      return canonical(['CONSTRAINT', folded(template.primitives), template.detail])
  }
}

function folded(names: readonly string[]): readonly string[] {
  return names.map(caseFold).toSorted()
}

const idPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** Whether the text is shaped as the identifier of a proposal. */
export function isProposalId(text: string): boolean {
  return idPattern.test(text)
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idLength = 26

/**
 * The identifier of a proposal, shaped as a ULID. It follows from what is asked and how often, so
 * that any number of workers who ask the same ask once.
 */
export function proposalId(key: string, round: number): string {
  const digest = sha256(canonical([key, round]))
  return Array.from(digest.subarray(0, idLength), (byte) => alphabet[byte & 31]).join('')
}
