// Each reason code in English, from its params: one sentence without a full stop. It adds nothing
// that the reason does not hold.
import { unreachable } from '#core/fault'
import type { Question } from '#schemas/facts'
import type { Reason, ReasonParams } from '#schemas/reasons'
import { faultText } from './fault-text.ts'
import { justificationCharactersMin } from '#core/judge/justification'
import { listed, quoted } from '#core/judge/quote'

export function reasonText({ code, params }: Pick<Reason, 'code' | 'params'>): string {
  switch (code) {
    case 'malformed_message':
      return `the message is not valid: ${issuesText(params)}`
    case 'sender_mismatch':
      return 'the message is not from the sender under whose name it was published'
    case 'unknown_agent':
      return `the catalog has no agent${named(params.principal)}: add it to the principals`
    case 'message_blocked':
      return params.cause === 'sender'
        ? `${quoted(params.principal ?? '')} has stopped this agent`
        : 'the message itself says that it must be blocked'
    case 'context_gate_failed':
      return 'the message has too little behind it: cite more, name only known constraints'
    case 'agent_suspended':
      return `${quoted(params.principal ?? '')} is suspended`
    case 'too_many_open':
      return `the agent has ${params.max ?? 0} intents open already`
    case 'unknown_capability':
      return `the catalog has no capability${named(params.tool)}`
    case 'invalid_arguments':
      return argumentsText(params)
    case 'missing_role':
    case 'memory_write_requires_writer':
    case 'memory_sensitive_read_denied':
      return rolesText(params)
    case 'missing_tenant_attribute':
      return `${params.sensitivity ?? 'it'} needs the attribute ${quoted(params.attribute ?? '')}`
    case 'invalid_constraint':
      return `the constraint at ${quoted(params.path ?? '')} must be a whole number`
    case 'ungrounded':
      return gapsText(params)
    case 'policy_faulted':
      return `the check of ${quoted(params.policy ?? '')} failed to run: ${whyText(params)}`
    case 'policy_blocked':
      return params.message ?? `the policy ${quoted(params.policy ?? '')} refuses it`
    case 'insufficient_justification':
      return justificationText(params)
    case 'rate_limited':
      return limitText(params)
    case 'no_confirmer':
      return params.cause === 'arguments_too_large'
        ? 'people must agree, and the arguments are too large to be shown to them'
        : 'people must agree, and no one is there who may'
    case 'declined':
      return declinedText(params)
    case 'review_stale':
      return 'what people agreed to is no longer what would be done'
    case 'review_expired':
      return 'the time for people to answer is over'
    case 'withdrawn':
      return params.cause === 'correction'
        ? 'the agent has corrected it'
        : 'the agent has withdrawn it'
    default:
      return unreachable(code)
  }
}

function whyText({ fault }: ReasonParams): string {
  return fault === undefined ? 'unknown' : faultText(fault)
}

function named(name: string | undefined): string {
  return name === undefined ? '' : ` ${quoted(name)}`
}

function issuesText({ issues = [] }: ReasonParams): string {
  if (issues.length === 0) return 'nothing in it can be believed'
  return issues.map(({ code, path }) => `${code} at ${quoted(path)}`).join(', ')
}

function argumentsText({ path = '', keyword = '', expected = {} }: ReasonParams): string {
  const at = path.replace(/^\/args/, '')
  const where = at === '' ? 'the arguments' : `the argument at ${quoted(at)}`
  return `${where} ${keywordText(keyword, expected)}`
}

/** What a keyword of JSON Schema asks for. */
function keywordText(keyword: string, expected: NonNullable<ReasonParams['expected']>): string {
  const { type, limit, comparison, format, pattern } = expected
  switch (keyword) {
    case 'schema':
      return 'cannot be checked: the schema of the capability cannot be used'
    case 'depth':
      return 'cannot be checked: they are nested too deeply'
    case 'type':
      return `must be ${Array.isArray(type) ? type.map(plain).join(' or ') : plain(type)}`
    case 'required':
      return `must have ${quoted(plain(expected['missingProperty']))}`
    case 'additionalProperties':
      return `must not have ${quoted(plain(expected['additionalProperty']))}`
    case 'unevaluatedProperties':
      return `must not have ${quoted(plain(expected['unevaluatedProperty']))}`
    case 'enum':
      return `must be one of ${JSON.stringify(expected['allowedValues'])}`
    case 'const':
      return `must be ${JSON.stringify(expected['allowedValue'])}`
    case 'format':
      return `must be in the format ${plain(format)}`
    case 'pattern':
      return `must match ${quoted(plain(pattern))}`
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return `must meet ${keyword} ${plain(limit)}`
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${plain(comparison)} ${plain(limit)}`
    case 'uniqueItems':
      return 'must not have equal items'
    default:
      return `must meet ${keyword}`
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function rolesText({ needs = [] }: ReasonParams): string {
  return needs.map(({ by, roles }) => `${by} needs the role ${listed(roles, 'or')}`).join(', and ')
}

function gapsText({ gaps = [], gapsOmitted = 0 }: ReasonParams): string {
  const count = gaps.length + gapsOmitted
  const things = count === 1 ? 'one thing it needs is' : `${count} things it needs are`
  return `${things} not known well enough`
}

function justificationText({ cause, max = justificationCharactersMin }: ReasonParams): string {
  const whose = cause === 'approval' ? 'the approval' : 'the request'
  return `${whose} gives no reason of at least ${max} characters`
}

function limitText({ max, windowMs }: ReasonParams): string {
  if (max === undefined || windowMs === undefined) return 'the limit of uses is reached'
  return `the limit of ${max} uses in ${windowMs / 1000} seconds is reached`
}

function declinedText({ principal, note }: ReasonParams): string {
  const who = principal === undefined ? 'a person who had to agree' : quoted(principal)
  return note === undefined ? `${who} declined` : `${who} declined: ${note}`
}

/** What a person is asked by a question. */
export function questionAsked({ kind, message, policy, source }: Question): string {
  switch (kind) {
    case 'policy':
      return message ?? `${quoted(source ?? policy ?? '')} needs confirmation. Proceed?`
    case 'justification': {
      const min = justificationCharactersMin
      return `why should it run? A reason of at least ${min} characters is needed`
    }
    case 'safety_review':
      return 'the agent marked its own message for review: may it go on?'
    case 'requires_human':
      return 'the agent says that a person must decide: may it go on?'
    case 'unearned_confidence':
      return 'the agent claims high confidence and cites nothing for it: may it go on?'
    default:
      return unreachable(kind)
  }
}
