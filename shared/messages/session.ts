// What only the messages around a message can show: what it refers to, whether its sender counts on
// without gap or repeat, and which messages still stand. It never reads a log itself.
import { isName } from '#record/names'
import type { VlpMessage } from '#schemas/vlp'
import type { MessageCheck } from './check.ts'
import { noIssues, report, type IssueList, type Issue } from './issue.ts'
import { isBlank } from './text.ts'

/** A message where it stands in the log; `sender` is whose name it came under, not what it says. */
export interface SessionMessage {
  readonly name: string
  readonly sender: string
  readonly position: number
  readonly check: MessageCheck
}

/** One entry of `refers_to`. A message cannot be a target of itself. */
export interface Reference {
  readonly ref: string
  /** The JSON pointer of the entry. */
  readonly path: string
  readonly self: boolean
  readonly target: SessionMessage | null
}

/**
 * Warnings about `message` from the messages before it. Of `earlier`, whatever the order, only what
 * stands before it in the log counts, and by anything but its full name only what is of the same
 * session.
 */
export function checkInSession(
  message: SessionMessage,
  earlier: readonly SessionMessage[],
): readonly Issue[] {
  const findings = noIssues()
  if (message.check.message === null) return findings.kept
  reportReferences(resolveRefs(message, earlier), findings)
  reportPlace(message, message.check.message, earlier, findings)
  return findings.kept
}

/** An intent may cite no more messages; of any other message, more stay unresolved. */
export const namesReferredMax = 8

/** So many entries are reported on; a message that is made of references is no reason for more. */
const refsLookedAtMax = 64

/** Whether a message cites more messages than are looked up, by whatever names. */
export function citesTooMany({ refers_to: given = null }: VlpMessage): boolean {
  if (given === null || typeof given === 'string') return false
  const refs = new Set<string>()
  for (const ref of given) {
    if (!isBlank(ref)) refs.add(ref)
    if (refs.size > namesReferredMax) return true
  }
  return false
}

/** The full names that a message refers to: the caller reads these from the log by themselves. */
export function namesReferred(message: VlpMessage): readonly string[] {
  const names = new Set<string>()
  for (const { ref } of refsOf(message, refsLookedAtMax)) {
    if (names.size === namesReferredMax) break
    if (isFullName(ref)) names.add(ref)
  }
  return [...names]
}

/**
 * What a message refers to, blank entries left out. A full name means that message of the log.
 * Anything else is an id of the same session, and means its sender's first message of that id; an
 * id that several senders use means nothing, since one could otherwise take the place of another.
 * Without a session there are only names.
 */
export function resolveRefs(
  message: SessionMessage,
  known: readonly SessionMessage[],
): readonly Reference[] {
  const body = message.check.message
  if (body === null) return []
  const refs = refsOf(body, refsLookedAtMax)
  if (refs.length === 0) return []
  const index = noIndex()
  for (const other of known) {
    if (other.position < message.position) enter(index, other)
  }
  return refs.map(({ ref, path }) => {
    const self = ref === message.name || (!isFullName(ref) && ref === body.id)
    return { ref, path, self, target: self ? null : find(index, ref, message) }
  })
}

/**
 * For each message that a correction has superseded, by name: the correction that stands in its
 * place. Only its own sender corrects a message, whichever way it refers to it; a correction of
 * what is corrected already corrects the correction. What fails its check corrects nothing.
 */
export function corrections(
  messages: readonly SessionMessage[],
): ReadonlyMap<string, SessionMessage> {
  const index = noIndex()
  const places = new Map<string, SessionMessage>()
  for (const message of inLogOrder(messages)) {
    for (const target of correctedBy(message, index)) {
      const standing = follow(places, target)
      if (standing.name !== message.name) places.set(standing.name, message)
    }
    enter(index, message)
  }
  for (const [corrected, next] of places) places.set(corrected, follow(places, next))
  return places
}

/** The messages that stand, in log order: sound enough to be believed, and not superseded. */
export function standingMessages(
  messages: readonly SessionMessage[],
  places: ReadonlyMap<string, SessionMessage> = corrections(messages),
): readonly SessionMessage[] {
  return inLogOrder(messages).filter(
    ({ name, check }) => check.outcome !== 'fail' && !places.has(name),
  )
}

/** Whether that sender has ended that session, for itself: no one closes a session for others. */
export function isClosed(
  messages: readonly SessionMessage[],
  { sender, session }: { readonly sender: string; readonly session: string },
): boolean {
  return messages.some(
    (message) =>
      message.sender === sender &&
      message.check.outcome !== 'fail' &&
      message.check.message?.type === 'session_context' &&
      message.check.message.session_id === session,
  )
}

function reportReferences(references: readonly Reference[], findings: IssueList): void {
  for (const { path, self, target } of references) {
    if (self) report(findings, 'refers_to_self', path)
    else if (target === null) report(findings, 'refers_to_unresolved', path)
  }
}

