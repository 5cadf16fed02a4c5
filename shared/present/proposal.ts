// What learning asks people, in words.
import { unreachable } from '#record/fault'
import type { ResumeReason } from '#schemas/learning'
import type { Suggestions } from '#messages/learning/learning'
import type { Candidate, Template } from '#schemas/learning'
import { listed, quoted } from '#record/quote'
import { levelsText } from './gap.ts'
import { jsonText, said } from './wording.ts'

/** What is asked for, after "asks people". */
export function wantedText(template: Template): string {
  switch (template.kind) {
    case 'EXISTENCE':
      return `what ${quoted(template.primitive)} is`
    case 'DEPTH':
      return `for ${levelsText(template.levels)} of ${quoted(template.primitive)}`
    case 'RELATIONAL': {
      const { levels, primitive, source } = template
      return `for ${levelsText(levels)} of ${quoted(primitive)}, which ${quoted(source)} needs`
    }
    case 'REACHABILITY':
      return `how ${quoted(template.primitive)} and ${listed(template.others, 'or')} relate`
    case 'CONSTRAINT': {
      const { primitives, detail } = template
      return `what constrains ${listed(primitives, 'or')}, since it failed: ${said(detail)}`
    }
  }
}

/** Why an intent need not wait for people to close its gaps. */
export function resumeText({ code, params }: ResumeReason): string {
  const { template, graphRevision } = params
  const wanted = template === undefined ? 'what is missing' : wantedText(template)
  switch (code) {
    case 'skipped':
      return `people left it open ${wanted}`
    case 'rejected':
      return `people will not be asked ${wanted} again`
    case 'full':
      return `too many proposals wait for people already to ask them ${wanted}`
    case 'graph_changed':
      return `the graph answers otherwise as of revision ${graphRevision ?? '?'}`
    case 'expired':
      return `people did not answer in time ${wanted}`
    default:
      return unreachable(code)
  }
}

/** Whether a model has said something to it, as a note behind. */
export function suggestionNote({ usable, failed }: Pick<Suggestions, 'usable' | 'failed'>): string {
  const latest = usable.at(-1)
  if (latest !== undefined) return ` (${quoted(latest.by)} proposes an answer)`
  return failed === null ? '' : ` (${quoted(failed.by)} had no usable answer)`
}

/** A candidate as lines: its levels, then its edge. */
export function candidateLines({ levels, edge }: Candidate): readonly string[] {
  const described = levels.flatMap((added) =>
    added.levels
      .toSorted((one, other) => one.level - other.level)
      .flatMap(({ level, properties }) => [
        `${added.name} ${levelsText([level])}`,
        ...Object.entries(properties).map(([key, value]) => `  ${key}: ${textOf(value)}`),
      ]),
  )
  if (edge === null) return described
  const { source, target, type, sourceLevel, targetLevel } = edge
  return [...described, `${source} (D${sourceLevel}) ${type} → ${target} (D${targetLevel})`]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? said(value) : jsonText(value)
}
