// What a hook of a coding agent is answered by a log: a call becomes an intent of the agent, an
// allow is redeemed before it is passed on, and what the host reports is recorded as its word.
import {
  decisionOutput,
  neutralOutput,
  notedOutput,
  unreadDecision,
  type HookOutput,
} from '#shell/hooks/hook-answer'
import {
  playedSession,
  readHookEvent,
  type HookCall,
  type HookEvent,
  type HookReading,
} from '#shell/hooks/hook-event'
import { sessionOfCall, callToken } from '#shell/hooks/call-token'
import type { AskedCall } from '#shell/hooks/hook-input'
import type { HookDecision, Host } from '#shell/hooks/hosts/host'
import { routineOf } from '#shell/routine'
import { jsonOf } from '#record/canonical'
import { Fault } from '#record/fault'
import { shortIntent } from '#present/approving'
import { modelText, pendingModelText } from '#present/story/for-model'
import { isStage } from '#present/story/waits'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import { contentsBeside, type KeptContents } from '#judging/kept-contents'
import type { Verdict } from '#replay/verdicts/verdict'
import { Pending } from '../pending.ts'
import { hookMemory, type HookedCall, type HookMemory } from './hook-memory.ts'
import { readData } from '#record/event'
import { digestOfJson } from '#record/digest'
import { addressOf } from '#record/names'
import { declaredIn, type HookJudge } from '#judging/judging'
import type { Runtime } from '#runtime/engine/runtime'
import type { DoorAgent } from './door-agent.ts'

// What a hook says that asks for nothing: that a call has run, and what the user has written. Both
// are the host's word.

async function recordDone(
  door: HookedDoor,
  done: Extract<HookEvent, { is: 'done' }>,
): Promise<void> {
  const { agent, before, host } = door
  const { place } = await placedCall(door, done)
  const intent = before.intentOf(place, done.callId) ?? addressOfCall(door, done)
  if (intent === null || (await agent.requested(intent)) === null) return
  const wait = { waitMs: 0, onReview: () => false }
  const found = await settledCall(agent.verdict(intent, wait))
  if (!(found instanceof Pending) && found.outcome === 'allow') {
    await agent.end(intent, { outcome: done.failed ? 'failed' : 'succeeded' })
    return
  }
  const isRelayed = found instanceof Pending && (await questionsOn(door, intent)).inHost
  const said = isRelayed ? 'host_allowed' : 'ran_without_allow'
  await agent.say(
    { hook: said, relayedBy: host.name, intent, tool: done.tool },
    { session: agent.session(sessionOfCall(host, done)), receiver: door.principal },
  )
  if (!isRelayed) return
  before.forget(place)
  await agent.withdraw(intent, `answered in the dialogue of ${host.name}, which has run it`)
}

const promptMax = 60_000

/** The host's word for what its user has written: evidence only where the catalog trusts it. */
async function recordPrompt(
  door: HookedDoor,
  { prompt, session, cwd }: Extract<HookEvent, { is: 'prompt' }>,
): Promise<void> {
  const { agent, host, principal } = door
  // The first event of a session shows where its project is.
  await door.before.folderOf(principal, sessionOfCall(host, { session }), cwd)
  if (prompt === '') return
  const to = { session: agent.session(session ?? host.name), receiver: principal }
  await agent.say(prompt.slice(0, promptMax), to)
}

export interface HookDoor {
  /**
   * What the host is answered. It never throws: whatever goes wrong before a call runs is a denial
   * that says what, and how to fix it.
   */
  answer(host: Host, event: unknown, speaker: HookSpeaker): Promise<HookOutput>
  /**
   * The same for who reads an allow in the log itself. What it could not read there, or what people
   * have a part in, is answered with null before anything is asked. It throws where it fails.
   */
  readable(host: Host, event: unknown, speaker: ReadableBy): Promise<HookReadable | null>
}

export interface ReadableBy extends HookSpeaker {
  /** Whether it finds the call again in arguments that are judged. */
  readonly isReadable: (event: Called, args: AskedCall['args']) => boolean
}

export type HookReadable =
  | { readonly is: 'denied'; readonly reason: string }
  /** With the name of the verdict. */
  | { readonly is: 'allowed'; readonly verdict: string }
  | { readonly is: 'noted' }

/** So long the stages have to decide: hosts wait longer. */
const stagesMs = 15_000
/** So long the host is kept waiting where nothing is enforced: what is not recorded then may be. */
const observedMs = 3_000

