// A judgement in plain sentences for people: what it is, why, and what would help. It adds nothing
// that the judgement does not say.
import { unreachable } from '#record/fault'
import type { Reason, ReasonCode } from '#schemas/reasons'
import type { Judgement } from '#rules/chain/judge'
import { builtInRules } from '#schemas/rules/built-in'
import { quoted } from '#record/quote'
import { gapText } from './gap.ts'
import { constraintTexts } from './asking/constraint-text.ts'
import { questionAsked } from './asking/question-asked.ts'
import { reasonText } from './reason-text.ts'
import { duration, sentence } from './wording.ts'

/** The first sentence is the outcome; then one line for each reason, gap and question. */
export function explain(judgement: Judgement): string[] {
  switch (judgement.outcome) {
    case 'allow':
      return ['It is allowed.', ...constraintLines(judgement)]
    case 'ask':
      return ['A person must give a reason first.', ...judgement.reasons.flatMap(reasonLines)]
    case 'review':
      return [
        'People must approve it first.',
        ...judgement.questions.map((question) => {
          const { policy } = question
          const text = questionAsked(question)
          return policy === undefined ? `- ${text}` : `- ${text} (policy ${quoted(policy)})`
        }),
      ]
    case 'deny':
      return ['It is denied.', ...judgement.reasons.flatMap(reasonLines)]
    default:
      return unreachable(judgement.outcome)
  }
}

function constraintLines({ constraints }: Judgement): string[] {
  return constraintTexts(constraints).map((text) => `- ${text}`)
}

function reasonLines(reason: Reason): string[] {
  const { code, params } = reason
  const { gaps = [], gapsOmitted } = params
  const lines = [
    `- ${code}: ${sentence(reasonText(reason))} ${recovery(reason)}`,
    ...gaps.map((gap) => `  - ${gapText(gap)}`),
  ]
  if (gapsOmitted !== undefined) lines.push(`  - and ${gapsOmitted} more`)
  return lines
}

function recovery({ code, recover, params }: Reason): string {
  const { waitMs, max = builtInRules.justificationCharacters } = params
  switch (recover) {
    case 'never':
      if (params.cause === 'not_asked') return 'Asked for in earnest, people are asked.'
      if (code === 'agent_suspended' && params.cause === 'standing') {
        return 'Ask a policy admin to reinstate it.'
      }
      return remedies[code] ?? 'Retrying unchanged will not help.'
    case 'fix':
      return fixes[code] ?? 'Change the intent and ask again.'
    case 'learn':
      return 'It can be allowed once this is known:'
    case 'ask':
      return `A reason of at least ${max} characters would do.`
    case 'wait':
      return waitMs === undefined ? 'Try again later.' : `Try again in ${waitText(waitMs)}.`
    default:
      return unreachable(recover)
  }
}

/** What to change, where it is not what is wrong with the request itself. */
const fixes: Readonly<Partial<Record<ReasonCode, string>>> = {
  delegation_refused: 'Cite a delegation that counts, or none, to ask for the agent alone.',
  unknown_capability:
    'Ask for one that it has (`warrant shortlist`), or have it written into `catalog.json`.',
  duplicate_request: 'Wait for the verdict on that one, or say `distinct: true` to ask again.',
}

/** Who can help, where the agent itself cannot. */
const remedies: Readonly<Partial<Record<ReasonCode, string>>> = {
  unknown_agent: 'Ask a policy admin to add it to the catalog.',
  other_cell: 'Publish to the cell that the agent is in, with the credentials of that cell.',
  agent_suspended: 'Ask a policy admin to lift the suspension.',
  subject_refused: 'Ask a policy admin to name it in `evaluates` of the caller.',
  capability_suspended: 'Ask a policy admin to look at what changed, and to accept it.',
  not_permitted: 'Ask a policy admin to let the agent use it.',
  standing_refused: 'It has to earn a better standing by verified work.',
  missing_role: 'Ask a policy admin for the role.',
  memory_write_requires_writer: 'Ask a policy admin for the role.',
  memory_sensitive_read_denied: 'Ask a policy admin for the role.',
  missing_tenant_attribute: 'Ask a policy admin to set it.',
  budget_invalid: 'Ask a policy admin to set what it counts for.',
  budget_exceeded: 'It can never be allowed: ask for less.',
  policy_faulted: 'Ask the author of the policy to fix its check.',
  no_confirmer: 'Ask a policy admin to name someone who may.',
}

// Rounded up: trying a moment too early is refused again.
function waitText(waitMs: number): string {
  return duration(Math.ceil(waitMs / 1000) * 1000)
}
