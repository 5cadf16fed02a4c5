// Whether a JSON value is a VLP/1.1 message, and each place where it is not. It says yes and no
// exactly where the schema in `#schemas/vlp` does, faster and in bounded memory
// (docs/decisions/vlp-envelope.md).
// INVARIANT: both agree on every JSON value: test/messages/vlp-envelope.test.ts.
import { ProvenanceKind, SafetyLevel, VlpType, vlpProtocol } from '#schemas/vlp'
import type { VlpIssueParams, VlpMessage } from '#schemas/vlp'
import { report, type IssueList } from './issue.ts'
import { hasCharacters } from './text.ts'

/** What is wrong with a value: the keyword of JSON Schema and what it expects; null if nothing. */
type Rule = (value: unknown) => VlpIssueParams | null
/** Looks inside: reports each fault below `path` by itself. */
type Inspection = (value: unknown, path: string, findings: IssueList) => void

const types: ReadonlySet<string> = new Set(VlpType.options)
const levels: ReadonlySet<string> = new Set(SafetyLevel.options)
const kinds: ReadonlySet<string> = new Set(ProvenanceKind.options)

const required: readonly (readonly [string, Rule])[] = [
  ['id', text(3)],
  ['protocol', protocolFault],
  ['type', oneOf(types)],
  ['timestamp', text(10)],
  ['sender', text(1)],
  ['content', contentFault],
  ['confidence', confidenceFault],
]

const optional: readonly (readonly [string, Rule])[] = [
  ['session_id', nullable(text(0))],
  ['seq', nullable(seqFault)],
  ['receiver', nullable(text(0))],
  ['topic', nullable(text(0))],
  ['payload', nullable(mapFault)],
  ['_extras', mapFault],
]

const inspected: readonly (readonly [string, Inspection])[] = [
  ['provenance', listOf(inspectProvenance, isText)],
  ['constraints', listOf(inspectText, isText)],
  ['safety', inspectSafety],
  ['refers_to', inspectRefersTo],
  ['keywords', listOf(inspectText, isText)],
]

const provenanceTexts = ['hash', 'excerpt', 'fetched_at']
const issueTexts = ['code', 'detail']

/**
 * The value must be JSON already (`./json.ts`): a property that is `undefined` is taken as absent.
 * The findings must be empty, and stay so for a message.
 */