export function hookDoorOn(of: HookDoorOf): HookDoor {
  const shared = { ...of, before: hookMemory(of.runtime), contents: contentsBeside(of.runtime) }
  return {
    async answer(host, given, speaker) {
      const read = readHookEvent(host, given)
      if (speaker.observes === true) return observed({ ...shared, ...speaker, host }, read)
      if ('unread' in read) return decisionOutput(host, unreadDecision(host, read.unread))
      const { event } = read
      const door: HookedDoor = { ...shared, ...speaker, host }
      try {
        if (event.is === 'call') return decisionOutput(host, await decided(door, event))
        await record(door, event)
        return notedOutput(host, event.is)
      } catch (error) {
        return failedOutput(host, event.is, error)
      }
    },
    async readable(host, given, speaker) {
      const read = readHookEvent(host, given)
      if ('unread' in read) return null
      const { event } = read
      const door: HookedDoor = { ...shared, ...speaker, host }
      if (speaker.observes === true) {
        const { missed } = await observed(door, read)
        return missed === null ? { is: 'noted' } : null
      }
      if (event.is === 'call') return readableDecision(door, event, speaker)
      await record(door, event)
      return { is: 'noted' }
    },
  }
}

function record(door: HookedDoor, event: Exclude<HookEvent, { is: 'call' }>): Promise<void> {
  return event.is === 'done' ? recordDone(door, event) : recordPrompt(door, event)
}

async function readableDecision(
  door: HookedDoor,
  call: Called,
  { isReadable }: ReadableBy,
): Promise<HookReadable | null> {
  const placed = await placedCall(door, call)
  if (!isReadable(call, placed.asked.args) || placed.asked.isOld) return null
  if ((await door.before.find(placed.place)) !== null) return null
  const { outcome, reason, verdict } = await decidedOn(door, call, placed)
  if (outcome === 'deny') return { is: 'denied', reason }
  return outcome === 'ask' || verdict === undefined ? null : { is: 'allowed', verdict }
}

/** The answer of a hook that only observes. Nothing that fails in it stops or delays a call. */
async function observed(door: HookedDoor, read: HookReading): Promise<HookOutput> {
  const { host, runtime } = door
  if ('unread' in read) return neutralOutput(host, 'call', `the event is not one of ${host.name}`)
  const { event } = read
  try {
    const recorded = await withTimeout(runtime.timer, observedMs, recordObserved(door, event))
    const missed = recorded === timedOut ? `no verdict came within ${observedMs} ms` : null
    return neutralOutput(host, event.is, missed)
  } catch (error) {
    return neutralOutput(host, event.is, error instanceof Error ? error.message : 'it failed')
  }
}

async function recordObserved(door: HookedDoor, event: HookEvent): Promise<void> {
  if (event.is === 'prompt') return recordPrompt(door, event)
  const { agent, before } = door
  const { asked, place } = await placedCall(door, event)
  if (event.is === 'done') {
    const intent = before.intentOf(place, event.callId) ?? addressOfCall(door, event)
    if (intent === null || (await agent.requested(intent)) === null) return
    return agent.end(intent, { outcome: event.failed ? 'failed' : 'succeeded' })
  }
  const { intent } = await agent.ask(
    { ...requestOf(asked), observe: true },
    { ...askingOf(door, event), waitMs: observedMs },
  )
  before.note(place, event.callId, intent)
  if (event.callId === null) before.ran(place, intent)
  before.forget(place)
}

function failedOutput(host: Host, is: HookEvent['is'], error: unknown): HookOutput {
  const what = error instanceof Error ? error.message : 'something failed'
  const code = error instanceof Fault ? ` (${error.code})` : ''
  if (is !== 'call') {
    return { ...notedOutput(host, is), stderr: `warrant: not recorded: ${what}${code}\n` }
  }
  const reason = `warrant: blocked, since it could not be judged: ${what}${code}`
  return decisionOutput(host, { outcome: 'deny', reason })
}

type Called = Extract<HookEvent, { is: 'call' }>

const applyDue =
  'The rules for hooks in this log are older than this program, so not all of a call is bound: ' +
  'a person brings them up to date with `warrant apply` of its folders seeds/shell and seeds/hooks.'

