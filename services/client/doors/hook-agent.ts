// What a hook of a coding agent is answered by a log: a call becomes an intent of the agent, an
// allow is redeemed before it is passed on, and what the host reports is recorded as its word.
import {
  decisionOutput,
  neutralOutput,
  notedOutput,
  unreadDecision,
  type HookDecision,
} from '#core/hooks/hook-answer'
import type { HookOutput } from '#core/hooks/hook-answer'
import { mappedCall, type HookTables, type MappedCall } from '#core/hooks/hook-call'
import { readHookEvent, type HookCall, type HookEvent } from '#core/hooks/hook-event'
import type { HookReading } from '#core/hooks/hook-event'
import { digestOf, digestOfJson } from '#core/kernel/digest'
import { readData } from '#core/kernel/event'
import { Fault } from '#core/kernel/fault'
import { addressOf } from '#core/kernel/names'
import { jsonOf } from '#core/kernel/canonical'
import { modelText, pendingModelText } from '#present/story/for-model'
import { isStage } from '#present/story/waits'
import type { Runtime } from '#runtime/engine/runtime'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Verdict } from '#runtime/verdicts/verdict'
import type { HookHost } from '#schemas/hooks/tools'
import { Pending } from '../pending.ts'
import type { DoorAgent } from './door-agent.ts'
import { hookMemory, type HookMemory } from './hook-memory.ts'

/** In whose name a hook asks, and through what. */
export interface HookSpeaker {
  readonly principal: string
  readonly agent: DoorAgent
  /** Whether the verdict is only recorded: the host is answered nothing, and soon. */
  readonly observes?: boolean
}

export interface HookDoor {
  /**
   * What the host is answered. It never throws: whatever goes wrong before a call runs is a denial
   * that says what, and how to fix it.
   */
  answer(host: HookHost, event: unknown, speaker: HookSpeaker): Promise<HookOutput>
}

export interface HookDoorOf {
  readonly runtime: Runtime
  readonly tables: HookTables
  /** Where a person finds the intent; null where there is no such place. */
  readonly linkOf: (intent: string) => string | null
}

/** So long the stages have to decide: hosts wait longer. */
const stagesMs = 15_000
/** So long the host is kept waiting where nothing is enforced: what is not recorded then may be. */
const observedMs = 3_000

export function hookDoorOn(of: HookDoorOf): HookDoor {
  const before = hookMemory(of.runtime)
  return {
    async answer(host, given, speaker) {
      const read = readHookEvent(host, given)
      if (speaker.observes === true) return observed({ ...of, ...speaker, before, host }, read)
      if ('unread' in read) return decisionOutput(host, unreadDecision(host, read.unread))
      const { event } = read
      const door: Door = { ...of, ...speaker, before, host }
      try {
        if (event.is === 'call') return decisionOutput(host, await decided(door, event))
        await (event.is === 'done' ? recordDone(door, event) : recordPrompt(door, event))
        return notedOutput(host, event.is)
      } catch (error) {
        return failedOutput(host, event.is, error)
      }
    },
  }
}

/** The answer of a hook that only observes. Nothing that fails in it stops or delays a call. */
async function observed(door: Door, read: HookReading): Promise<HookOutput> {
  const { host, runtime } = door
  if ('unread' in read) return neutralOutput(host, 'call', `the event is not one of ${host}`)
  const { event } = read
  try {
    const recorded = await withTimeout(runtime.timer, observedMs, recordObserved(door, event))
    const missed = recorded === timedOut ? `no verdict came within ${observedMs} ms` : null
    return neutralOutput(host, event.is, missed)
  } catch (error) {
    return neutralOutput(host, event.is, error instanceof Error ? error.message : 'it failed')
  }
}

