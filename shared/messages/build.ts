// Makes messages that are valid VLP/1.1, or refuses with every reason at once. Time and ids come in
// from outside; it never lowers a level, and it never guesses what the sender must say itself.
import { Fault } from '#record/fault'
import type { ProvenanceItem, SafetyLevel, VlpMessage } from '#schemas/vlp'
import { checkMessage } from './check.ts'
import { isMap } from './envelope.ts'
import { noIssues, report, type Issue } from './issue.ts'
import { isBlank, isDate } from './text.ts'
import { pointerToken } from '#record/pointer-token'

/**
 * What a sender says; everything else of a message is filled in. One value may stand for a list
 * of one.
 */
export interface MessageFields {
  /** One of the seven types; case and white space around it do not matter here. */
  readonly type: string
  readonly sender: string
  readonly content: string | Readonly<Record<string, unknown>>
  /** May be left out of a `query` alone, which then has `queryConfidence`. */
  readonly confidence?: number
  readonly session_id?: string | null
  readonly seq?: number | null
  readonly receiver?: string | null
  readonly topic?: string | null
  readonly provenance?: ProvenanceItem | readonly ProvenanceItem[] | null
  readonly constraints?: string | readonly string[] | null
  /** `issues` may be left out; an issue without a code gets the code `unspecified`. */
  readonly safety?: SafetyFields
  readonly refers_to?: string | readonly string[] | null
  readonly keywords?: string | readonly string[] | null
  readonly payload?: Readonly<Record<string, unknown>> | null
  readonly _extras?: Readonly<Record<string, unknown>>
}

interface SafetyFields {
  readonly level: SafetyLevel
  readonly issues?: readonly Readonly<Record<string, unknown>>[]
  readonly requires_human?: boolean
  readonly [key: string]: unknown
}

export interface SessionMark {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly id: string
}

/** Below the confidence that must be earned: anyone who asks does not claim. */
export const queryConfidence = 0.8

const fieldNames: ReadonlySet<string> = new Set([
  'type',
  'sender',
  'content',
  'confidence',
  'session_id',
  'seq',
  'receiver',
  'topic',
  'provenance',
  'constraints',
  'safety',
  'refers_to',
  'keywords',
  'payload',
  '_extras',
] satisfies readonly (keyof MessageFields)[])

/** From a program: may be anything. */
type Given = { readonly [Field in keyof MessageFields]?: unknown }

const unknownField = { keyword: 'additionalProperties' }

/**
 * The message with all of its 18 properties. Throws `Fault('message_invalid')`, whose cause is the
 * list of issues: unknown fields, what the schema refuses, what the rules of its type demand. A
 * level `block` is no fault.
 */
export function buildMessage(fields: MessageFields, { now, id }: SessionMark): VlpMessage {
  const unknown = noIssues()
  for (const key of Object.keys(fields)) {
    if (!fieldNames.has(key)) report(unknown, 'schema_invalid', pointer(key), unknownField)
  }
  const given: Given = { ...fields }
  const type = typed(given.type)
  const draft = {
    id,
    protocol: 'VLP/1.1',
    type,
    timestamp: utcSeconds(now),
    sender: given.sender,
    content: given.content,
    confidence: confidenceOf(type, given.confidence),
    session_id: given.session_id ?? null,
    seq: given.seq ?? null,
    receiver: given.receiver ?? null,
    topic: given.topic ?? null,
    provenance: listed(given.provenance),
    constraints: listed(given.constraints),
    safety: safetyOf(given.safety),
    refers_to: given.refers_to ?? null,
    keywords: keywordsOf(given.keywords),
    payload: given.payload ?? null,
    _extras: given._extras === undefined ? {} : given._extras,
  }
  const { message, issues } = checkMessage(presentOf(draft), { knownConstraints: [] })
  const faults = issues.filter((issue) => issue.severity === 'error' && !isOwnWord(issue))
  const refused = [...unknown.kept, ...faults]
  if (message === null || refused.length > 0) throw invalid(refused)
  return escalated(message, issues)
}

// Put together again only where something is absent: what is made so is slow to write as JSON.
function presentOf(draft: object): object {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(draft)
  const present = entries.filter(([, value]) => value !== undefined)
  return present.length === entries.length ? draft : Object.fromEntries(present)
}