/** The first answer that says anything says it also where the log lacks what is new. */
async function decided(door: HookedDoor, call: Called): Promise<HookDecision> {
  const placed = await placedCall(door, call)
  const decision = await decidedOn(door, call, placed)
  if (decision.reason === '' || !placed.asked.isOld || !door.before.isFirst('old')) return decision
  return { ...decision, reason: `${decision.reason}\n${applyDue}` }
}

async function decidedOn(
  door: HookedDoor,
  call: Called,
  placed: PlacedCall,
): Promise<HookDecision & { readonly verdict?: string }> {
  const { agent, before, principal } = door
  const { asked, place } = placed
  const known = await before.find(place)
  if (known !== null) {
    const decision = await again(door, call, known, placed)
    if (decision !== null) return decision
    before.forget(place)
  }
  const asking = agent.ask(requestOf(asked), { ...askingOf(door, call), waitMs: stagesMs })
  const found = await settledCall(asking)
  before.note(place, call.callId, found.intent)
  if (found instanceof Pending) return pendingDecision(door, call, { pending: found, asked })
  if (found.outcome === 'deny') return denied(asked, found)
  await agent.start(found.intent)
  if (call.callId === null) before.ran(place, found.intent)
  before.forget(place)
  return { outcome: 'allow', reason: '', verdict: found.name }

  function denied({ tool }: AskedCall, { reasons, gaps, intent }: Verdict): HookDecision {
    before.forget(place)
    const story = `Intent ${shortIntent(intent)} of \`${principal}\`.`
    return { outcome: 'deny', reason: `${modelText(tool, reasons, gaps)}\n${story}` }
  }
}

function requestOf({ tool, args, concepts }: AskedCall) {
  return { tool, args, concepts: [...concepts] }
}

function askingOf(door: HookedDoor, call: HookCall) {
  const key = hookCallKey(door, call)
  return {
    session: door.agent.session(sessionOfCall(door.host, call)),
    onReview: () => false,
    ...(key !== null && { key }),
  }
}

/** By what was decided on the same call before; null where that has ended and it is asked again. */
async function again(
  door: HookedDoor,
  call: Called,
  intent: string,
  { asked, place }: PlacedCall,
): Promise<HookDecision | null> {
  const { agent } = door
  const wait = { waitMs: stagesMs, onReview: () => false }
  const found = await settledCall(agent.verdict(intent, wait)).catch(() => null)
  if (found === null) return null
  if (found instanceof Pending) return pendingDecision(door, call, { pending: found, asked })
  if (found.outcome === 'deny') {
    const isDeclined = found.reasons.some(({ code }) => code === 'declined')
    if (!isDeclined) return null
    return { outcome: 'deny', reason: modelText(asked.tool, found.reasons, found.gaps) }
  }
  try {
    await agent.start(intent)
  } catch (error) {
    // It was used, or its time has passed: the call is asked about as a new one.
    if (error instanceof Fault) return null
    throw error
  }
  door.before.ran(place, intent)
  door.before.note(place, call.callId, intent)
  door.before.forget(place)
  return { outcome: 'allow', reason: '' }
}

async function pendingDecision(
  door: HookedDoor,
  call: Called,
  { pending, asked }: { readonly pending: Pending; readonly asked: AskedCall },
): Promise<HookDecision> {
  const { intent, waits } = pending
  if (waits.for !== 'people') {
    const fix = isStage(waits.for) ? ' Does `warrant up` run?' : ''
    const reason = `${pendingModelText(waits)}\nIntent ${shortIntent(intent)}.${fix}`
    return { outcome: 'deny', reason }
  }
  const { text, inHost, decideBy, routine } = await questionsOn(door, intent)
  if (call.session === playedSession) await door.agent.withdraw(intent, 'played by `hook test`')
  else if (asked.whole !== null && decideBy !== null) {
    const of = { intent, owner: door.principal, capability: asked.tool }
    await door.contents.keep({ ...of, text: asked.whole, decideBy })
  }
  if (call.canAsk && inHost) return { outcome: 'ask', reason: `warrant asks: ${text}` }
  const link = door.linkOf(intent)
  const where = link === null ? '' : ` (${link})`
  const later = `When a person has agreed, make just the same call again: it then runs.`
  const id = shortIntent(intent)
  const also = routine === null ? '' : routineHint(routine.prefix)
  const answer = `Intent ${id}${where}: a person answers with \`warrant approve ${id}\`${also}.`
  const why = text === '' ? '' : `Why: ${text}\n`
  return { outcome: 'deny', reason: `${pendingModelText(waits, { later })}\n${why}${answer}` }
}

