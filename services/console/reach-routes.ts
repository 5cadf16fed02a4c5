// By which browsers a person is notified: each subscribes for who is signed in at it, and only at
// the push services that browsers have. Addresses go in, and never come out.
import type { Hono } from 'hono'
import { isPushService } from '#outreach/channels/push'
import { digestOfJson } from '#record/digest'
import { addTarget, removeTargets, type ReachBook } from '#outreach/reach-store'
import { bodyOf } from '#serving/app'
import { Refusal } from '#serving/problem'
import { SubscribeBody, UnsubscribeBody, type ReachAnswer } from '#schemas/console/attending'
import type { ConsoleOn } from './console.ts'
import { addFor } from './routed.ts'

export interface ReachHere {
  /** The store of addresses. */
  readonly book: ReachBook
  /** By which browsers subscribe; null where nothing is pushed. */
  readonly publicKey: string | null
}

/** `reach` is null where the server knows no store. */
export function addReach(app: Hono, on: ConsoleOn, reach: ReachHere | null): void {
  addFor(app, on, 'reach', ({ c, person }) => c.json(answerFor(reach, person.id)))
  addFor(app, on, 'subscribe', async ({ c, person }) => {
    const target = await bodyOf(c, SubscribeBody)
    if (reach?.publicKey === undefined || reach.publicKey === null) {
      throw new Refusal(422, 'reach_invalid', 'nothing is pushed to browsers here')
    }
    if (!isPushService(target.url)) {
      throw new Refusal(422, 'reach_invalid', 'that is no push service of a known browser')
    }
    await addTarget(reach.book.file, person.id, { channel: 'push', ...target })
    return c.json(answerFor(reach, person.id))
  })
  addFor(app, on, 'unsubscribe', async ({ c, person }) => {
    const { id } = await bodyOf(c, UnsubscribeBody)
    if (reach !== null) {
      await removeTargets(reach.book.file, person.id, (target) => {
        return target.channel === 'push' && digestOfJson(target.url) === id
      })
    }
    return c.json(answerFor(reach, person.id))
  })
}

function answerFor(reach: ReachHere | null, person: string): ReachAnswer {
  const targets = reach?.book.find(person)?.targets ?? []
  return {
    publicKey: reach?.publicKey ?? null,
    browsers: targets.flatMap((target) => {
      if (target.channel !== 'push') return []
      const { url, label = null } = target
      return [{ id: digestOfJson(url), host: new URL(url).host, label }]
    }),
  }
}
