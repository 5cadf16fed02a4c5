// Whether a VLP/1.1 message is sound by itself: every issue, the outcome, and how much backs it.
// It takes anything, throws at nothing, and believes no figure that the sender computed.
import type { JsonFaultCode, SafetyLevel, VlpMessage, VlpOutcome } from '#schemas/vlp'
import { hasRules } from '#rules/catalog/rules-version'
import { isMap, isVlpMessage } from './envelope.ts'
import { noIssues, report, type IssueList, type Issue } from './issue.ts'
import { readJson, surveyOf } from '#record/json'
import { spaces } from '#record/reading/json-scan'
import { isBlank, isSessionId, isUtcTime } from './text.ts'

// How much of a message's word is backed, in integer hundredths so that no rounding decides at a
// threshold. The sender's own figures are never looked at.

const base = 50
const perProvenance = 12
const perKnownConstraint = 9
const perUnknownConstraint = 10
const passMin = 75
const reviewMin = 50

/** What counts towards integrity. Repeats count each time, as in the published formula. */
interface Backing {
  readonly provenance: number
  readonly known: number
  readonly unknown: number
}

/**
 * Counts provenance that says something, and constraints by the catalog's list. An empty list makes
 * none unknown. A blank constraint binds no one: it is never known, whatever the list says.
 */
function backingOf(message: VlpMessage, knownConstraints: readonly string[]): Backing {
  let provenance = 0
  for (const item of message.provenance ?? []) {
    if (!isBlank(typeof item === 'string' ? item : item.ref)) provenance += 1
  }
  const { constraints = [] } = message
  if (constraints.length === 0) return { provenance, known: 0, unknown: 0 }
  const listed = new Set(knownConstraints)
  let known = 0
  let unknown = 0
  for (const constraint of constraints) {
    if (!isBlank(constraint) && (listed.size === 0 || listed.has(constraint))) known += 1
    else if (listed.size > 0) unknown += 1
  }
  return { provenance, known, unknown }
}

export function integrityOf({ provenance, known, unknown }: Backing): number {
  const sum =
    base + perProvenance * provenance + perKnownConstraint * known - perUnknownConstraint * unknown
  return Math.min(100, Math.max(0, sum))
}

export function gateOf(integrity: number): VlpOutcome {
  if (integrity >= passMin) return 'pass'
  return integrity >= reviewMin ? 'review' : 'fail'
}

/** What the catalog knows. An empty list means that no constraint counts as unknown. */
export interface CheckAgainst {
  readonly knownConstraints: readonly string[]
  /** By which rules numbers are read; absent: as a reader of any log shows them. */
  readonly rules?: number
  /** False where what was decided is read, by which rules ever. */
  readonly exact?: boolean
}

export interface MessageCheck {
  /** From the issues alone: an error fails, a warning asks for review. */
  readonly outcome: VlpOutcome
  /** Errors first, then warnings, then infos. */
  readonly issues: readonly Issue[]
  /** How many more there were than are kept. */
  readonly issuesOmitted: number
  /** Integer hundredths, 0 to 100, as is `debt`. */
  readonly integrity: number
  readonly debt: number
  /** How many of the six layers the message itself shows, 0 to 6; nothing is decided by it. */
  readonly depth: number
  readonly gate: VlpOutcome
  /** The sender's level, raised to `review` by a failed gate; it is never lowered. */
  readonly safetyLevel: SafetyLevel
  readonly requiresHuman: boolean
  /** Confidence of 0.9 or more and nothing to prove it, whatever the level says. */
  readonly unearnedConfidence: boolean
  /** Whether the bytes are one JSON object, whatever is in it. */
  readonly isObject: boolean
  /** How many values the message holds, everything in it counted; 0 for what cannot be read. */
  readonly values: number
  /** The value as it was given, if it is a message at all. */
  readonly message: VlpMessage | null
  /** Where its first number stands that no double can hold; in place of each such one is null. */
  readonly inexact?: string
}

/** What a message may be: its bytes are what a log takes as one fact. */
export const messageLimits = { bytesMax: 262_144, depthMax: 64, valuesMax: 8_192 } as const

const earnedFrom = 0.9
const computedFields = ['context_depth', 'context_integrity', 'context_debt', 'gate']

/** Checks what a stage was handed: any bytes. */
export function checkBytes(bytes: Uint8Array, known: CheckAgainst): MessageCheck {
  const isExact = readsExactly(known)
  const reading = readJson(bytes, { ...messageLimits, inexact: isExact ? 'null' : 'change' })
  if (reading.ok) {
    const check = checkJson(reading.value, reading.values, known)
    return reading.inexact === undefined ? check : { ...check, inexact: reading.inexact }
  }
  return unreadable(reading.code, isObjectText(bytes, reading.code))
}

/** Whether null stands for a number that no double can hold, so that it matches nothing. */
export function readsExactly({ rules, exact = true }: CheckAgainst): boolean {
  return exact && rules !== undefined && hasRules({ rules }, 'exactNumbers')
}

/** The message of a fact, whatever a catalog would make of it; null where it has no sound one. */
export function messageOfFact({ bytes }: { readonly bytes: Uint8Array }): VlpMessage | null {
  return checkBytes(bytes, { knownConstraints: [] }).message
}

const brace = 0x7b

/** Whether the bytes are the JSON text of an object, though one that cannot be taken. */
function isObjectText(bytes: Uint8Array, code: JsonFaultCode): boolean {
  if (code === 'not_json' || code === 'not_utf8' || code === 'too_large') return false
  return bytes.find((byte) => !spaces.has(byte)) === brace
}