function reportPlace(
  message: SessionMessage,
  body: VlpMessage,
  earlier: readonly SessionMessage[],
  findings: IssueList,
): void {
  const session = body.session_id ?? null
  const own = earlier.filter(
    (other) =>
      other.sender === message.sender &&
      other.position < message.position &&
      other.check.message !== null &&
      (other.check.message.session_id ?? null) === session,
  )
  if (own.some(({ check }) => check.message?.id === body.id)) {
    report(findings, 'duplicate_id', '/id')
  }
  if (session === null) return
  if (isClosed(own, { sender: message.sender, session })) {
    report(findings, 'session_unknown', '/session_id', { cause: 'session_closed' })
  }
  const seq = body.seq ?? null
  if (seq !== null) reportSeq(seq, own, findings)
}

// One step a message, for each sender and session alone; messages without a number take no step.
function reportSeq(seq: number, own: readonly SessionMessage[], findings: IssueList): void {
  let highest: number | null = null
  let seen = false
  for (const { check } of own) {
    const other = check.message?.seq ?? null
    if (other === null) continue
    seen ||= other === seq
    highest = Math.max(other, highest ?? 0)
  }
  if (seen) report(findings, 'seq_duplicate', '/seq')
  else if (highest === null && seq > 1) {
    report(findings, 'session_unknown', '/seq', { cause: 'first_missing' })
  } else if (highest !== null && seq !== highest + 1) {
    report(findings, 'seq_gap', '/seq')
  }
}

interface Ref {
  readonly ref: string
  readonly path: string
}

function refsOf(message: VlpMessage, countMax = Infinity): readonly Ref[] {
  const given = message.refers_to ?? null
  if (given === null) return []
  if (typeof given === 'string') return isBlank(given) ? [] : [{ ref: given, path: '/refers_to' }]
  const first = given.length > countMax ? given.slice(0, countMax) : given
  const refs = first.map((ref, index) => ({ ref, path: `/refers_to/${index}` }))
  return refs.filter(({ ref }) => !isBlank(ref))
}

// What looks like the name of a message is never taken for an id, or an id could pass for a name.
function isFullName(ref: string): boolean {
  const tokens = ref.split('.', 7)
  return tokens.length === 6 && tokens[2] === 'vlp' && isName(ref)
}

/** Messages by name; and by session, id and sender, where the first of each stands for all. */
interface Index {
  readonly byName: Map<string, SessionMessage>
  readonly bySession: Map<string, Map<string, Map<string, SessionMessage>>>
}

function noIndex(): Index {
  return { byName: new Map(), bySession: new Map() }
}

function enter(index: Index, message: SessionMessage): void {
  index.byName.set(message.name, message)
  const body = message.check.message
  const session = body?.session_id ?? null
  if (body === null || session === null) return
  const ids = index.bySession.get(session) ?? new Map<string, Map<string, SessionMessage>>()
  index.bySession.set(session, ids)
  const senders = ids.get(body.id) ?? new Map<string, SessionMessage>()
  ids.set(body.id, senders)
  const first = senders.get(message.sender)
  if (first === undefined || message.position < first.position) senders.set(message.sender, message)
}

function find(index: Index, ref: string, from: SessionMessage): SessionMessage | null {
  if (isFullName(ref)) return index.byName.get(ref) ?? null
  const session = from.check.message?.session_id ?? null
  if (session === null) return null
  const senders = index.bySession.get(session)?.get(ref)
  if (senders === undefined) return null
  // A sender corrects only what is its own, so no one can spoil that by using its ids.
  const own = senders.get(from.sender)
  if (own !== undefined && from.check.message?.type === 'correction') return own
  const [only = null] = senders.values()
  return senders.size === 1 ? only : null
}

function correctedBy(message: SessionMessage, index: Index): readonly SessionMessage[] {
  const body = message.check.message
  if (body?.type !== 'correction' || message.check.outcome === 'fail') return []
  const targets: SessionMessage[] = []
  for (const { ref } of refsOf(body)) {
    const target = find(index, ref, message)
    if (target !== null && target.sender === message.sender) targets.push(target)
  }
  return targets
}

// A place is only ever taken by a message of a later position, so the way ends.
// Each step made is kept short for the next, or many corrections of one message would be slow.
function follow(places: Map<string, SessionMessage>, from: SessionMessage): SessionMessage {
  let standing = from
  const passed: string[] = []
  for (let next = places.get(from.name); next !== undefined; next = places.get(next.name)) {
    passed.push(standing.name)
    standing = next
  }
  for (const name of passed) places.set(name, standing)
  return standing
}

function inLogOrder(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const byName = new Map(messages.map((message) => [message.name, message]))
  return [...byName.values()].toSorted((a, b) => a.position - b.position)
}