/** `S-<date>-<slug>-<suffix>`; the date is `YYYY-MM-DD` in UTC, the suffix six hex digits. */
export function sessionId(parts: {
  readonly date: string
  readonly agent: string
  readonly suffix: string
}): string {
  if (!isDate(parts.date) || !/^[0-9a-f]{6}$/.test(parts.suffix)) {
    throw new Fault('message_invalid', 'a session id needs a date and six hex digits')
  }
  return `S-${parts.date}-${slugOf(parts.agent)}-${parts.suffix}`
}

/** `<prefix>-<end of the session id>-<number>`, the number in at least four digits. */
export function messageId(prefix: string, session: string, n: number): string {
  return `${prefix}-${session.slice(-6)}-${String(n).padStart(4, '0')}`
}

/** Lower case, trimmed; blanks and repeats left out, the first of a kind kept. */
export function normalKeywords(keywords: readonly unknown[]): readonly string[] {
  const normal = new Set<string>()
  for (const keyword of keywords) {
    if (typeof keyword === 'string' && !isBlank(keyword)) normal.add(keyword.toLowerCase().trim())
  }
  return [...normal]
}

function invalid(issues: readonly Issue[]): Fault {
  const found = issues.map(({ path, code, params }) => {
    return [`\`${path}\``, code, params.keyword ?? params.fault ?? ''].join(' ').trimEnd()
  })
  return new Fault('message_invalid', found.join('; '), { cause: issues })
}

// A sender may well send what it blocks itself, as a report.
function isOwnWord(issue: Issue): boolean {
  return issue.code === 'safety_block'
}

function pointer(key: string): string {
  return `/${pointerToken(key)}`
}

function typed(type: unknown): unknown {
  return typeof type === 'string' ? type.trim().toLowerCase() : type
}

function confidenceOf(type: unknown, given: unknown): unknown {
  return given === undefined && type === 'query' ? queryConfidence : given
}

/** UTC to the second, as VLP writes it. */
function utcSeconds(now: number): string {
  const year10000 = 253_402_300_800_000
  if (!(now >= 0 && now < year10000)) {
    throw new Fault('message_invalid', '`now` is not a time between 1970 and 9999')
  }
  return `${new Date(now).toISOString().slice(0, 19)}Z`
}

function listed(given: unknown): unknown {
  if (given === undefined || given === null) return []
  return Array.isArray(given) ? given : [given]
}

function keywordsOf(given: unknown): unknown {
  const keywords = listed(given)
  return Array.isArray(keywords) ? normalKeywords(keywords) : keywords
}

// What is no safety object is left to the check: taken for `safe`, a block would be lost.
function safetyOf(given: unknown): unknown {
  if (given === undefined) return { level: 'safe', issues: [] }
  if (!isMap(given)) return given
  const { issues = [] } = given
  return { ...given, issues: Array.isArray(issues) ? issues.map(withCode) : issues }
}

function withCode(issue: unknown): unknown {
  return isMap(issue) && issue['code'] === undefined ? { ...issue, code: 'unspecified' } : issue
}

/** The sender's own words, in its own message. */
const ownNote = 'confidence of 0.9 or more needs provenance or review'

function escalated(message: VlpMessage, issues: readonly Issue[]): VlpMessage {
  const code = 'missing_provenance_high_confidence'
  const issue = issues.find((found) => found.code === code)
  if (issue === undefined || message.safety === undefined) return message
  const noted = [...message.safety.issues, { code, detail: ownNote }]
  return { ...message, safety: { ...message.safety, level: 'review', issues: noted } }
}

const slugCharactersMax = 12

// A name without any letter that a slug keeps still needs one, or the id would not parse.
function slugOf(agent: string): string {
  const words = agent
    .trim()
    .toLowerCase()
    .replace(/^the\s+/, '')
  const kept = words.replace(/\s+/g, '-').replace(/[^a-z0-9-]/g, '')
  const slug = kept.replace(/-+/g, '-').replace(/^-/, '').slice(0, slugCharactersMax)
  return slug.replace(/-$/, '') || 'agent'
}
