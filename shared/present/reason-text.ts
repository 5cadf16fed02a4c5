// Each reason code in English, from its params: one sentence without a full stop. It adds nothing
// that the reason does not hold.
import { unreachable } from '#record/fault'
import type { Reason, ReasonCode, ReasonParams } from '#schemas/reasons'
import { budgetText, uncountedText } from './budget-text.ts'
import { faultText, sessionMissing } from './fault-text.ts'
import { builtInRules } from '#schemas/rules/built-in'
import { listed, nearest, quoted } from '#record/quote'
import { expectedText, identifierText } from './schema-text.ts'
import { unknownText } from './asking/value-text.ts'
import { counted, duration, said } from './wording.ts'

export function reasonText(reason: Pick<Reason, 'code' | 'params'>): string {
  const { actingFor } = reason.params
  const text = ownText(reason)
  return actingFor === undefined ? text : `for ${quoted(actingFor)}, for whom it acts: ${text}`
}

function ownText({ code, params }: Pick<Reason, 'code' | 'params'>): string {
  switch (code) {
    case 'malformed_message':
      return `the message is not valid: ${issuesText(params)}`
    case 'sender_mismatch':
      return 'the message is not from the sender under whose name it was published'
    case 'unknown_agent':
      return `unknown agent${named(params.principal)}`
    case 'agent_moving':
      return 'the agent is being moved to another cell'
    case 'other_cell':
      return cellText(params)
    case 'message_blocked':
      return blockText(params)
    case 'context_gate_failed':
      return gateText
    case 'agent_suspended':
    case 'capability_suspended':
    case 'standing_refused':
      return stoppedText(params, code)
    case 'delegation_refused':
    case 'subject_refused':
      return code === 'subject_refused' ? subjectText(params) : delegationText(params)
    case 'too_many_open':
      return `the agent has ${counted(params.max ?? 0, 'open intent')} already`
    case 'unknown_capability':
      return `the catalog has no capability${named(params.tool)}`
    case 'invalid_arguments':
      return argumentsText(params)
    case 'duplicate_request':
      return `an equal intent is open${named(addressIn(params.fact))}`
    case 'not_permitted':
      return listText(params)
    case 'missing_role':
      return rolesText(params)
    case 'memory_write_requires_writer':
    case 'memory_sensitive_read_denied':
      return roleText(params, code)
    case 'missing_tenant_attribute':
      return attributeText(params)
    case 'invalid_constraint':
      return `the constraint at ${quoted(params.path ?? '')} must be a whole number`
    case 'ungrounded':
      return gapsText(params)
    case 'policy_faulted':
      return faultedText(params)
    case 'policy_blocked':
      return params.message ?? `the rule ${ruleName(params)} refuses it`
    case 'value_unknown':
      return params.value === undefined ? 'a value is not known' : unknownText(params.value)
    case 'insufficient_justification':
      return justificationText(params)
    case 'rate_limited':
      return limitText(params)
    case 'budget_invalid':
    case 'budget_exceeded':
      return code === 'budget_invalid' ? uncountedText(params) : budgetText(params)
    case 'no_confirmer':
      return `approval is required, and ${noConfirmerText(params)}`
    case 'declined':
      return declinedText(params)
    case 'review_stale':
    case 'review_expired':
      return code === 'review_stale' ? staleText(params) : 'no one approved it in time'
    case 'withdrawn':
      return withdrawnText(params)
    default:
      return unreachable(code)
  }
}

const gateText =
  'the message has too little behind it: cite more, name only known constraints; or its session ' +
  'has more messages than are read: begin a new one'

function faultedText(params: ReasonParams): string {
  const { cause, fact = '' } = params
  if (cause === 'set_aside') return `deciding about it took too long, as ${quoted(fact)} says`
  return `the check of ${ruleName(params)} failed to run: ${whyText(params)}`
}

function withdrawnText({ cause }: ReasonParams): string {
  if (cause === 'replaced') return 'a later intent, which gives the reason, took its place'
  return cause === 'correction' ? 'the agent corrected it' : 'the agent withdrew it'
}

