// One runtime on a log in memory, under a time that stands still until the test moves it; and what
// tests do with it: say something, wait for a fact, bind what no client would.
import { expect } from 'vitest'
import { jsonOf, type Json } from '#record/canonical'
import { readEvent, writeEvent } from '#record/event'
import { addressOf, nameOf } from '#record/names'
import { signData } from '#record/crypto/private-key'
import { isVlpMessage } from '#messages/envelope'
import { noIssues } from '#messages/issue'
import { signMessage } from '#messages/signed-message'
import type { Fact, Log } from '#ports/log'
import { replay, type ReplayReport } from '#replay/replay'
import type { ReplayOptions } from '#replay/pass'
import type { GroundingData, HoldData, RateData } from '#schemas/facts'
import type { ContentOf } from '#schemas/contents'
import type { EventKind } from '#schemas/kinds'
import type { ReviewData } from '#schemas/review'
import type { Policy } from '#schemas/graph'
import { verdictOf, type Verdict } from '#replay/verdicts/verdict'
import { inMemory, type InMemory, type MemorySetup } from '#testing/in-memory'
import { stages as allStages } from '#workers/stages'
import type { Warrant } from '#client/warrant'
import type { z } from 'zod'
import { endWithTest } from './vitest/endings.ts'
import { logIdOf } from './log-id.ts'
import { keys, moduleCallbacks, peopled, type TestSetup } from './runtime.ts'

export const place = { realm: 'main', era: 1 }

export interface Scene extends InMemory {
  readonly bot: Warrant
  readonly setup: SceneSetup
}

export type SceneSetup = Omit<TestSetup, 'log'> & Pick<MemorySetup, 'wrap'>

/** On a log of its own, or as another process on the log of that scene. */
export async function scene(setup: SceneSetup = {}, on?: Scene): Promise<Scene> {
  const of = memorySetup(setup)
  const memory = on === undefined ? await inMemory(of) : await on.another(of)
  endWithTest(() => memory.runtime.stop())
  return { ...memory, bot: memory.client, setup }
}

/** Another process on the log of that scene, with these parts of the setup changed. */
export function another(on: Scene, changed: SceneSetup = {}): Promise<Scene> {
  return scene({ ...on.setup, ...changed }, on)
}

// A module runs in threads, as it does for those who use it.
function memorySetup(setup: SceneSetup): MemorySetup {
  const { module, stages, wrap, parts } = setup
  const callbacks = moduleCallbacks(module)
  return {
    ...peopled(setup),
    stages: stages ?? allStages,
    ...(wrap !== undefined && { wrap }),
    parts: { callbacks, ...parts },
  }
}

export const anyArgs = { type: 'object' }

/** A capability that needs no knowledge and no role. */
export const look = { id: 'look', safetyClass: 'READ' as const, argsSchema: anyArgs }

/**
 * A capability that needs `delete` and `file`; what is asked is up to the policies of the graph.
 */
export const erase = { ...look, id: 'erase', concepts: ['delete', 'file'] }

export type PolicyInput = z.input<typeof Policy>

/** A graph that knows `file`, and `delete` which applies to it under these policies. */
export function deletion(...policies: readonly PolicyInput[]) {
  const known = { level: 1, properties: { what: 'known' } }
  const relatum = {
    type: 'APPLIES_TO' as const,
    target: 'file',
    targetDepth: 1,
    policies: [...policies],
  }
  return {
    primitives: [
      { name: 'file', depths: [{ level: 0 }, known] },
      { name: 'delete', depths: [{ level: 0 }, { ...known, relata: [relatum] }] },
    ],
  }
}

export const reason = 'the customer asked for it'

export interface Saying {
  /** Under whose name it is bound; also its sender unless `message` says otherwise. */
  readonly as?: string
  /** Of the subject; also the session_id unless `message` says otherwise. */
  readonly session?: string | null
  readonly ulid?: string
  readonly intent?: Json
  readonly message?: Readonly<Record<string, unknown>>
  /** Whose signature it gets. */
  readonly privateKey?: string
  /** Instead of a message. */
  readonly bytes?: Uint8Array | string
}

let said = 0

/** Binds a message as any publisher could, and returns its address. */
export async function say(log: Log, saying: Saying): Promise<string> {
  const { as = 'bot', session = null, ulid = `u${(said += 1)}` } = saying
  const address = addressOf(as, session, ulid)
  const name = nameOf(place, 'vlp', address)
  const bytes = saying.bytes ?? JSON.stringify(await messageOf(log, name, saying))
  const { appended } = await log.append({ name, bytes: Buffer.from(bytes) })
  expect(appended).toBe(true)
  return address
}

async function messageOf(log: Log, name: string, saying: Saying): Promise<unknown> {
  const { as = 'bot', session, intent, message, privateKey } = saying
  const value: unknown = {
    id: `MSG-${name.split('.').at(-1)}`,
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender: as,
    content: 'may I',
    confidence: 0.5,
    ...(typeof session === 'string' && { session_id: session }),
    // What others publish in these scenes is addressed to the one agent that acts in them.
    ...(intent === undefined && as !== 'bot' && { receiver: 'bot' }),
    ...(intent !== undefined && { payload: { intent } }),
    ...message,
  }
  if (privateKey === undefined) return value
  if (!isVlpMessage(value, noIssues())) throw new Error('only a message can be signed')
  return signMessage({ log: await logIdOf(log), name }, value, privateKey)
}