export function isVlpMessage(value: unknown, findings: IssueList): value is VlpMessage {
  // From the agent: may be any JSON.
  if (!isMap(value)) {
    report(findings, 'schema_invalid', '', typed('object'))
    return false
  }
  for (const [key, rule] of required) {
    judge(value[key] === undefined ? missing : rule(value[key]), `/${key}`, findings)
  }
  for (const [key, rule] of optional) {
    if (value[key] !== undefined) judge(rule(value[key]), `/${key}`, findings)
  }
  for (const [key, inspect] of inspected) {
    if (value[key] !== undefined) inspect(value[key], `/${key}`, findings)
  }
  return findings.kept.length === 0
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const missing: VlpIssueParams = { keyword: 'required' }
const belowNone: VlpIssueParams = { keyword: 'minimum', expected: { limit: 0 } }
const aboveOne: VlpIssueParams = { keyword: 'maximum', expected: { limit: 1 } }

function typed(...names: readonly string[]): VlpIssueParams {
  const [only = '', ...others] = names
  return { keyword: 'type', expected: { type: others.length === 0 ? only : [...names] } }
}

function judge(fault: VlpIssueParams | null, path: string, findings: IssueList): void {
  if (fault !== null) report(findings, 'schema_invalid', path, fault)
}

function text(charactersMin: number): Rule {
  const notText = typed('string')
  const tooShort: VlpIssueParams = { keyword: 'minLength', expected: { limit: charactersMin } }
  return (value) => {
    if (typeof value !== 'string') return notText
    return hasCharacters(value, charactersMin) ? null : tooShort
  }
}

function oneOf(allowed: ReadonlySet<string>): Rule {
  const allowedValues = [...allowed]
  const fault: VlpIssueParams = { keyword: 'enum', expected: { allowedValues } }
  return (value) => (typeof value === 'string' && allowed.has(value) ? null : fault)
}

function nullable(rule: Rule): Rule {
  return (value) => (value === null ? null : rule(value))
}

function protocolFault(value: unknown): VlpIssueParams | null {
  if (value === vlpProtocol) return null
  const fault = { keyword: 'const', expected: { allowedValue: vlpProtocol } }
  return value === 'VLP/1.0' ? { ...fault, cause: 'old_protocol' } : fault
}

function contentFault(value: unknown): VlpIssueParams | null {
  return typeof value === 'string' || isMap(value) ? null : typed('string', 'object')
}

function confidenceFault(value: unknown): VlpIssueParams | null {
  if (typeof value !== 'number') return typed('number')
  if (value >= 0 && value <= 1) return null
  return value < 0 ? belowNone : aboveOne
}

function seqFault(value: unknown): VlpIssueParams | null {
  if (!Number.isInteger(value)) return typed('integer', 'null')
  return typeof value === 'number' && value >= 0 ? null : belowNone
}

function mapFault(value: unknown): VlpIssueParams | null {
  return isMap(value) ? null : typed('object')
}

const anyText = text(0)
const level = oneOf(levels)
const kind = oneOf(kinds)

/** `isSound` is asked first, since the path of each of many items would cost most of it. */
function listOf(inspect: Inspection, isSound: (item: unknown) => boolean): Inspection {
  return (value, path, findings) => {
    if (!Array.isArray(value)) {
      report(findings, 'schema_invalid', path, typed('array'))
      return
    }
    for (let index = 0; index < value.length; index += 1) {
      if (!isSound(value[index])) inspect(value[index], `${path}/${index}`, findings)
    }
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function inspectText(value: unknown, path: string, findings: IssueList): void {
  judge(anyText(value), path, findings)
}

function inspectTexts(
  map: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  path: string,
  findings: IssueList,
): void {
  for (const key of keys) {
    if (map[key] !== undefined) judge(anyText(map[key]), `${path}/${key}`, findings)
  }
}

function inspectProvenance(value: unknown, path: string, findings: IssueList): void {
  if (typeof value === 'string') return
  if (!isMap(value)) {
    report(findings, 'schema_invalid', path, typed('string', 'object'))
    return
  }
  const { ref, kind: given } = value
  judge(ref === undefined ? missing : anyText(ref), `${path}/ref`, findings)
  if (given !== undefined) judge(kind(given), `${path}/kind`, findings)
  inspectTexts(value, provenanceTexts, path, findings)
}

function inspectSafety(value: unknown, path: string, findings: IssueList): void {
  if (!isMap(value)) {
    report(findings, 'schema_invalid', path, typed('object'))
    return
  }
  const { level: given, issues, requires_human: requiresHuman } = value
  judge(given === undefined ? missing : level(given), `${path}/level`, findings)
  if (issues === undefined) report(findings, 'schema_invalid', `${path}/issues`, missing)
  else inspectSafetyIssues(issues, `${path}/issues`, findings)
  if (requiresHuman !== undefined && typeof requiresHuman !== 'boolean') {
    report(findings, 'schema_invalid', `${path}/requires_human`, typed('boolean'))
  }
}

const inspectSafetyIssues = listOf((value, path, findings) => {
  if (isMap(value)) inspectTexts(value, issueTexts, path, findings)
  else report(findings, 'schema_invalid', path, typed('object'))
}, isSoundIssue)

function isSoundIssue(value: unknown): boolean {
  if (!isMap(value)) return false
  for (const key of issueTexts) {
    if (value[key] !== undefined && !isText(value[key])) return false
  }
  return true
}

function inspectRefersTo(value: unknown, path: string, findings: IssueList): void {
  if (value === null || typeof value === 'string') return
  if (Array.isArray(value)) inspectRefs(value, path, findings)
  else report(findings, 'schema_invalid', path, typed('string', 'array', 'null'))
}

const inspectRefs = listOf(inspectText, isText)