function cellText({ cell }: ReasonParams): string {
  return cell === undefined ? 'the realm has one log, and no cells' : `the agent is in cell ${cell}`
}

function listText({ cause, tool, actingFor }: ReasonParams): string {
  return cause === 'deny'
    ? `${whoText(actingFor)} is on the list of those who may not use${named(tool)}`
    : `${whoText(actingFor)} is not on the list of those who may use${named(tool)}`
}

function whoText(actingFor: string | undefined): string {
  return actingFor === undefined ? 'the agent' : quoted(actingFor)
}

/** By what is wrong with the delegation; `who` is its sender. */
const delegationFaults = new Map<string, (who: string) => string>([
  ['not_found', () => 'no delegation stands under that name before the intent'],
  ['malformed', () => 'the message that it cites is no delegation'],
  ['other_session', () => 'the delegation is not of the session in which it asks'],
  ['not_signed', (who) => `the delegation is not signed as ${who} must sign`],
  ['other_agent', (who) => `the delegation of ${who} is to another agent`],
  ['circular', (who) => `the chain of delegations comes back to ${who}`],
  ['too_long', () => 'the chain has more than 4 delegations'],
  ['wider', (who) => `what was handed on is more than ${who} had delegated`],
  ['ended', (who) => `the delegation of ${who} has ended`],
  ['withdrawn', (who) => `${who} has withdrawn the delegation`],
  ['unread', () => 'the session is too long to know whether the delegation still counts'],
  ['unknown_principal', (who) => `the catalog has no ${who}, who delegated it`],
  ['suspended', (who) => `${who}, who delegated it, is suspended`],
  ['revoked', (who) => `what ${who} had delegated was revoked`],
  ['blocked', (who) => `${who}, who delegated it, is blocked`],
  ['condition', () => 'the condition of a delegation is not met'],
  ['nothing_left', () => 'what is delegated leaves no field that may be read'],
])

function staleText({ cause, fact }: ReasonParams): string {
  return cause === 'spoilt'
    ? `what stands where its answers would counts for nothing, again and again; the last: ${fact}`
    : 'what was approved is no longer what would be done'
}

function subjectText({ cause }: ReasonParams): string {
  return cause === 'delegated'
    ? 'an evaluation cites no delegation: ask for its subject alone'
    : 'the catalog does not let the caller ask about that subject'
}

function delegationText({ cause = '', principal, tool }: ReasonParams): string {
  if (cause === 'capability') return `a delegation does not cover${named(tool)}`
  const who = principal === undefined ? 'its sender' : quoted(principal)
  return delegationFaults.get(cause)?.(who) ?? 'the delegation that it cites does not count'
}

function ruleName({ policy, rule }: ReasonParams): string {
  return quoted(policy ?? rule ?? '')
}

/** The address of the intent that a message opens: what follows its kind. */
function addressIn(message: string | undefined): string | undefined {
  return message?.split('.').slice(3).join('.')
}

function whyText({ fault }: ReasonParams): string {
  return fault === undefined ? 'unknown' : faultText(fault)
}

function attributeText({ sensitivity = 'such', attribute = '', actingFor }: ReasonParams): string {
  const lacks = `${whoText(actingFor)} lacks`
  return `${sensitivity} tools require the attribute ${quoted(attribute)}, which ${lacks}`
}

function noConfirmerText({ cause }: ReasonParams): string {
  if (cause === 'arguments_too_large') return 'the arguments are too large to be shown'
  if (cause === 'not_asked') return 'what is only evaluated or observed asks no one'
  if (cause === 'session_missing') return `who asked the agent is not known: ${sessionMissing}`
  return 'there is no one who may give it'
}

function named(name: string | undefined): string {
  return name === undefined ? '' : ` ${quoted(name)}`
}

function issuesText({ issues = [] }: ReasonParams): string {
  if (issues.length === 0) return 'nothing in it can be believed'
  return issues
    .map(({ code, path, cause }) => {
      if (cause !== undefined) return identifierText(cause)
      // The grounding beside it has the cause, which this reason lacks.
      const isAhead = code === 'schema_invalid' && path === '/payload/intent/freshAt'
      return isAhead
        ? `${quoted(path)} names no position that the log has reached`
        : `${code} at ${quoted(path)}`
    })
    .join(', ')
}