// What people are asked about an open call, in words.

interface OpenQuestions {
  /** What people are asked, in words; empty where the questions have none. */
  readonly text: string
  /** Whether the catalog lets the host's own dialogue be asked in place of people. */
  readonly inHost: boolean
  /** Until when they may answer; null where no one is asked. */
  readonly decideBy: number | null
  /** Null where no grant could answer for later calls like it, too. */
  readonly routine: { readonly prefix: string | null } | null
}

function routineHint(prefix: string | null): string {
  const begun =
    prefix === null ? '' : `, or with \`--routine --prefix "${prefix}"\` for those that begin so`
  return `, and with \`--routine\` for later calls like it, too${begun}`
}

async function questionsOn(
  { runtime }: Pick<HookedDoor, 'runtime'>,
  intent: string,
): Promise<OpenQuestions> {
  const { intents, catalog } = runtime.follower.state
  const name = intents.get(intent)?.review?.name
  const fact = name === undefined ? undefined : await runtime.log.get(name)
  const review = readData('review', fact)
  const id = review?.confirmation ?? null
  const concepts = review === null ? [] : await conceptsIn(runtime, review.grounding)
  const routine = routineOf(jsonOf(review?.terms.args ?? null), concepts)
  return {
    text: (review?.questions ?? []).map(({ message, kind }) => message ?? kind).join(' '),
    decideBy: review === null ? null : Date.parse(review.decideBy),
    routine: routine !== null && 'when' in routine ? routine : null,
    inHost: id !== null && catalog.confirmations.get(id)?.ask === 'host',
  }
}

async function conceptsIn(
  { log }: HookedDoor['runtime'],
  name: string,
): Promise<readonly string[]> {
  return readData('grounding', await log.get(name))?.ground?.concepts ?? []
}

// One call of a coding agent at a door: whose it is, which project it belongs to, what it is asked
// about as, and what makes two calls the same.

/** In whose name a hook asks, and through what. */
interface HookSpeaker {
  readonly principal: string
  readonly agent: DoorAgent
  /** Whether the verdict is only recorded: the host is answered nothing, and soon. */
  readonly observes?: boolean
  /** The folder of the project, by what the hook was installed with. */
  readonly root?: string | null
  /** What a call is named by whose host names none; not said, it is found by nothing again. */
  readonly nonce?: string
}

interface HookDoorOf {
  readonly runtime: Runtime
  readonly judge: HookJudge
  /** Where a person finds the intent; null where there is no such place. */
  readonly linkOf: (intent: string) => string | null
}

interface HookedDoor extends HookDoorOf, HookSpeaker {
  readonly host: Host
  readonly before: HookMemory
  readonly contents: Pick<KeptContents, 'keep'>
}

interface PlacedCall {
  readonly asked: AskedCall
  readonly place: HookedCall
}

/** The call as it is asked about, in the project of its session. */
async function placedCall(
  door: HookedDoor,
  event: Exclude<HookEvent, { is: 'prompt' }>,
): Promise<PlacedCall> {
  const { judge, host, runtime, principal } = door
  const session = sessionOfCall(host, event)
  const root =
    event.root ?? door.root ?? (await door.before.folderOf(principal, session, event.cwd))
  const asked = await judge.judged({
    principal,
    host: host.name,
    call: { ...event, root },
    declared: declaredIn(runtime.follower.state.catalog.capabilities, judge.tables),
    isAhead: event.is === 'call',
  })
  const { tool, args, same } = asked
  const digest = digestOfJson(jsonOf({ tool, args }))
  const ran = digestOfJson(jsonOf({ tool, args: same }))
  return { asked, place: { principal, session, digest, ran } }
}

/** What the intent of that call is named by; null where nothing names it. */
function hookCallKey({ host, nonce }: HookedDoor, call: HookCall): string | null {
  const id = call.callId ?? nonce
  return id === undefined ? null : callToken(host, call, id)
}

function addressOfCall(door: HookedDoor, call: HookCall): string | null {
  const key = hookCallKey(door, call)
  return key === null ? null : addressOf(door.principal, sessionOfCall(door.host, call), key)
}

async function settledCall(asked: Promise<Verdict>): Promise<Verdict | Pending> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Pending) return error
    throw error
  }
}