async function recordObserved(door: Door, event: HookEvent): Promise<void> {
  if (event.is === 'prompt') return recordPrompt(door, event)
  const { agent, before, host, tables } = door
  const mapped = mappedCall(host, event, tables)
  const place = placeOf(door, event, mapped)
  if (event.is === 'done') {
    const intent = before.intentOf(place, event.callId) ?? addressOfCall(door, event)
    if (intent === null || (await agent.requested(intent)) === null) return
    return agent.end(intent, { outcome: event.failed ? 'failed' : 'succeeded' })
  }
  const asked = { tool: mapped.tool, args: mapped.args, concepts: [...mapped.concepts] }
  const { intent } = await agent.ask(
    { ...asked, observe: true },
    { ...askingOf(door, event), waitMs: observedMs },
  )
  before.note(place, event.callId, intent)
  if (event.callId === null) before.ran(place, intent)
  before.forget(place)
}

function failedOutput(host: HookHost, is: HookEvent['is'], error: unknown): HookOutput {
  const what = error instanceof Error ? error.message : 'something failed'
  const code = error instanceof Fault ? ` (${error.code})` : ''
  if (is !== 'call') {
    return { ...notedOutput(host, is), stderr: `warrant: not recorded: ${what}${code}\n` }
  }
  const reason = `warrant: blocked, since it could not be judged: ${what}${code}`
  return decisionOutput(host, { outcome: 'deny', reason })
}

interface Door extends HookDoorOf, HookSpeaker {
  readonly host: HookHost
  readonly before: HookMemory
}

type Called = Extract<HookEvent, { is: 'call' }>

async function decided(door: Door, call: Called): Promise<HookDecision> {
  const { agent, before, host, principal, tables } = door
  const mapped = mappedCall(host, call, tables)
  const place = placeOf(door, call, mapped)
  const known = await before.find(place)
  if (known !== null) {
    const decision = await again(door, call, known, mapped)
    if (decision !== null) return decision
    before.forget(place)
  }
  const asking = agent.ask(
    { tool: mapped.tool, args: mapped.args, concepts: [...mapped.concepts] },
    { ...askingOf(door, call), waitMs: stagesMs },
  )
  const found = await settled(asking)
  before.note(place, call.callId, found.intent)
  if (found instanceof Pending) return pendingDecision(door, call, found)
  if (found.outcome === 'deny') return denied(mapped, found)
  await agent.start(found.intent)
  if (call.callId === null) before.ran(place, found.intent)
  before.forget(place)
  return { outcome: 'allow', reason: '' }

  function denied({ tool }: MappedCall, { reasons, gaps, intent }: Verdict): HookDecision {
    before.forget(place)
    const story = `Intent ${intent} of \`${principal}\`.`
    return { outcome: 'deny', reason: `${modelText(tool, reasons, gaps)}\n${story}` }
  }
}

function askingOf(door: Door, call: HookCall) {
  return {
    session: door.agent.session(sessionOf(door, call)),
    onReview: () => false,
    ...(call.callId !== null && { key: keyOf(door.host, call.callId) }),
  }
}

/** By what was decided on the same call before; null where that has ended and it is asked again. */
async function again(
  door: Door,
  call: Called,
  intent: string,
  { tool }: MappedCall,
): Promise<HookDecision | null> {
  const { agent } = door
  const wait = { waitMs: stagesMs, onReview: () => false }
  const found = await settled(agent.verdict(intent, wait)).catch(() => null)
  if (found === null) return null
  if (found instanceof Pending) return pendingDecision(door, call, found)
  if (found.outcome === 'deny') {
    const isDeclined = found.reasons.some(({ code }) => code === 'declined')
    if (!isDeclined) return null
    return { outcome: 'deny', reason: modelText(tool, found.reasons, found.gaps) }
  }
  try {
    await agent.start(intent)
  } catch (error) {
    // It was used, or its time has passed: the call is asked about as a new one.
    if (error instanceof Fault) return null
    throw error
  }
  const place = placeOf(door, call, mappedCall(door.host, call, door.tables))
  door.before.ran(place, intent)
  door.before.note(place, call.callId, intent)
  door.before.forget(place)
  return { outcome: 'allow', reason: '' }
}