function argumentsText({ path = '', keyword = '', expected = {} }: ReasonParams): string {
  const at = path.replace(/^\/args/, '')
  const within = at === '' ? '' : ` in ${quoted(at)}`
  const unknown = expected['additionalProperty'] ?? expected['unevaluatedProperty']
  const [given, known] = [textsIn(expected['unknown']), textsIn(expected['known'])]
  if (typeof unknown === 'string') {
    return `unknown argument ${quoted(unknown)}${within}${meantText([unknown], known)}`
  }
  const missing = expected['missingProperty']
  if (typeof missing === 'string') {
    const many = given.length === 1 ? 'argument' : 'arguments'
    const beside = given.length === 0 ? '' : `, unknown ${many} ${listed(given, 'and')}`
    return `missing argument ${quoted(missing)}${within}${beside}${meantText(given, known)}`
  }
  const where = at === '' ? 'the arguments' : `the argument ${quoted(at)}`
  return `${where} ${expectedText(keyword, expected)}`
}

function textsIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : []
  return all.filter((one) => typeof one === 'string')
}

/** What names that the schema does not know may have been meant as; else what it knows. */
function meantText(unknown: readonly string[], known: readonly string[]): string {
  const near = [...new Set(unknown.flatMap((name) => nearest(known, name)))]
  if (near.length > 0) return `; did you mean ${listed(near, 'or')}?`
  return known.length === 0 ? '' : `; it takes ${listed(known, 'and')}`
}

function rolesText({ needs = [] }: ReasonParams): string {
  const texts = needs.map(({ by, roles }) => `${by} tools require the role ${listed(roles, 'or')}`)
  return texts.length === 0 ? 'a role is missing' : texts.join(', and ')
}

function roleText({ needs = [] }: ReasonParams, code: ReasonCode): string {
  const isWrite = code === 'memory_write_requires_writer'
  const what = isWrite ? 'writing memory' : 'reading sensitive memory'
  const roles = needs.flatMap((need) => need.roles)
  return roles.length === 0
    ? `${what} requires a role`
    : `${what} requires the role ${listed(roles, 'or')}`
}

function gapsText({ gaps = [], gapsOmitted = 0 }: ReasonParams): string {
  const count = gaps.length + gapsOmitted
  const things = count === 1 ? 'one thing it needs is' : `${count} things it needs are`
  return `${things} not known well enough`
}

const usualCharacters = builtInRules.justificationCharacters

function justificationText({ cause, max = usualCharacters }: ReasonParams): string {
  const whose = cause === 'approval' ? 'the approval' : 'the request'
  return `${whose} gives no reason of at least ${max} characters`
}

function limitText({ max, windowMs }: ReasonParams): string {
  if (max === undefined || windowMs === undefined) return 'the limit of uses is reached'
  return `the limit is reached: ${counted(max, 'use')} in ${duration(windowMs)}`
}

function declinedText({ principal, note }: ReasonParams): string {
  const who = principal === undefined ? 'a confirmer' : quoted(principal)
  return note === undefined ? `${who} declined it` : `${who} declined it: ${said(note)}`
}

function blockText({ cause, principal }: ReasonParams): string {
  return cause === 'sender'
    ? `${quoted(principal ?? '')} has blocked this agent`
    : 'the message marks itself as blocked'
}

function stoppedText(params: ReasonParams, code: ReasonCode): string {
  const { principal = '', tool = '', cause, standing = 0, level = 'suspended' } = params
  if (code === 'capability_suspended') {
    return `${quoted(tool)} is suspended until a person has looked at it`
  }
  const value = standing.toFixed(2)
  if (code === 'standing_refused') {
    return `a standing of ${value} (${level}) does not do for ${quoted(tool)}`
  }
  const by = cause === 'standing' ? ` by its standing of ${value}` : ''
  return `${quoted(principal)} is suspended${by}`
}
