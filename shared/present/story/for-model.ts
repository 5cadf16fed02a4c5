// A refusal for the language model that called the tool: what is missing, and what it may do now.
// It never says how to get around a rule, and never that asking differently would do.
import { unreachable } from '#record/fault'
import { builtInRules } from '#schemas/rules/built-in'
import { quoted } from '#record/quote'
import type { Gap } from '#schemas/graph'
import type { Reason } from '#schemas/reasons'
import { gapText } from '../gap.ts'
import { reasonText } from '../reason-text.ts'
import type { Waits } from './waits.ts'
import { duration, utc } from '../wording.ts'

const gapsMax = 16

/** Why the tool did not run. */
export function modelText(tool: string, reasons: readonly Reason[], gaps: readonly Gap[]): string {
  const known = gaps.length > 0 ? gaps : reasons.flatMap(({ params }) => params.gaps ?? [])
  const steps = [...new Set(reasons.map(stepOf))]
  return [
    `The tool ${quoted(tool)} was not run: the call is refused.`,
    'Why:',
    ...reasons.map((reason) => `- ${reasonText(reason)}`),
    ...known.slice(0, gapsMax).map((gap) => `- missing: ${gapText(gap)}`),
    'What to do:',
    ...steps.map((step) => `- ${step}`),
    `- ${never}`,
  ].join('\n')
}

/** It would have run on a warrant that was used. */
export const usedModelText =
  'The tool was not run: this call, or one equal to it, has run already. Do not repeat it.'

const notAgain = 'Do not call the tool again for the same; the answer comes later.'

/**
 * Why the tool has not run yet; `later` is how the decision is found, and `again` how a call brings
 * the reason that it lacks.
 */
export function pendingModelText(
  waits: Waits,
  {
    later = notAgain,
    again = withReason,
  }: { readonly later?: string; readonly again?: string } = {},
): string {
  const { until } = waits
  const when = until === null ? '' : `, until ${utc(until)}`
  const isAsked = waits.for === 'people'
  const what = isAsked ? 'It waits for the approval of a person' : 'It is not decided'
  const lacks = isAsked && waits.reason
  return [
    `The tool has not run. ${what}${when}.`,
    ...(lacks ? ['Only a reason is missing: the call gives none that is long enough.'] : []),
    'What to do:',
    ...(lacks ? [`- ${again}`] : []),
    '- Say that it waits, and go on with what does not depend on it.',
    `- ${lacks ? `Else: ${later.charAt(0).toLowerCase()}${later.slice(1)}` : later}`,
    `- ${never}`,
  ].join('\n')
}

const withReason =
  'Where you know it, call the tool again for the same with the true reason for the call as its ' +
  'justification, in a whole sentence. That takes the place of this call, and no one is asked.'

const never = 'Do not try to reach the same by another tool, in parts, or with other words.'
const person = 'Report this to the person you work for; only people can change it.'

function reasonStep({ max = builtInRules.justificationCharacters }: Reason['params']): string {
  return `State the true reason for the call in at least ${max} characters, or ask for it.`
}

function stepOf({ code, recover, params }: Reason): string {
  switch (code) {
    case 'insufficient_justification':
      return reasonStep(params)
    case 'duplicate_request':
      return 'Wait: the same call is being decided already.'
    case 'declined':
      return 'Accept the answer and report it. Do not ask for the same again on your own.'
    case 'review_expired':
      return 'Report that no one answered. Ask again only if it is still wanted.'
    case 'review_stale':
      return params.cause === 'spoilt' ? person : 'Look at what has changed before you ask again.'
    case 'policy_blocked':
      return 'Report that a rule forbids this call.'
    case 'withdrawn':
      return 'Nothing: the call was taken back.'
    default:
      return stepFor(recover, params)
  }
}

function stepFor(recover: Reason['recover'], params: Reason['params']): string {
  const { waitMs } = params
  switch (recover) {
    case 'never':
      return person
    case 'fix':
      return 'Correct what is named above, and call the tool with what is true.'
    case 'learn':
      return 'Report what is missing: a person has to add it before the call can be allowed.'
    case 'ask':
      return reasonStep(params)
    case 'wait':
      return waitMs === undefined
        ? 'Try again later.'
        : `Try again in ${duration(Math.ceil(waitMs / 1000) * 1000)}, not before.`
    default:
      return unreachable(recover)
  }
}