async function pendingDecision(door: Door, call: Called, pending: Pending): Promise<HookDecision> {
  const { intent, waits } = pending
  if (waits.for !== 'people') {
    const fix = isStage(waits.for) ? ' Does `warrant up` run?' : ''
    const reason = `${pendingModelText(waits)}\nIntent ${intent}.${fix}`
    return { outcome: 'deny', reason }
  }
  const { text, inHost } = await questionsOn(door, intent)
  if (call.canAsk && inHost) return { outcome: 'ask', reason: `warrant asks: ${text}` }
  const link = door.linkOf(intent)
  const where = link === null ? '' : ` (${link})`
  const later = `When a person has agreed, make just the same call again: it then runs.`
  const answer = `Intent ${intent}${where}: a person answers with \`warrant approve ${intent}\`.`
  const why = text === '' ? '' : `Why: ${text}\n`
  return { outcome: 'deny', reason: `${pendingModelText(waits, later)}\n${why}${answer}` }
}

interface OpenQuestions {
  /** What people are asked, in words; empty where the questions have none. */
  readonly text: string
  /** Whether the catalog lets the host's own dialogue be asked in place of people. */
  readonly inHost: boolean
}

async function questionsOn({ runtime }: Door, intent: string): Promise<OpenQuestions> {
  const { intents, catalog } = runtime.follower.state
  const name = intents.get(intent)?.review?.name
  const fact = name === undefined ? undefined : await runtime.log.get(name)
  const review = readData('review', fact)
  const id = review?.confirmation ?? null
  return {
    text: (review?.questions ?? []).map(({ message, kind }) => message ?? kind).join(' '),
    inHost: id !== null && catalog.confirmations.get(id)?.ask === 'host',
  }
}

async function recordDone(door: Door, done: Extract<HookEvent, { is: 'done' }>): Promise<void> {
  const { agent, before, host, tables } = door
  const place = placeOf(door, done, mappedCall(host, done, tables))
  const intent = before.intentOf(place, done.callId) ?? addressOfCall(door, done)
  if (intent === null || (await agent.requested(intent)) === null) return
  const wait = { waitMs: 0, onReview: () => false }
  const found = await settled(agent.verdict(intent, wait))
  if (!(found instanceof Pending) && found.outcome === 'allow') {
    await agent.end(intent, { outcome: done.failed ? 'failed' : 'succeeded' })
    return
  }
  const isRelayed = found instanceof Pending && (await questionsOn(door, intent)).inHost
  const said = isRelayed ? 'host_allowed' : 'ran_without_allow'
  await agent.say(
    { hook: said, relayedBy: host, intent, tool: done.tool },
    { session: agent.session(sessionOf(door, done)), receiver: door.principal },
  )
  if (!isRelayed) return
  before.forget(place)
  await agent.withdraw(intent, `answered in the dialogue of ${host}, which has run it`)
}

const promptMax = 60_000

/** The host's word for what its user has written: evidence only where the catalog trusts it. */
async function recordPrompt(
  door: Door,
  { prompt, session }: Extract<HookEvent, { is: 'prompt' }>,
): Promise<void> {
  if (prompt === '') return
  const { agent, host, principal } = door
  const to = { session: agent.session(session ?? host), receiver: principal }
  await agent.say(prompt.slice(0, promptMax), to)
}

function sessionOf({ host }: Door, { session }: HookCall): string {
  return session ?? host
}

/** What makes two calls the same, for who asks again. */
function placeOf(door: Door, call: HookCall, { tool, args }: MappedCall) {
  const digest = digestOfJson(jsonOf({ tool, args }))
  return { principal: door.principal, session: sessionOf(door, call), digest }
}

function keyOf(host: HookHost, callId: string): string {
  return digestOf(`${host} ${callId}`).slice('sha256:'.length)
}

function addressOfCall(door: Door, call: HookCall): string | null {
  const { principal, host } = door
  if (call.callId === null) return null
  return addressOf(principal, sessionOf(door, call), keyOf(host, call.callId))
}

async function settled(asked: Promise<Verdict>): Promise<Verdict | Pending> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Pending) return error
    throw error
  }
}