/** The fact of that name, as soon as it is there. */
export async function bound(log: Log, name: string): Promise<Fact> {
  const abort = new AbortController()
  try {
    for await (const fact of log.follow(1, abort.signal)) if (fact.name === name) return fact
  } finally {
    abort.abort()
  }
  throw new Error(`the log ended without \`${name}\``)
}

/** The verdict on the intent of that address, as soon as it is there. */
export async function verdict(log: Log, address: string): Promise<Verdict> {
  return verdictOf(log, await bound(log, nameOf(place, 'verdict', address)))
}

/** Says it and waits for the verdict. */
export async function judged({ log }: Pick<Scene, 'log'>, saying: Saying): Promise<Verdict> {
  return verdict(log, await say(log, saying))
}

/** The code of each reason, and how to recover. */
export function recoveries({ reasons }: Verdict): readonly string[] {
  return reasons.map(({ code, recover }) => `${code} ${recover}`)
}

export function codes({ reasons }: Verdict): readonly string[] {
  return reasons.map(({ code }) => code)
}

/** The names that a pattern covers, in log order. */
export async function names(log: Log, pattern: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { name } of log.read({}, [pattern])) found.push(name)
  return found
}

export async function read<K extends EventKind>(
  log: Log,
  kind: K,
  name: string,
): Promise<ContentOf<K>> {
  const fact = await bound(log, name)
  const reading = readEvent(kind, fact)
  if (!reading.ok) throw new Error(`\`${fact.name}\`: ${reading.why}`)
  return reading.event.data
}

/** What the grounding of that attempt says, as soon as it is there. */
export function groundingOf(log: Log, address: string, attempt = 1): Promise<GroundingData> {
  return read(log, 'grounding', nameOf(place, 'grounding', address, attempt))
}

export function holdOf(log: Log, address: string): Promise<HoldData> {
  return read(log, 'hold', nameOf(place, 'hold', address, 1))
}

export function reviewOf(log: Log, address: string): Promise<ReviewData> {
  return read(log, 'review', nameOf(place, 'review', address, 1))
}

export function rateOf(log: Log, sequence: string, use: number): Promise<RateData> {
  return read(log, 'rate', nameOf(place, 'rate', sequence, use))
}

/** Binds any content as a fact of that kind; signed if a key is given. */
export async function bind(
  log: Log,
  kind: EventKind,
  name: string,
  content: Readonly<Record<string, unknown>>,
  privateKey?: string,
): Promise<Fact> {
  const data = jsonOf(content)
  const of = { log: await logIdOf(log), name }
  const signed =
    privateKey === undefined ? data : { ...content, signature: signData(of, data, privateKey) }
  const stamp = { source: 'test/hand', time: '2026-01-01T00:00:00.000Z', basis: 0 }
  const bytes = writeEvent(kind, name, jsonOf(signed), stamp)
  const { appended, fact } = await log.append({ name, bytes })
  expect(appended).toBe(true)
  return fact
}

/** Derives again all that the stages wrote. */
export async function replayed(
  { log, setup }: Pick<Scene, 'log' | 'setup'>,
  more: Pick<ReplayOptions, 'address' | 'head'> = {},
): Promise<ReplayReport> {
  const callbacks = moduleCallbacks(setup.module)
  try {
    return await replay({ log, place, rootKey: null, stages: allStages, callbacks, ...more })
  } finally {
    await callbacks.close()
  }
}

/** That a replay finds what the stages wrote, fact by fact. */
export async function expectReplay(of: Scene): Promise<void> {
  const { differences, first } = await replayed(of)
  expect({ differences, first }).toEqual({ differences: 0, first: null })
}

/** What a review of the intent of that address is answered with, signed, as the client would. */
export interface Answering {
  readonly by?: keyof typeof keys
  readonly answers?: boolean | readonly boolean[]
  readonly note?: string
  readonly digest?: string
  readonly privateKey?: string
}

/** Asks, and waits until people are asked. */
export async function reviewed(on: Scene, saying: Saying): Promise<string> {
  const address = await say(on.log, saying)
  await reviewOf(on.log, address)
  // Anyone who asks through this runtime must have folded what the log has.
  const { position } = await on.log.head()
  await on.runtime.follower.reached(position)
  return address
}

export async function answer(on: Scene, address: string, given: Answering = {}): Promise<void> {
  const { by = 'olga', answers = true, privateKey = keys[by], ...rest } = given
  await on.bot.decide({ intent: address, confirmer: by, privateKey, answers, ...rest })
}

/** Binds a decision as no one's client would; what is not given is as it should be. */
export async function forge(
  on: Scene,
  address: string,
  forged: {
    readonly under?: string
    readonly content?: Readonly<Record<string, unknown>>
    readonly privateKey?: string | null
  },
): Promise<void> {
  const { under = 'olga', content, privateKey = keys.olga } = forged
  const { digest, questions, intent } = await reviewOf(on.log, address)
  const review = nameOf(place, 'review', address, 1)
  const answers = questions.map(() => true)
  const whole = { answers, confirmer: under, digest, intent, review, ...content }
  const name = nameOf(place, 'decision', address, 1, under)
  await bind(on.log, 'decision', name, whole, privateKey ?? undefined)
}

/** That no worker died of what happened, and the next sound intent is judged as ever. */
export async function expectAlive(on: Scene): Promise<void> {
  expect((await judged(on, { as: 'honest', intent: { tool: 'look' } })).outcome).toBe('allow')
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.fault.>')).toEqual([])
  await expectReplay(on)
}
