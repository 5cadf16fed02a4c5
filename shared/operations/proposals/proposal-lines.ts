// One proposal for people: what is asked, who met it, what waits for it, what is known around it,
// and what became of it.
import { suggestionFaultText } from '#present/candidate'
import { levelsText } from '#present/gap'
import { indented, indentedLines, toned, type Line } from '#present/lines'
import { candidateLines, wantedText } from '#present/proposal'
import { duration, jsonText, said } from '#present/wording'
import { listed, quoted } from '#record/quote'
import type { GraphOperation, Primitive } from '#schemas/graph'
import type { Candidate, ProposalData } from '#schemas/learning'
import type { ProposalRow } from '#schemas/operations/proposals'
import type { OperationAnswer } from '#schemas/operations/table'
import { operationLines } from './operation-lines.ts'
import { becameText, shortProposal, waitsForIt } from './proposals.ts'
import { heldLines } from './release-lines.ts'

const oddText = 'has letters of several scripts, or characters that do not show'

const labelWidth = 12

function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}

function block(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => row(index === 0 ? label : '', line))
}

export function proposalOnScreen(answer: OperationAnswer<'proposal'>): readonly Line[] {
  const { proposal, operations } = answer
  return [
    ...askedLines(answer),
    ...(operations === null ? [] : bindingLines(operations)),
    ...(proposal.state === 'open' ? howToAnswerLines(proposal) : becameLines(answer)),
  ]
}

/** What is asked, by whom it is needed, and what is known around it. */
export function askedLines({
  proposal,
  around,
  now,
}: Omit<OperationAnswer<'proposal'>, 'operations'>): readonly Line[] {
  const { proposal: id, name, askedAt, data, met, waiting, releases } = proposal
  const { intent, template, query, round, graphRevision } = data
  const again = round === 1 ? '' : `, for the ${round}. time`
  const deeply = query.minDepth === undefined ? '' : `, each down to D${query.minDepth}`
  const age = duration(Math.max(0, Date.parse(now) - Date.parse(askedAt)))
  return [
    toned('warn', `PROPOSAL ${shortProposal(id)}  ${wantedText(template)}`),
    row('asked', `${age} ago${again}`),
    row(
      'met by',
      `${listed(
        met.map(({ agent }) => agent),
        'and',
      )}, at revision ${graphRevision}`,
    ),
    row('intent', intent.address),
    row('gap', templateText(data)),
    row('needed for', `a call about ${listed(query.concepts, 'and')}${deeply}`),
    ...(waiting.length === 0
      ? [row('waiting', waitsForIt(proposal))]
      : block('waiting', heldLines(waiting, releases))),
    ...block('known', around.about.flatMap(primitiveLines)),
    ...(around.unknown.length === 0 ? [] : [row('unknown', around.unknown.map(quoted).join(', '))]),
    ...around.like.map(({ name: meant, near }) => {
      return toned('warn', row('', `${quoted(meant)} may be meant as ${listed(near, 'or')}`))
    }),
    ...around.odd.map((odd) => toned('warn', row('', `${quoted(odd)} ${oddText}`))),
    ...block('near it', around.near.flatMap(primitiveLines)),
    ...(around.more ? [row('', 'and more')] : []),
    ...suggestionLines(proposal),
    toned('dim', row('shown', data.digest)),
    toned('dim', row('proposal', name)),
  ]
}

function templateText({ template }: ProposalData): string {
  switch (template.kind) {
    case 'EXISTENCE': {
      const { candidates, levels } = template
      const perhaps = candidates === undefined ? '' : `; it may be ${listed(candidates, 'or')}`
      return `EXISTENCE: it is not in the graph; ${levelsText(levels)} will do${perhaps}`
    }
    case 'DEPTH': {
      const are = template.levels.length === 1 ? 'is' : 'are'
      return `DEPTH: it is not known deeply enough; ${levelsText(template.levels)} ${are} missing`
    }
    case 'RELATIONAL':
      return `RELATIONAL: an edge of ${quoted(template.source)} needs more of it`
    case 'REACHABILITY':
      return 'REACHABILITY: nothing ties them; one edge will do, also to what they need'
    case 'CONSTRAINT':
      return 'CONSTRAINT: a call was allowed and failed; a CONSTRAINED_BY edge may say why'
  }
}

/** A primitive, its levels, what they say and how they relate. */
function primitiveLines({ name, depths }: Primitive): readonly string[] {
  return [
    quoted(name),
    ...depths.flatMap(({ level, properties, relata }) => [
      `  ${levelsText([level])}`,
      ...Object.entries(properties).map(([key, value]) => `    ${key}: ${valueText(value)}`),
      ...relata.map((edge) => `    ${edge.type} → ${quoted(edge.target)} (D${edge.targetDepth})`),
    ]),
  ]
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? said(value) : jsonText(value)
}

function suggestionLines({ suggestions, failed }: ProposalRow): readonly Line[] {
  const latest = suggestions.at(-1)
  const lines =
    latest === undefined
      ? []
      : block('model', [
          `${quoted(latest.by)} proposes:`,
          ...indented(candidateLines(latest.candidate).join('\n')),
        ])
  if (failed !== null) {
    const why = suggestionFaultText(failed.fault)
    return [...lines, row('model', `${quoted(failed.by)} had no usable answer: ${why}`)]
  }
  return latest === undefined ? [row('model', 'none has answered')] : lines
}

export function candidateBlock(candidate: Candidate): readonly Line[] {
  return block('you say', candidateLines(candidate))
}

/** What would be bound. */
export function bindingLines(operations: readonly GraphOperation[]): readonly Line[] {
  return ['  it would bind', ...indentedLines(operationLines(operations))]
}

function becameLines({ proposal, now }: OperationAnswer<'proposal'>): readonly Line[] {
  const text = becameText(proposal, Date.parse(now))
  const candidate = proposal.ruled?.candidate ?? null
  if (candidate === null) return [row('became', text)]
  return block('became', [text, ...indented(candidateLines(candidate).join('\n'))])
}

function howToAnswerLines({ proposal, suggestions }: ProposalRow): readonly Line[] {
  const ways = [...(suggestions.length > 0 ? ['accept'] : []), 'teach', 'skip', 'reject']
  const short = shortProposal(proposal)
  return block(
    'answer',
    ways.map((way) => `warrant proposals ${way} ${short}`),
  )
}
