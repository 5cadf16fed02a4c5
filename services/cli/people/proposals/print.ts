// Proposals for people and for programs: what is asked, who met it, what waits for it, what is
// known around it, and what became of it.
import type { Suggestions } from '#messages/learning/learning'
import type { Candidate, MetBy, ProposalData, RulingWord } from '#schemas/learning'
import type { GraphOperation, Primitive } from '#schemas/graph'
import type { ShownRelease } from '#runtime/learning/releases'
import type { Around } from '#messages/learning/around'
import { listed, quoted } from '#record/quote'
import { suggestionFaultText } from '#present/candidate'
import { levelsText } from '#present/gap'
import { candidateLines, suggestionNote, wantedText } from '#present/proposal'
import { counted, duration, jsonText, said, utc } from '#present/wording'
import { operationLines } from '#cli/rules/editing/change-text'
import type { Hints } from '#cli/terminal/hint'
import { heldLines } from './print-release.ts'
import { indented, indentedLines, toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

/** What a person made of it. */
export interface Ruled {
  readonly by: string
  readonly byOwner: boolean
  readonly word: RulingWord
  readonly at: number
  readonly note: string | null
  readonly candidate: Candidate | null
}

/**
 * `agreed`: it is not in the graph yet. `overtaken`: the graph came to know it otherwise, or takes
 * no more what was agreed to.
 */
export type ProposalState =
  | 'open'
  | 'agreed'
  | 'applied'
  | 'skipped'
  | 'rejected'
  | 'expired'
  | 'overtaken'

export interface ShownProposal {
  readonly id: string
  readonly name: string
  readonly askedAt: number
  readonly data: ProposalData
  readonly state: ProposalState
  /** Every agent that is known to have met it. */
  readonly met: readonly MetBy[]
  readonly suggestions: Pick<Suggestions, 'usable' | 'failed'>
  readonly ruled: Ruled | null
  /** Of the graph, that the ruling became. */
  readonly revision: number | null
  readonly waiting: readonly { readonly intent: string; readonly until: number }[]
}

const shownCharacters = 8
const oddText = 'has letters of several scripts, or characters that do not show'

/** The end of an id, which the commands take for the whole. */
export function shortProposal(id: string): string {
  return id.slice(-shownCharacters)
}

export function proposalTable(proposals: readonly ShownProposal[], now: number): readonly Line[] {
  const isAll = proposals.some(({ state }) => state !== 'open' && state !== 'overtaken')
  const rows = proposals.map((shown) => {
    const { id, askedAt, data, met, suggestions } = shown
    return [
      shortProposal(id),
      data.template.kind,
      duration(Math.max(0, now - askedAt)),
      agentsText(met),
      waitingText(shown),
      `${wantedText(data.template)}${suggestionNote(suggestions)}`,
      ...(isAll ? [becameText(shown, now)] : []),
    ]
  })
  const head = ['proposal', 'gap', 'age', 'met by', 'waiting', 'asked']
  return tableLines(isAll ? [...head, 'became'] : head, rows)
}

function agentsText(met: readonly MetBy[]): string {
  const [first, ...others] = met.map(({ agent }) => agent)
  return others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`
}

function waitingText({ state, waiting }: ShownProposal): string {
  if (waiting.length === 0) return state === 'overtaken' ? 'nothing: it is known by now' : 'nothing'
  const until = Math.max(...waiting.map((one) => one.until))
  return `${counted(waiting.length, 'intent')} until ${utc(until).slice(11)}`
}

/** Such as `added by olga 3 min ago, revision 4 (modified): “as the manual says”`. */
function becameText({ state, ruled, revision }: ShownProposal, now: number): string {
  if (state === 'expired') return 'expired: no one answered in time'
  if (ruled === null) return state === 'open' ? 'open' : 'overtaken: the graph knows it otherwise'
  const owner = ruled.byOwner ? ', the owner,' : ''
  const when = `by ${ruled.by}${owner} ${duration(Math.max(0, now - ruled.at))} ago`
  const note = ruled.note === null ? '' : `: ${said(ruled.note)}`
  switch (state) {
    case 'applied':
      return `added ${when}, revision ${revision} (${ruled.word})${note}`
    case 'agreed':
      return `${ruled.word} ${when}, not in the graph yet${note}`
    case 'overtaken':
      return `${ruled.word} ${when}, but it could no longer be applied${note}`
    default:
      return `${ruled.word} ${when}${note}`
  }
}

export function proposalJson(shown: ShownProposal, releases: readonly ShownRelease[] = []): object {
  const { id, name, askedAt, data, state, met, suggestions, ruled, revision, waiting } = shown
  const { intent, from, round, template, query, digest, graphRevision } = data
  return {
    proposal: id,
    name,
    askedAt: new Date(askedAt).toISOString(),
    state,
    wanted: wantedText(template),
    template,
    query,
    suggestions: suggestions.usable,
    failed: suggestions.failed,
    met,
    intent,
    from,
    round,
    graphRevision,
    digest,
    waiting: waiting.map((one) => {
      const { intent: _, ...release } = releases.find((each) => each.intent === one.intent) ?? {}
      return { intent: one.intent, until: new Date(one.until).toISOString(), ...release }
    }),
    ruled: ruled === null ? null : { ...ruled, at: new Date(ruled.at).toISOString() },
    revision,
  }
}

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
      ? [row('waiting', waitingText(shown))]
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
