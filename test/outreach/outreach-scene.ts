// A scene in which people are notified: a review that olga, or the desk, is asked to answer, a
// store of addresses, and a channel that keeps what it was to deliver and fails as a test says.
import { join } from 'node:path'
import { readData } from '#record/event'
import { ChannelFailure, type Channel, type ChannelDelivery } from '#ports/channels'
import { startOutreach, type Outreach } from '#outreach/outreach'
import type { OutreachOptions } from '#outreach/notification-schedule'
import { reachBook, setReach } from '#outreach/reach-store'
import type { ChannelKind, NotificationData } from '#schemas/outreach/notification'
import type { QuietHours } from '#schemas/outreach/reach'
import { reviewMessage } from '#present/outreach/review-message'
import { reviewed, scene, type Scene, type SceneSetup } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { endWithTest } from '../support/vitest/endings.ts'

export const minute = 60_000

const send = {
  id: 'file.send',
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object' },
  conditions: [{ name: 'ask', effect: 'confirm' as const, when: 'true', confirmation: 'desk' }],
}

interface Desk {
  readonly quorum?: number
  readonly reaching?: object
  readonly minutes?: number
  /** Whether who is away may name a deputy. */
  readonly deputies?: true
}

export function deskSetup({ quorum = 1, reaching, minutes = 20, deputies }: Desk = {}): SceneSetup {
  return {
    catalog: {
      capabilities: [send],
      principals: [{ id: 'boss' }],
      groups: [
        { id: 'desk', members: ['piet', 'quin'] },
        { id: 'bosses', members: ['boss'] },
      ],
      confirmations: [
        {
          id: 'desk',
          tier: 'four_eyes',
          sessionless: true,
          group: 'desk',
          quorum,
          decideWithinMs: minutes * minute,
          ...(deputies !== undefined && { deputies }),
          ...(reaching !== undefined && { reaching: { ...reaching } }),
        },
      ],
    },
  }
}

export interface TestChannel extends Channel {
  readonly delivered: ChannelDelivery[]
  /** What becomes of the deliveries that follow: a failure, or one that never ends. */
  fails: ChannelFailure | 'silent' | null
  /** Called before a delivery is taken. */
  before: () => Promise<void>
}

export function testChannel(kind: ChannelKind = 'mail'): TestChannel {
  const channel: TestChannel = {
    kind,
    delivered: [],
    fails: null,
    before: async () => undefined,
    async deliver(delivery) {
      await channel.before()
      const { fails } = channel
      channel.delivered.push(delivery)
      if (fails === 'silent') {
        await new Promise<void>((_, reject) => {
          const abort = (): void => reject(new ChannelFailure('timed_out', true))
          if (delivery.signal.aborted) abort()
          delivery.signal.addEventListener('abort', abort)
        })
      }
      if (fails instanceof ChannelFailure) throw fails
    },
    close: async () => undefined,
  }
  return channel
}

export interface OutreachScene extends Scene {
  readonly file: string
  readonly channel: TestChannel
  outreach: Outreach
  /** Sets where that person is reached: by mail. */
  reached(person: string, quiet?: QuietHours): Promise<void>
  /** Starts a service, beside those that run or in the place of one that has ended. */
  service(more?: Partial<OutreachOptions>, on?: Scene): Promise<Outreach>
  /** Nothing is under way until time passes. */
  still(): Promise<void>
  /** Lets time pass in steps, so that what waits for a moment comes in its turn. */
  later(ms: number, step?: number): Promise<void>
  /** Whom the channel was to notify, such as `piet asked`. */
  notified(): Promise<readonly string[]>
  notifications(): Promise<readonly NotificationData[]>
}

export async function outreachScene(setup: SceneSetup = deskSetup()): Promise<OutreachScene> {
  const on = await scene(setup)
  const file = join(await temporaryFolder(), 'reach.ndjson')
  const channel = testChannel()
  const running = new Set<Outreach>()
  const service = async (
    more: Partial<OutreachOptions> = {},
    by: Scene = on,
  ): Promise<Outreach> => {
    const outreach = await startOutreach({
      runtime: by.runtime,
      channels: [channel],
      book: reachBook(file),
      words: reviewMessage,
      url: 'https://warrant.example',
      ...more,
    })
    running.add(outreach)
    endWithTest(() => outreach.stop(0))
    return outreach
  }
  const still = async (): Promise<void> => {
    let before = -1
    for (let head = await on.log.head(); head.position !== before; head = await on.log.head()) {
      before = head.position
      await on.watch.settled(on.log)
      await on.runtime.follower.reached(before)
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      if (channel.fails !== 'silent') await Promise.all([...running].map((each) => each.idle()))
    }
  }
  const all = async (): Promise<readonly NotificationData[]> => {
    const found: NotificationData[] = []
    for await (const fact of on.log.read({}, ['main.*.notification.*'])) {
      const data = readData('notification', fact)
      if (data !== null) found.push(data)
    }
    return found
  }
  return {
    ...on,
    file,
    channel,
    outreach: await service(),
    service,
    still,
    async reached(person, quiet) {
      const targets = [{ channel: channel.kind, address: `${person}@example.org` }]
      await setReach(file, { person, targets, ...(quiet !== undefined && { quiet }) })
    },
    async later(ms, step = ms) {
      await still()
      for (let left = ms; left > 0; left -= step) {
        on.time.pass(Math.min(step, left))
        await still()
      }
    },
    async notified() {
      await still()
      const sent = (await all()).filter(({ state }) => state === 'sent')
      return sent.map(({ person, step }) => `${person} ${step}`)
    },
    notifications: all,
  }
}

/** A call that the desk is asked about; its address. */
export function asks(on: Scene, n = 1): Promise<string> {
  return reviewed(on, { intent: { tool: 'file.send', args: { n } } })
}
