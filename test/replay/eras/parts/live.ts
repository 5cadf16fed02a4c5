// A scene whose eras are rotated: asking in whichever era it is, and a log that itself refuses what
// comes too late for an era, as servers with a stream for each do.
import { expect } from 'vitest'
import { jsonOf, type Json } from '#record/canonical'
import { Fault } from '#record/fault'
import { addressOf, eraOf, nameOf } from '#record/names'
import type { Fact, Log } from '#ports/log'
import type { Rotation } from '#ports/rotation'
import { rotate, type Rotated } from '#replay/eras/rotate'
import { guard } from '#client/guard/guard'
import type { Proving } from '#replay/verdicts/proving'
import { redeemingOn } from '#client/guard/redeeming'
import type { Verdict } from '#replay/verdicts/verdict'
import { answering } from '../../../support/samples/guard-client.ts'
import { keys } from '../../../support/runtime.ts'
import { deletion, erase, look, type Scene } from '../../../support/scene.ts'
import { logOf } from '../../../support/wrapped-log.ts'

/** Two of a desk must agree before anything is erased; to look needs no one. */
export const twoOfDesk = {
  catalog: {
    capabilities: [look, erase],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [
      { id: 'four', tier: 'four_eyes' as const, sessionless: true, group: 'desk', quorum: 2 },
    ],
  },
  graph: deletion({ name: 'ask', confirmation: 'four' }),
}

export const root = { id: 'root', privateKey: keys.root }

/**
 * Rotates the era as its policy admin does, and waits until all that went over has been seen to.
 */
export async function turned(on: Scene): Promise<Rotated> {
  const rotated = await rotate(on.runtime, root, null)
  await calm(on)
  return rotated
}

/** Resolves when all that is in the log has been seen to. */
export async function calm(on: Scene): Promise<void> {
  await on.watch.settled(on.log)
  await settled(on)
}

/** Resolves when the runtime has folded all of the log. */
export async function settled(on: Scene): Promise<void> {
  await on.runtime.follower.reached((await on.log.head()).position)
}

export function eraOfScene({ runtime }: Scene): number {
  return runtime.follower.state.place.era
}

/** The position of the fact that opened that era’s snapshot. */
export async function sealOf(on: Scene, era: number): Promise<number> {
  return (await on.log.get(`main.${era}.snapshot.1`))?.position ?? 0
}

export interface SaidIn {
  readonly era: number
  readonly ulid: string
  readonly as?: string
  readonly session?: string
  readonly intent?: Json
  readonly type?: string
  readonly seq?: number
}

/** Binds a message in that era, whatever the era of the log is, and returns its address. */
export async function sayIn(log: Log, said: SaidIn): Promise<string> {
  const { era, ulid, as = 'bot', session = null, intent, type = 'query', seq } = said
  const address = addressOf(as, session, ulid)
  const message = {
    id: `MSG-${ulid}-${era}`,
    protocol: 'VLP/1.1',
    type,
    timestamp: '2026-01-01T00:00:00Z',
    sender: as,
    content: 'may I',
    confidence: 0.5,
    ...(session !== null && { session_id: session }),
    ...(seq !== undefined && { seq }),
    ...(intent !== undefined && { payload: { intent } }),
  }
  const name = nameOf({ realm: 'main', era }, 'vlp', address)
  const bytes = Buffer.from(JSON.stringify(jsonOf(message)))
  expect((await log.append({ name, bytes })).appended).toBe(true)
  return address
}

/** Asks in the present era and waits for the verdict. */
export async function judgedNow(on: Scene, said: Omit<SaidIn, 'era'>): Promise<Verdict> {
  const address = await sayIn(on.log, { ...said, era: eraOfScene(on) })
  return on.bot.verdict(address)
}

/** The log without its first facts, as it is when eras were taken away. */
export function cutAt(log: Log, first: number): Log {
  const kept = (fact: Fact): boolean => fact.position >= first
  return {
    ...logOf(log),
    async get(name) {
      const fact = await log.get(name)
      return fact !== undefined && kept(fact) ? fact : undefined
    },
    async *read(range, names) {
      for await (const fact of log.read(range, names)) if (kept(fact)) yield fact
    },
    async *follow(from, signal) {
      for await (const fact of log.follow(from, signal)) if (kept(fact)) yield fact
    },
  }
}

/** What the eras of one store have in common, no matter who opened it. */
export class Streams implements Rotation {
  readonly #log: Log
  readonly #sealed = new Map<number, number>()
  #opened = 1
  readonly calls: string[] = []

  constructor(log: Log) {
    this.#log = log
  }

  async seal({ era }: { readonly era: number }): Promise<{ readonly position: number }> {
    this.calls.push(`seal ${era}`)
    const { position } = await this.#log.head()
    if (!this.#sealed.has(era)) this.#sealed.set(era, position)
    return { position: this.#sealed.get(era) ?? position }
  }

  isSealed({ era }: { readonly era: number }): Promise<boolean> {
    return Promise.resolve(this.#sealed.has(era))
  }

  open({ era }: { readonly era: number }, first: number): Promise<void> {
    this.calls.push(`open ${era} at ${first}`)
    this.#opened = Math.max(this.#opened, era)
    return Promise.resolve()
  }

  // A log in one place takes what speakers publish itself.
  admit({ era }: { readonly era: number }): Promise<boolean> {
    this.calls.push(`admit ${era}`)
    return Promise.resolve(false)
  }

  release(): Promise<readonly string[]> {
    return Promise.resolve([])
  }

  /** The log through which nothing comes into an era that is sealed, or is not there. */
  over(log: Log): Log {
    return {
      ...logOf(log),
      append: (entry) => {
        const era = eraOf(entry.name) ?? 0
        if (this.#sealed.has(era)) {
          return Promise.reject(new Fault('era_sealed', `era ${era} is sealed`))
        }
        if (era > this.#opened) {
          return Promise.reject(new Fault('no_log', `there is no era ${era}`))
        }
        return log.append(entry)
      },
    }
  }
}

/** The guard of `look` in a client that has this verdict already. */
export function guardGiven(
  { runtime }: Pick<Scene, 'runtime'>,
  given: Verdict,
  { proving, run }: { readonly proving: Proving; readonly run: (args: object) => number },
): (args: object) => Promise<number> {
  const { logger, logClock: clock } = runtime
  const redeeming = redeemingOn(runtime, proving, {})
  const client = answering(given, { logger, clock, redeeming })
  return guard(client, { capability: 'look', run, options: {} })
}
