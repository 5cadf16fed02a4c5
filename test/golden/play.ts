// The stage on which a golden log is played: one runtime on a log in memory, under a time that only
// the story moves, and what the scenes do with it.
import { MemoryStore } from '#log/memory/log'
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { addressOf, nameOf } from '#record/names'
import { signData } from '#record/crypto/private-key'
import type { Fact, Log } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { EventKind } from '#schemas/kinds'
import type { Warrant } from '#client/warrant'
import { FakeTime } from '#testing/fake-time'
import { keys, testRuntime, type TestSetup } from '../support/runtime.ts'
import { Watch } from '#testing/watched-log'

export interface Play {
  readonly setup: TestSetup
  readonly runtime: Runtime
  readonly bot: Warrant
  readonly log: Log
  readonly time: FakeTime
  readonly watch: Watch
  readonly store: MemoryStore
}

export interface Saying {
  readonly as?: string
  readonly session?: string | null
  /** Of the subject; the next of the story if absent. */
  readonly id?: string
  readonly intent?: Json
  /** Further fields of the message, or others than usual. */
  readonly message?: Readonly<Record<string, unknown>>
  /** The bytes of the message, of what JSON writes for it. */
  readonly written?: (json: string) => string
}

export const reason = 'the customer asked for it by mail'

export async function newPlay(setup: TestSetup): Promise<Play> {
  const time = new FakeTime()
  return startedOn({ time, watch: new Watch(), store: new MemoryStore(time) }, setup)
}

async function startedOn(
  { time, watch, store }: Pick<Play, 'time' | 'watch' | 'store'>,
  setup: TestSetup,
): Promise<Play> {
  const log = watch.over(store.open())
  const parts = { clock: time.clock, timer: time.timer, ...setup.parts }
  return { ...(await testRuntime({ ...setup, log, parts })), setup, time, watch, store }
}

/** The next program on the same log, with these parts of the setup changed. */
export async function restarted(play: Play, changed: Partial<TestSetup> = {}): Promise<Play> {
  await play.runtime.stop()
  return startedOn(play, { ...play.setup, ...changed })
}

/** Waits until no stage has anything left to do, and all is folded. */
export async function quiet({ watch, log, runtime }: Play): Promise<void> {
  let before = 0
  let head = await log.head()
  // What learning and deadlines do is no job: it comes right after, or not at all.
  while (head.position !== before) {
    before = head.position
    await watch.settled(log)
    await runtime.follower.reached(before)
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    head = await log.head()
  }
}

/** Waits until what was folded is as the story needs it; what no job announces comes so. */
export async function until({ runtime }: Play, isSo: () => boolean): Promise<void> {
  if (isSo()) return
  await new Promise<void>((resolve) => {
    const stop = runtime.follower.listen(() => {
      if (!isSo()) return
      stop()
      resolve()
    })
  })
}

/** Lets time pass, in steps, so that whatever waits for a moment comes in its turn. */
export async function later(play: Play, ms: number): Promise<void> {
  await quiet(play)
  play.time.pass(ms)
  await quiet(play)
}

let said = 0

/** Binds a message as its sender would, and returns its address; no stage is waited for. */
export async function say(play: Play, saying: Saying): Promise<string> {
  const { as = 'bot', session = null, intent, message, written = (json) => json } = saying
  said += 1
  const { id = `G${String(said).padStart(4, '0')}` } = saying
  const address = addressOf(as, session, id)
  const value = {
    id: `MSG-${said}`,
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender: as,
    content: 'may I',
    confidence: 0.5,
    ...(session !== null && { session_id: session }),
    ...(intent !== undefined && { payload: { intent } }),
    ...message,
  }
  const { place } = play.runtime.follower.state
  const bytes = Buffer.from(written(JSON.stringify(value)))
  await play.log.append({ name: nameOf(place, 'vlp', address), bytes })
  return address
}

/** Says it and waits until the stages have done what they can. */
export async function played(play: Play, saying: Saying): Promise<string> {
  const address = await say(play, saying)
  await quiet(play)
  return address
}

/** What people and tools say in a session, and what the agent asks there. */
export function inSession(play: Play, session: string) {
  const inform = (as: string, content: string, payload?: Json): Promise<string> => {
    const carried = payload === undefined ? {} : { payload }
    const message = { type: 'notice', receiver: 'bot', content, ...carried } as const
    return say(play, { as, session, message })
  }
  return {
    inform,
    result: (tool: string, args: Json, value: Json): Promise<string> =>
      inform('tools', `${tool} answered`, { tool, args, error: false, value }),
    ask: (tool: string, args: Json): Promise<string> =>
      played(play, { as: 'bot', session, intent: { tool, args, justification: reason } }),
  }
}

/** Binds any content as a fact of that kind, unsigned unless a key is given. */
export async function bind(
  { log, runtime }: Play,
  kind: EventKind,
  name: string,
  content: Readonly<Record<string, unknown>>,
  privateKey?: string,
): Promise<Fact> {
  const { state } = runtime.follower
  const data = jsonOf(content)
  const of = { log: state.log, name }
  const whole =
    privateKey === undefined ? data : { ...content, signature: signData(of, data, privateKey) }
  const time = new Date(runtime.clock.now()).toISOString()
  const stamp = { source: 'test/golden', time, basis: state.position }
  return (await log.append({ name, bytes: writeEvent(kind, name, jsonOf(whole), stamp) })).fact
}

/** A person's answer to the open review of that intent. */
export async function answer(
  play: Play,
  intent: string,
  { by = 'olga', yes = true, note }: AnswerGiven = {},
): Promise<void> {
  const answers = { intent, confirmer: by, privateKey: keys[by], answers: yes }
  await play.bot.decide(note === undefined ? answers : { ...answers, note })
  await quiet(play)
}

interface AnswerGiven {
  readonly by?: keyof typeof keys
  readonly yes?: boolean
  readonly note?: string
}