/** Checks a value, which may be anything at all. */
export function checkMessage(value: unknown, known: CheckAgainst): MessageCheck {
  const { code, values } = surveyOf(value, messageLimits)
  return code === null ? checkJson(value, values, known) : unreadable(code, isMap(value))
}

function unreadable(code: JsonFaultCode, isObject: boolean): MessageCheck {
  const findings = noIssues()
  report(findings, 'schema_invalid', '', { fault: code })
  return refused(findings, isObject, 0)
}

// Nothing in it can be believed, so nothing backs it and no one may take it for safe.
function refused(findings: IssueList, isObject: boolean, values: number): MessageCheck {
  return {
    outcome: 'fail',
    issues: findings.kept,
    issuesOmitted: findings.omitted,
    integrity: 0,
    debt: 100,
    depth: 0,
    gate: 'fail',
    safetyLevel: 'review',
    requiresHuman: false,
    unearnedConfidence: false,
    isObject,
    values,
    message: null,
  }
}

function checkJson(value: unknown, values: number, known: CheckAgainst): MessageCheck {
  const findings = noIssues()
  if (!isVlpMessage(value, findings)) return refused(findings, isMap(value), values)
  const backing = backingOf(value, known.knownConstraints)
  const integrity = integrityOf(backing)
  const gate = gateOf(integrity)
  const level = value.safety?.level ?? 'safe'
  const requiresHuman = value.safety?.requires_human === true
  const unearnedConfidence = value.confidence >= earnedFrom && backing.provenance === 0
  const marks = { backing, gate, level, requiresHuman, unearnedConfidence }
  // In order of severity, so that the bound on issues never costs a graver one.
  reportErrors(value, marks, findings)
  reportWarnings(marks, findings)
  reportInfos(value, findings)
  return {
    outcome: outcomeOf(findings.kept),
    issues: findings.kept,
    issuesOmitted: findings.omitted,
    integrity,
    debt: 100 - integrity,
    depth: depthOf(value, backing),
    gate,
    safetyLevel: gate === 'fail' && level === 'safe' ? 'review' : level,
    requiresHuman,
    unearnedConfidence,
    isObject: true,
    values,
    message: value,
  }
}

interface Marks {
  readonly backing: Backing
  readonly gate: VlpOutcome
  readonly level: SafetyLevel
  readonly requiresHuman: boolean
  readonly unearnedConfidence: boolean
}

function reportErrors(message: VlpMessage, marks: Marks, findings: IssueList): void {
  const { type } = message
  if ((type === 'evidence' || type === 'response' || type === 'correction') && !refers(message)) {
    report(findings, `${type}_missing_refers_to`, '/refers_to')
  }
  if (type === 'evidence' && marks.backing.provenance === 0) {
    report(findings, 'evidence_missing_provenance', '/provenance')
  }
  if (marks.level === 'block') {
    report(findings, 'safety_block', '/safety/level')
  }
}

function reportWarnings(marks: Marks, findings: IssueList): void {
  // `block` is the stricter word, so it satisfies what `review` satisfies.
  if (marks.unearnedConfidence && marks.level === 'safe') {
    report(findings, 'missing_provenance_high_confidence', '/provenance')
  }
  if (marks.level === 'review') {
    report(findings, 'safety_review', '/safety/level')
  }
  if (marks.requiresHuman) {
    report(findings, 'requires_human', '/safety/requires_human')
  }
  if (marks.gate === 'fail' && marks.level === 'safe') {
    report(findings, 'low_integrity_gate', '/constraints')
  }
}

function reportInfos(message: VlpMessage, findings: IssueList): void {
  if (!isUtcTime(message.timestamp)) {
    report(findings, 'timestamp_invalid', '/timestamp')
  }
  const session = message.session_id ?? null
  if (session !== null && !isSessionId(session)) {
    report(findings, 'session_id_invalid', '/session_id')
  }
  for (const key of computedFields) {
    if (message[key] === undefined) continue
    report(findings, 'computed_field_spoofed', `/${key}`)
  }
  message.provenance?.forEach((item, index) => {
    if (!isBlank(typeof item === 'string' ? item : item.ref)) return
    const path = `/provenance/${index}${typeof item === 'string' ? '' : '/ref'}`
    report(findings, 'provenance_empty_ref', path)
  })
}

function outcomeOf(issues: readonly Issue[]): VlpOutcome {
  let outcome: VlpOutcome = 'pass'
  for (const { severity } of issues) {
    if (severity === 'error') return 'fail'
    if (severity === 'warning') outcome = 'review'
  }
  return outcome
}

function refers(message: VlpMessage): boolean {
  const refs = message.refers_to ?? null
  if (refs === null) return false
  return typeof refs === 'string' ? !isBlank(refs) : refs.some((ref) => !isBlank(ref))
}

// The layers are Intent, Constraints, State, Memory, Evidence and Capability. No rule of VLP says
// what verifies one, so each counts here when the message itself shows it: its content is not
// empty; constraints bind and none is unknown; it has its place in a session; it refers to another
// message; something proves it; and it names the tool that it is about.
function depthOf(message: VlpMessage, backing: Backing): number {
  const { content, session_id: session = null, seq = null } = message
  const intent = typeof content === 'string' ? !isBlank(content) : Object.keys(content).length > 0
  const constraints = backing.known > 0 && backing.unknown === 0
  const state = session !== null && isSessionId(session) && seq !== null
  return (
    Number(intent) +
    Number(constraints) +
    Number(state) +
    Number(refers(message)) +
    Number(backing.provenance > 0) +
    Number(namesTool(message))
  )
}

function namesTool(message: VlpMessage): boolean {
  const intent = message.payload?.['intent']
  if (!isMap(intent)) return false
  const { tool } = intent
  return typeof tool === 'string' && !isBlank(tool)
}
