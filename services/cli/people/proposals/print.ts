// One proposal for people: what is asked, who met it, what waits for it, what is known around it,
// and what became of it.
import type { Candidate, ProposalData } from '#schemas/learning'
import type { GraphOperation, Primitive } from '#schemas/graph'
import type { ShownRelease } from '#runtime/learning/releases'
import type { Around } from '#messages/learning/around'
import { listed, quoted } from '#record/quote'
import { suggestionFaultText } from '#present/candidate'
import { levelsText } from '#present/gap'
import { becameText, shortProposal, waitsForIt, type ShownProposal } from '#operations/proposals'
import { candidateLines, wantedText } from '#present/proposal'
import { duration, jsonText, said } from '#present/wording'
import { operationLines } from '#cli/rules/editing/change-text'
import type { Hints } from '#cli/terminal/hint'
import { heldLines } from './print-release.ts'
import { indented, indentedLines, toned, type Line } from '#cli/terminal/line'

const oddText = 'has letters of several scripts, or characters that do not show'

const labelWidth = 12

function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}

function block(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => row(index === 0 ? label : '', line))
}

export interface AskedAround {
  readonly around: Around
  /** What of the waiting intents a ruling would sign as seen. */
  readonly releases: readonly ShownRelease[]
  readonly now: number
}

/** What is asked, by whom it is needed, and what is known around it. */
export function askedLines(
  shown: ShownProposal,
  { around, releases, now }: AskedAround,
): readonly Line[] {
  const { id, name, askedAt, data, met } = shown
  const { intent, template, query, round, graphRevision } = data
  const again = round === 1 ? '' : `, for the ${round}. time`
  const deeply = query.minDepth === undefined ? '' : `, each down to D${query.minDepth}`
  return [
    toned('warn', `PROPOSAL ${shortProposal(id)}  ${wantedText(template)}`),
    row('asked', `${duration(Math.max(0, now - askedAt))} ago${again}`),
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
    ...(shown.waiting.length === 0
      ? [row('waiting', waitsForIt(shown))]
      : block('waiting', heldLines(shown.waiting, releases))),
    ...block('known', around.about.flatMap(primitiveLines)),
    ...(around.unknown.length === 0 ? [] : [row('unknown', around.unknown.map(quoted).join(', '))]),
    ...around.like.map(({ name: meant, near }) => {
      return toned('warn', row('', `${quoted(meant)} may be meant as ${listed(near, 'or')}`))
    }),
    ...around.odd.map((odd) => toned('warn', row('', `${quoted(odd)} ${oddText}`))),
    ...block('near it', around.near.flatMap(primitiveLines)),
    ...(around.more ? [row('', 'and more')] : []),
    ...suggestionLines(shown),
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

function suggestionLines({ suggestions: { usable, failed } }: ShownProposal): readonly Line[] {
  const latest = usable.at(-1)
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

export function becameLines(shown: ShownProposal, now: number): readonly Line[] {
  const text = becameText(shown, now)
  const candidate = shown.ruled?.candidate ?? null
  if (candidate === null) return [row('became', text)]
  return block('became', [text, ...indented(candidateLines(candidate).join('\n'))])
}

/** How a person answers it. */
export function howToAnswerLines(
  { id, suggestions }: ShownProposal,
  hints: Hints,
): readonly Line[] {
  const short = shortProposal(id)
  const isAnswered = suggestions.usable.length > 0
  const ways = [
    ...(isAnswered ? [`proposals accept ${short}`] : []),
    `proposals teach ${short}`,
    `proposals skip ${short}`,
    `proposals reject ${short}`,
  ]
  return block('answer', ways.map(hints))
}
